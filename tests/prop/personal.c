/*
 * personal: enumerated privacy of each record, from exact laws.
 *
 * A run draws a function on all subsets of a few records and a parameter for
 * each record, then compares the laws with and without every record of every
 * subset, output by output.
 */
#include "input/shares.h"
#include "random/noise.h"
#include "random/personal.h"
#include "sp/own_sens.h"
#include "sp/subsets.h"

#include "samples.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#define MOST 4
#define SIZE (1 << MOST)

static struct rational
fraction(uint64_t num, uint64_t den)
{
	struct rational r;

	cr_assert(rational_make(&r, (i128)num, (i128)den));
	return r;
}

static long double
real(struct rational r)
{
	return (long double)r.num / (long double)r.den;
}

struct world {
	unsigned n;
	int64_t sens;			/* public S */
	struct rational total;		/* E */
	struct rational eps[MOST];
	int64_t f[SIZE];
};

static void
world_draw(struct world *w, uint64_t *state)
{
	w->n = 1 + (unsigned)draw(state, MOST);
	w->sens = 1 + (int64_t)draw(state, 30);
	w->total = fraction(1 + draw(state, 30), 1 + draw(state, 20));
	for (unsigned i = 0; i < w->n; i++)
		w->eps[i] = fraction(1 + draw(state, 30), 1 + draw(state, 40));
	for (unsigned d = 0; d < SIZE; d++)
		w->f[d] = (int64_t)draw(state, 100) - 50;
}

/*
 * w E <= W eps < (w + 1) E, and so for S; and w / W is no less than a sample
 * keeps.
 */
Test(personal, sens_is_the_largest_that_keeps_the_ratio)
{
	const uint64_t whole = (uint64_t)1 << 20;
	uint64_t state = 11;

	for (int run = 0; run < 20000; run++) {
		struct rational e = fraction(1 + draw(&state, 1 << 20),
		    1 + draw(&state, 1 << 20));
		struct rational eps = fraction(draw(&state, 1 << 20),
		    1 + draw(&state, (uint64_t)1 << draw(&state, 40)));
		int64_t s = (int64_t)draw(&state, (uint64_t)1 << 40);
		int64_t x = own_sens(s, eps, e);
		uint64_t w = shares_own(eps, e, whole);
		i128 have = e.num * eps.den, want = eps.num * e.den;

		if (rational_cmp(eps, e) >= 0) {
			cr_assert(x == s && w == whole);
			continue;
		}
		cr_assert(x * have <= s * want && (x + 1) * have > s * want);
		cr_assert((i128)w * have <= (i128)whole * want);
		cr_assert((i128)(w + 1) * have > (i128)whole * want);
		cr_assert(w + 1 >= personal_keep(eps, e) >> 42);
	}
}

/*
 * Records whose Laplace law changes by more than e^(eps_i) somewhere: the log
 * ratio at y is (|y - g'| - |y - g|) / t, compared as integers.
 */
static int
laplace_losses(const struct world *w, const int64_t *sens)
{
	int64_t g[SIZE];
	struct scale t;
	int losses = 0;

	memcpy(g, w->f, sizeof g);
	subsets_value(g, sens, w->n);
	cr_assert(scale_make(&t, (u128)w->sens, w->total));
	for (unsigned d = 0; d < 1u << w->n; d++) {
		for (unsigned i = 0; i < w->n; i++) {
			int64_t h = g[d & ~(1u << i)];
			i128 worst = 0;

			for (int64_t y = -200; y <= 200; y++) {
				i128 m = llabs(y - h) - llabs(y - g[d]);

				m = m < 0 ? -m : m;
				worst = m > worst ? m : worst;
			}
			losses += worst * t.r * w->eps[i].den >
			    w->eps[i].num * (i128)t.s;
		}
	}
	return losses;
}

/* [CD20 Definition 7.1] [CD20 Proposition 7.3]; twins: S for all, rounded up */
Test(personal, laplace_of_the_public_scale_gives_each_record_its_epsilon)
{
	uint64_t state = 12;
	int capped = 0, same = 0, up = 0;

	for (int run = 0; run < 1500; run++) {
		struct world w;
		int64_t sens[MOST], all[MOST], more[MOST];

		world_draw(&w, &state);
		for (unsigned i = 0; i < w.n; i++) {
			all[i] = w.sens;
			sens[i] = own_sens(w.sens, w.eps[i], w.total);
			more[i] = sens[i] < w.sens ? sens[i] + 1 : sens[i];
			capped += sens[i] < w.sens;
		}
		cr_assert_eq(laplace_losses(&w, sens), 0);
		same += laplace_losses(&w, all) > 0;
		up += laplace_losses(&w, more) > 0;
	}
	cr_assert(capped > 500);
	cr_assert(same > 300);
	cr_assert(up > 300);
}

/* Law of sampling, then preprocessing with one S, then Laplace, at y. */
static long double
sampled_law(const struct world *w, const int64_t *g, const long double *keep,
    unsigned d, int64_t y)
{
	long double a = real(w->total) / (long double)w->sens, law = 0;

	for (unsigned k = d; ; k = (k - 1) & d) {	/* subsets of d */
		long double p = expl(-a * (long double)llabs(y - g[k]));

		for (unsigned i = 0; i < w->n; i++)
			if (d >> i & 1)
				p *= k >> i & 1 ? keep[i] : 1 - keep[i];
		law += p;
		if (k == 0)
			return law;
	}
}

