/* Sampled laws of the selections by inverse sensitivity, and their twins. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "asm/inverse.h"
#include "law.h"
#include "laws_of_draws.h"

#define DRAWS 40000
#define RUNS 6

/* Runs of several shapes: small, one huge far one, the best one huge. */
static struct inverse_run shape[][RUNS] = {
	{ { 0, 1, 0 }, { 1, 2, 1 }, { 3, 5, 2 }, { 8, 3, 3 }, { 11, 9, 5 },
	    { 20, 1, 6 } },
	{ { 0, 2, 3 }, { 2, 40, 5 }, { 42, 900, 9 }, { 942, 70000, 14 },
	    { 70942, 2000000000, 30 },
	    { 2000070942, (uint64_t)1 << 61, 60 } },
	{ { 0, (uint64_t)1 << 60, 1 }, { (int64_t)1 << 60,
	    (uint64_t)1 << 60, 2 }, { (int64_t)1 << 61, 5000, 3 },
	    { ((int64_t)1 << 61) + 5000, 1, 4 },
	    { ((int64_t)1 << 61) + 5001, (uint64_t)1 << 60, 5 },
	    { 3 * ((int64_t)1 << 60) + 5001, 7, 90 } },
	{ { 0, 1, 0 }, { 1, 100, 20 }, { 101, 1000, 40 },
	    { 1101, (uint64_t)1 << 40, 60 },
	    { ((int64_t)1 << 41), (uint64_t)1 << 60, 80 },
	    { ((int64_t)1 << 61), (uint64_t)1 << 61, 100 } },
};

static size_t
run_of(const struct inverse *v, int64_t t)
{
	size_t i;

	for (i = 0; i < v->n; i++)
		if (t >= v->run[i].lo &&
		    (uint64_t)(t - v->run[i].lo) < v->run[i].count)
			return i;
	cr_assert(false, "an output outside of all runs");
	return 0;
}

static const struct { struct rational eps, twin; double value; } setting[] = {
	{ { 1, 2 }, { 11, 20 }, 0.5 },
	{ { 1, 1 }, { 11, 10 }, 1 },
	{ { 3, 1 }, { 33, 10 }, 3 },
};

/* How far the runs drawn for eps are from a law; 0 where all is one bin. */
static double
z_of(struct inverse_run *run, struct rational eps, enum select_kind kind,
    uint64_t seed, const double *p)
{
	struct inverse v = { .run = run, .n = RUNS };
	uint64_t seen[RUNS] = { 0 };
	struct rng r;
	double z;

	rng_seeded(&r, seed, "inverse");
	for (int i = 0; i < DRAWS; i++)
		seen[run_of(&v, inverse_draw(&v, eps, kind, &r))]++;
	z = law_chi2(p, seen, RUNS, DRAWS);
	return isinf(z) ? 0 : z;
}

/* The twin has 10 % more epsilon. */
static void
check_laws(enum select_kind kind)
{
	double count[RUNS], w[RUNS], p[RUNS];
	int caught = 0;

	for (uint64_t s = 0; s < 4; s++)
		for (uint64_t k = 0; k < 3; k++) {
			uint64_t least = shape[s][0].len;

			for (int i = 0; i < RUNS; i++) {
				count[i] = (double)shape[s][i].count;
				w[i] = exp(-setting[k].value *
				    (double)(shape[s][i].len - least) / 2);
			}
			law_runs(kind, count, w, RUNS, p);
			cr_expect_lt(z_of(shape[s], setting[k].eps, kind,
			    10 * s + k, p), LAW_Z);
			caught += z_of(shape[s], setting[k].twin, kind,
			    10 * s + k, p) > LAW_Z;
		}
	cr_expect_geq(caught, 5, "%d", caught);
}

/* [D24 (M.1), Proposition 2.7] */
Test(inverse, exponential_mechanism_has_its_law)
{
	check_laws(SELECT_EXPONENTIAL);
}

Test(inverse, permute_and_flip_has_its_law)
{
	check_laws(SELECT_FLIP);
}

/* Points of one run are alike. */
Test(inverse, points_of_a_run_are_uniform)
{
	struct inverse_run runs[] = { { -3, 1, 4 }, { -2, 12, 5 },
	    { 10, 3, 9 } };
	struct inverse v = { .run = runs, .n = 3 };
	uint64_t seen[2][12] = { { 0 } }, n[2] = { 0 };
	double p[12];
	struct rng r;

	for (int i = 0; i < 12; i++)
		p[i] = 1 / 12.0;
	rng_seeded(&r, 1, "points");
	for (int i = 0; i < 2 * DRAWS; i++) {
		int64_t t = inverse_draw(&v, (struct rational){ 1, 1 }, i % 2 ?
		    SELECT_FLIP : SELECT_EXPONENTIAL, &r);

		if (t >= -2 && t < 10) {
			seen[i % 2][t + 2]++;
			n[i % 2]++;
		}
	}
	for (int k = 0; k < 2; k++) {
		cr_expect_gt(n[k], 1000);
		cr_expect_lt(law_chi2(p, seen[k], 12, (double)n[k]), LAW_Z);
	}
}
