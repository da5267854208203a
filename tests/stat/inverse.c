/* Sampled laws of the selections by inverse sensitivity, and their twins. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "asm/inverse.h"

#define DRAWS 40000
#define RUNS 6
#define ALARM 4.5

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

static double
chance(const struct inverse_run *run, double eps)
{
	return exp(-eps * (double)(run->len - 0) / 2);
}

static void
exponential_law(const struct inverse_run *run, double eps, double *p)
{
	double all = 0;
	int i;

	for (i = 0; i < RUNS; i++)
		all += p[i] = (double)run[i].count * chance(&run[i], eps);
	for (i = 0; i < RUNS; i++)
		p[i] /= all;
}

/*
 * Permute-and-flip: a run of M points with chance p has its first success at
 * time s with density M p (1 - p s)^(M-1), the others none before s with
 * (1 - p s)^M.  Integrated by the midpoint rule over y = -ln s.
 */
static void
flip_law(const struct inverse_run *run, double eps, double *p)
{
	enum { STEPS = 30000 };
	double best = 1e300, s, none, q[RUNS];
	int i, k;

	for (i = 0; i < RUNS; i++) {
		p[i] = 0;
		best = (double)run[i].len < best ? (double)run[i].len : best;
	}
	for (i = 0; i < RUNS; i++)
		q[i] = exp(-eps * ((double)run[i].len - best) / 2);
	for (k = 0; k < STEPS; k++) {
		s = exp(-60.0 * (k + 0.5) / STEPS);
		for (none = 0, i = 0; i < RUNS; i++)
			none += (double)run[i].count * log1p(-q[i] * s);
		for (i = 0; i < RUNS; i++)
			p[i] += 60.0 / STEPS * s * q[i] *
			    (double)run[i].count *
			    exp(none - log1p(-q[i] * s));
	}
}

static double
chi_square(const unsigned *seen, const double *p)
{
	double x2 = 0, expect;
	int cells = 0, left = 0, i;

	for (i = 0; i < RUNS; i++) {
		expect = DRAWS * p[i];
		if (expect < 5) {
			left += (int)seen[i];
			continue;
		}
		x2 += (seen[i] - expect) * (seen[i] - expect) / expect;
		cells++;
	}
	/* too few for a cell: more than 12 above a mean of 5 is 10^-4 */
	if (left > 17)
		x2 += 1e6;
	return (x2 - (cells - 1)) / sqrt(2.0 * (cells - 1) + 1e-9);
}

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

static size_t
draw(const struct inverse *v, struct rational eps, enum select_kind kind,
    struct rng *r)
{
	return run_of(v, inverse_draw(v, eps, kind, r));
}

static const struct { struct rational eps, twin; double value; } setting[] = {
	{ { 1, 2 }, { 11, 20 }, 0.5 },
	{ { 1, 1 }, { 11, 10 }, 1 },
	{ { 3, 1 }, { 33, 10 }, 3 },
};

/* [D24 (M.1), Proposition 2.7] The twin has 10 % more epsilon. */
Test(inverse, exponential_mechanism_has_its_law)
{
	unsigned seen[RUNS];
	double p[RUNS];
	struct rng r;
	int k, i, s, caught = 0;

	for (s = 0; s < 4; s++)
		for (k = 0; k < 3; k++) {
			struct inverse v = { shape[s], RUNS };

			rng_seeded(&r, (uint64_t)(10 * s + k), "inverse");
			exponential_law(shape[s], setting[k].value, p);
			memset(seen, 0, sizeof(seen));
			for (i = 0; i < DRAWS; i++)
				seen[draw(&v, setting[k].eps,
				    SELECT_EXPONENTIAL, &r)]++;
			cr_expect_lt(chi_square(seen, p), ALARM);
			memset(seen, 0, sizeof(seen));
			for (i = 0; i < DRAWS; i++)
				seen[draw(&v, setting[k].twin,
				    SELECT_EXPONENTIAL, &r)]++;
			caught += chi_square(seen, p) > ALARM;
		}
	cr_expect_geq(caught, 8);
}

/* Twins: 10 % more epsilon, and the exponential mechanism in its place. */
Test(inverse, permute_and_flip_has_its_law)
{
	unsigned seen[RUNS];
	double p[RUNS], q[RUNS], sum;
	struct rng r;
	int k, i, s, caught = 0, other = 0;

	for (s = 0; s < 4; s++)
		for (k = 0; k < 3; k++) {
			struct inverse v = { shape[s], RUNS };

			rng_seeded(&r, (uint64_t)(10 * s + k), "flip");
			flip_law(shape[s], setting[k].value, p);
			for (sum = 0, i = 0; i < RUNS; i++)
				sum += p[i];
			cr_assert_lt(fabs(sum - 1), 1e-4);
			memset(seen, 0, sizeof(seen));
			for (i = 0; i < DRAWS; i++)
				seen[draw(&v, setting[k].eps, SELECT_FLIP,
				    &r)]++;
			cr_expect_lt(chi_square(seen, p), ALARM);
			exponential_law(shape[s], setting[k].value, q);
			other += chi_square(seen, q) > ALARM;
			memset(seen, 0, sizeof(seen));
			for (i = 0; i < DRAWS; i++)
				seen[draw(&v, setting[k].twin, SELECT_FLIP,
				    &r)]++;
			caught += chi_square(seen, p) > ALARM;
		}
	cr_expect_geq(caught, 7);
	cr_expect_geq(other, 3);
}

/* Points of one run are alike. */
Test(inverse, points_of_a_run_are_uniform)
{
	struct inverse_run runs[] = { { -3, 1, 4 }, { -2, 12, 5 },
	    { 10, 3, 9 } };
	struct inverse v = { runs, 3 };
	unsigned seen[12] = { 0 }, flips[12] = { 0 }, i, n = 0, m = 0;
	double x2 = 0, y2 = 0;
	struct rng r;
	int64_t t;

	rng_seeded(&r, 1, "points");
	for (i = 0; i < DRAWS; i++) {
		t = inverse_draw(&v, (struct rational){ 1, 1 },
		    SELECT_EXPONENTIAL, &r);
		if (t >= -2 && t < 10) {
			seen[t + 2]++;
			n++;
		}
		t = inverse_draw(&v, (struct rational){ 1, 1 },
		    SELECT_FLIP, &r);
		if (t >= -2 && t < 10) {
			flips[t + 2]++;
			m++;
		}
	}
	for (i = 0; i < 12; i++) {
		x2 += pow(seen[i] - n / 12.0, 2) / (n / 12.0);
		y2 += pow(flips[i] - m / 12.0, 2) / (m / 12.0);
	}
	cr_expect(n > 1000 && m > 1000);
	/* 11 degrees of freedom: 37.4 is exceeded with chance 10^-4 */
	cr_expect_lt(x2, 37.4);
	cr_expect_lt(y2, 37.4);
}
