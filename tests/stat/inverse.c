/*
 * The selections by inverse sensitivity draw a point by its distance and by
 * epsilon: three runs of points against the law of the points one by one.
 * Runs of any size and far ones are those of select_runs.c.
 */
#include <criterion/criterion.h>
#include <math.h>

#include "asm/inverse.h"
#include "law.h"
#include "laws_of_draws.h"

#define DRAWS 80000
#define POINTS 16

static const struct inverse_run runs[] = { { -3, 1, 4 }, { -2, 12, 8 },
    { 10, 3, 7 } };

/* How far draws with eps are from the law with eps times `more'. */
static double
z_of(enum select_kind kind, struct rational eps, double more)
{
	struct inverse_run copy[3] = { runs[0], runs[1], runs[2] };
	struct inverse v = { .run = copy, .n = 3 };
	double one[POINTS], w[POINTS], p[POINTS];
	uint64_t seen[POINTS] = { 0 };
	struct rng r;

	for (size_t i = 0, k = 0; i < 3; i++)
		for (uint64_t j = 0; j < runs[i].count; j++, k++) {
			one[k] = 1;
			w[k] = exp(-more * rational_real(eps) *
			    (double)(runs[i].len - runs[0].len) / 2);
		}
	law_runs(kind, one, w, POINTS, p);
	rng_seeded(&r, 1, "inverse");
	for (int i = 0; i < DRAWS; i++) {
		int64_t t = inverse_draw(&v, eps, kind, &r);

		cr_assert(t >= -3 && t < 13);
		seen[t + 3]++;
	}
	return law_chi2(p, seen, POINTS, DRAWS);
}

/* The twin has 10 % more epsilon. */
static void
check(enum select_kind kind)
{
	static const struct rational eps[] = { { 1, 2 }, { 1, 1 }, { 3, 1 } };

	for (size_t e = 0; e < 3; e++) {
		double z = z_of(kind, eps[e], 1), twin = z_of(kind, eps[e],
		    1.1);

		cr_expect_lt(z, LAW_Z, "%zu: %g", e, z);
		cr_expect_gt(twin, LAW_Z, "%zu: %g", e, twin);
	}
}

/* [D24 (M.1), Proposition 2.7] */
Test(inverse, exponential_mechanism_has_its_law)
{
	check(SELECT_EXPONENTIAL);
}

Test(inverse, permute_and_flip_has_its_law)
{
	check(SELECT_FLIP);
}