static long double
sampled_excess(const struct world *w, const long double *keep)
{
	int64_t g[SIZE], sens[MOST] = { w->sens, w->sens, w->sens, w->sens };
	long double worst = -INFINITY;

	memcpy(g, w->f, sizeof g);
	subsets_value(g, sens, w->n);
	for (unsigned d = 1; d < 1u << w->n; d++) {
		for (int64_t y = -150; y <= 150; y += 3) {
			long double law = sampled_law(w, g, keep, d, y);

			for (unsigned i = 0; i < w->n; i++)
				worst = fmaxl(worst, fabsl(logl(law /
				    sampled_law(w, g, keep, d & ~(1u << i),
				    y))) - real(w->eps[i]));
		}
	}
	return worst;
}

/*
 * [JYC15] Twin: eps / E as the probability, above the right one
 * because e^x - 1 is convex.
 */
Test(personal, sampling_then_the_public_mechanism_does_so_too)
{
	uint64_t state = 14;
	int caught = 0;

	for (int run = 0; run < 120; run++) {
		struct world w;
		long double keep[MOST], twin[MOST];

		world_draw(&w, &state);
		for (unsigned i = 0; i < w.n; i++) {
			keep[i] = (long double)personal_keep(w.eps[i],
			    w.total) / (long double)PERSONAL_ONE;
			twin[i] = fminl(1, real(w.eps[i]) / real(w.total));
		}
		cr_assert(sampled_excess(&w, keep) <= 1e-14L);
		caught += sampled_excess(&w, twin) > 1e-14L;
	}
	cr_assert(caught > 20);
}

/* --- how many of w equal records are kept --------------------------------- */

#define EQUAL 40

enum rule { THIN, DOWN, UP };

/* Probability that k of w are kept; twins: always rounded down, or up. */
static long double
thin_law(enum rule rule, int w, int k, uint64_t p)
{
	u128 x = (u128)w * p;
	long double part = (long double)(uint64_t)(x % PERSONAL_ONE) /
	    (long double)PERSONAL_ONE;
	int least = (int)(x / PERSONAL_ONE);

	if (rule == DOWN)
		part = 0;
	if (rule == UP)
		part = part > 0;
	return k == least ? 1 - part : k == least + 1 ? part : 0;
}

/* Largest |log ratio| over w against w - 1 records, minus eps. */
static long double
thin_excess(enum rule rule, const long double *a, uint64_t p, long double eps)
{
	long double worst = -INFINITY;

	for (int w = 1; w < EQUAL; w++) {
		long double with = 0, without = 0;

		for (int k = 0; k <= w; k++) {
			with += thin_law(rule, w, k, p) * a[k];
			without += thin_law(rule, w - 1, k, p) * a[k];
		}
		worst = fmaxl(worst, fabsl(logl(with / without)) - eps);
	}
	return worst;
}

/*
 * [JYC15] a[k] is the probability of some output when k are kept: any walk in
 * steps of at most e^E.
 */
Test(personal, one_of_many_equal_records_has_its_own_epsilon)
{
	uint64_t state = 31;
	int caught[3] = { 0, 0, 0 };

	for (int run = 0; run < 4000; run++) {
		struct rational total, eps;
		long double a[EQUAL + 2], top, own;
		int mode = (int)draw(&state, 3);
		uint64_t p;

		total = fraction(1 + draw(&state, 40), 10);
		eps = fraction((uint64_t)total.num * (1 + draw(&state, 20)),
		    20 * (uint64_t)total.den);
		top = real(total);
		own = real(eps);
		p = personal_keep(eps, total);
		a[0] = 1;
		for (int k = 1; k <= EQUAL; k++) {
			long double s = mode == 0 ? 1 : mode == 1 ? -1 :
			    (long double)draw(&state, 201) / 100 - 1;

			a[k] = a[k - 1] * expl(s * top);
		}
		cr_assert(thin_excess(THIN, a, p, own) <= 1e-12L);
		caught[DOWN] += thin_excess(DOWN, a, p, own) > 1e-6L;
		caught[UP] += thin_excess(UP, a, p, own) > 1e-6L;
	}
	cr_assert(caught[DOWN] > 1000);
	cr_assert(caught[UP] > 1000);
}

/* The law that the test above assumes, of the function itself. */
Test(personal, thin_rounds_up_as_often_as_the_fraction_says)
{
	uint64_t state = 32;
	struct rng r;

	rng_seeded(&r, 1, "thin");
	for (int run = 0; run < 40; run++) {
		uint64_t w = 1 + draw(&state, (uint64_t)1 << (1 + run));
		uint64_t p = draw(&state, PERSONAL_ONE), up = 0;
		u128 x = (u128)w * p;
		uint64_t least = (uint64_t)(x / PERSONAL_ONE);
		double part = (double)(uint64_t)(x % PERSONAL_ONE) /
		    (double)PERSONAL_ONE;

		for (int i = 0; i < 10000; i++) {
			uint64_t k = personal_thin(&r, w, p);

			cr_assert(k == least || k == least + 1);
			up += k - least;
		}
		/* five standard deviations */
		cr_assert(fabs((double)up - 10000 * part) <=
		    5 * sqrt(10000 * part * (1 - part)) + 1);
	}
	cr_assert_eq(personal_thin(&r, (uint64_t)1 << 40, PERSONAL_ONE),
	    (uint64_t)1 << 40);
	cr_assert_eq(personal_thin(&r, (uint64_t)1 << 40, 0), 0);
}
