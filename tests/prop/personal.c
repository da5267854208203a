/*
 * personal: enumerated privacy of each record, from exact laws.
 *
 * A run draws a function on all subsets of a few records and a parameter for
 * each record, then compares the laws with and without every record of every
 * subset, output by output.
 */
#include "input/shares.h"
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
 * [CD20 Definition 7.1, Proposition 7.3] The most that a record's own part of E
 * is for: w E <= W eps < (w + 1) E, and so for S; and w / W is no less than a
 * sample keeps.
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

/* Of w equal records; the top of lib/random/personal.c has the proof. */
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
