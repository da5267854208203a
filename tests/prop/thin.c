/*
 * personal_thin: the law of how many of w equal records are kept, and the
 * privacy of one of them, enumerated.
 */
#include "random/personal.h"

#include "samples.h"

#include <criterion/criterion.h>
#include <math.h>

#define MOST 40

enum rule { THIN, DOWN, UP };

/* Probability that k of w are kept; twins: always rounded down, or up. */
static long double
law(enum rule rule, int w, int k, uint64_t p)
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
excess(enum rule rule, const long double *a, uint64_t p, long double eps)
{
	long double worst = -INFINITY;

	for (int w = 1; w < MOST; w++) {
		long double with = 0, without = 0;

		for (int k = 0; k <= w; k++) {
			with += law(rule, w, k, p) * a[k];
			without += law(rule, w - 1, k, p) * a[k];
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
		long double a[MOST + 2], top, own;
		int mode = (int)draw(&state, 3);
		uint64_t p;

		cr_assert(rational_make(&total, 1 + (i128)draw(&state, 40),
		    10));
		cr_assert(rational_make(&eps, total.num *
		    (1 + (i128)draw(&state, 20)), 20 * total.den));
		top = (long double)total.num / (long double)total.den;
		own = (long double)eps.num / (long double)eps.den;
		p = personal_keep(eps, total);
		a[0] = 1;
		for (int k = 1; k <= MOST; k++) {
			long double s = mode == 0 ? 1 : mode == 1 ? -1 :
			    (long double)draw(&state, 201) / 100 - 1;

			a[k] = a[k - 1] * expl(s * top);
		}
		cr_assert(excess(THIN, a, p, own) <= 1e-12L);
		caught[DOWN] += excess(DOWN, a, p, own) > 1e-6L;
		caught[UP] += excess(UP, a, p, own) > 1e-6L;
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
