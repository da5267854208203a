/*
 * unity: totals, estimates and intervals against their definitions.
 */
#include "laplace/unity.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "laplace/cover.h"
#include "random/noise.h"

#include "../house/step.h"
#include "samples.h"


static i128
power(i128 x, int k)
{
	return k == 0 ? 1 : x * power(x, k - 1);
}

/* The functions of the partition, from their definition. */
static i128
function(enum unity_degree degree, int j, i128 i, i128 m)
{
	i128 binomial = degree == UNITY_SQUARE && j == 1 ? 2 : 1;

	return binomial * power(i, j) * power(m - i, (int)degree - j);
}

/* For all cells of small ranges: non-negative, C in all, none other. */
static void
values(const struct total *t, i128 *x)
{
	for (int j = 0; j < UNITY_PARTS; j++)
		x[j] = total_value(&t[j]);
}

Test(unity, functions_are_a_partition)
{
	for (int64_t m = 1; m < 30; m++)
		for (int64_t i = 0; i <= m; i++)
			for (int d = UNITY_LINE; d <= UNITY_SQUARE; d++) {
				struct sums_column c = { 5, 5 + m, 5, 1 };
				int64_t x = 5 + i;
				struct total total[UNITY_PARTS] = { { 0, 0 } };
				i128 t[UNITY_PARTS], sum = 0;

				unity_add(&c, d, &x, 1, 1, total);
				values(total, t);
				for (int j = 0; j <= d; j++) {
					cr_assert(t[j] >= 0);
					cr_assert(t[j] == function(d, j, i,
					    m));
					sum += t[j];
				}
				cr_assert((u128)sum == unity_sens((u128)m,
				    d));
			}
}

/* Without noise the estimates are the statistics. */
Test(unity, estimates_without_noise_are_exact)
{
	uint64_t state = 5;

	for (int round = 0; round < 300; round++) {
		struct sums_column c = { -1000, -1000 + 1 + (int64_t)(
		    random_word(&state) % 100000), -1000, 1 };
		u128 m = sums_steps(&c), sens = unity_sens(m, UNITY_SQUARE);
		int n = 1 + (int)(random_word(&state) % 40);
		double sum = 0, square = 0, mean, var;
		i128 t[UNITY_PARTS];
		long double part[UNITY_PARTS], all = 0;
		struct unity_moments of;
		struct total total[UNITY_PARTS] = { { 0, 0 } };

		for (int i = 0; i < n; i++) {
			int64_t x = c.lo + (int64_t)(random_word(&state) %
			    (uint64_t)(m + 1));
			double z = (double)(x - c.lo) / (double)m;

			unity_add(&c, UNITY_SQUARE, &x, 1, 1, total);
			sum += z;
			square += z * z;
		}
		values(total, t);
		for (int j = 0; j < UNITY_PARTS; j++)
			all += part[j] = (long double)t[j] / (long double)sens;
		of = unity_moments(part, UNITY_SQUARE);
		mean = sum / n;
		var = square / n - mean * mean;
		cr_assert(fabs((double)(all - n)) < 1e-12);
		cr_assert(fabs((double)(1 + unity_mean(&of, all)) / 2 -
		    mean) < 1e-12);
		cr_assert(fabs((double)unity_variance(&of, all) / 4 -
		    fmin(var, 0.25)) < 1e-12);
	}
}

Test(unity, nothing_is_the_middle_and_no_variance)
{
	const long double part[UNITY_PARTS] = { 3, -9, 1 };
	struct unity_moments line = unity_moments(part, UNITY_LINE);
	struct unity_moments square = unity_moments(part, UNITY_SQUARE);

	cr_assert((double)unity_mean(&square, 0) == 0);
	cr_assert((double)unity_mean(&line, -5) == 0);
	cr_assert((double)unity_variance(&square, -5) == 0);
}

Test(unity, results_stay_in_the_range_whatever_the_noise)
{
	uint64_t state = 9;

	for (int round = 0; round < 20000; round++) {
		long double part[UNITY_PARTS], n = 0, z, v;
		struct unity_moments of;

		for (int j = 0; j < UNITY_PARTS; j++) {
			part[j] = ldexpl((long double)(int64_t)random_word(
			    &state), (int)(random_word(&state) % 80) - 40);
			n += part[j];
		}
		of = unity_moments(part, UNITY_SQUARE);
		z = unity_mean(&of, n);
		v = unity_variance(&of, n);
		cr_assert(z >= -1 && z <= 1);
		cr_assert(v >= 0 && v <= 1);
	}
}

/* Weights near the ends of 64 bits, for wide ranges: totals only saturate. */
Test(unity, totals_saturate_instead_of_wrapping)
{
	struct sums_column c = { 0, SUMS_WIDTH, 0, 1 };
	int64_t top = SUMS_WIDTH;
	i128 t[UNITY_PARTS], limit = (i128)1 << 126;
	struct total square[UNITY_PARTS] = { { 0, 0 } };
	struct total line[UNITY_PARTS] = { { 0, 0 } };

	for (int i = 0; i < 8; i++) {
		unity_add(&c, UNITY_SQUARE, &top, 1, UINT64_MAX, square);
		unity_add(&c, UNITY_LINE, &top, 1, UINT64_MAX, line);
	}
	values(square, t);
	cr_assert(t[0] == 0 && t[1] == 0 && t[2] == limit);
	values(line, t);
	cr_assert(t[0] == 0 && t[1] == (i128)UINT64_MAX * 8 * SUMS_WIDTH);
}

/* --- intervals ----------------------------------------------------------- */

/* Draws of |sum w_j Y_j|, Y_j Laplace(1) on a fine grid, beyond x. */
static double
beyond(const double *w, size_t n, double x, uint64_t seed)
{
	enum { draws = 100000 };
	struct scale t = { 1000000, 1 };
	struct rng r;
	int count = 0;

	rng_seeded(&r, seed, "cover");
	for (int i = 0; i < draws; i++) {
		double sum = 0;

		for (size_t j = 0; j < n; j++)
			sum += w[j] * (double)noise_laplace(&r, &t) / 1e6;
		count += fabs(sum) > x;
	}
	return count / (double)draws;
}

Test(cover, quantiles_of_weighted_sums_are_those_of_draws)
{
	static const double w[][UNITY_PARTS] = { { 1, 0, 0 }, { 1, 1, 0 },
	    { 1, 1, 1 }, { 0.2, 1.8, 0.8 }, { 1, 1.0001, 0 }, { 3, 1, 2 },
	    { -1, 0.5, 0.5 } };

	for (size_t i = 0; i < sizeof(w) / sizeof(w[0]); i++)
		for (int k = 1; k <= 3; k++) {
			double alpha = pow(10, -k) * 2;
			double p = beyond(w[i], UNITY_PARTS, cover_spread(
			    w[i], UNITY_PARTS, 1, 0, alpha), i + 1);

			cr_assert(fabs(p - alpha) < 5 * sqrt(alpha / 1e5) +
			    0.003 * alpha, "%zu: %g for %g", i, p, alpha);
		}
}

Test(cover, quantiles_of_averages_are_those_of_draws)
{
	double w[9];

	for (size_t n = 1; n <= 9; n += 2) {
		for (size_t j = 0; j < n; j++)
			w[j] = 1.0 / (double)n;
		cr_assert(fabs(beyond(w, n, cover_average(n, 0.05), n) -
		    0.05) < 0.004);
	}
	cr_assert(cover_average(1, 0.05) >= log(20));
	cr_assert(cover_average(1, 0.05) < log(20) * 1.0002);
	cr_assert(cover_average(5000, 0.05) <= cover_average(60, 0.05));
}

/* Misses of the intervals of mean and variance among releases. */
struct misses {
	double mean, variance;
};

static struct misses
missed(const int64_t *x, size_t n, enum unity_degree degree, double wrong)
{
	enum { releases = 4000 };
	struct sums_column c = { 0, 100, 0, 1 };
	u128 sens = unity_sens(100, degree);
	struct cover_noise noise = { 2 * wrong, 1 / (double)sens, 0.1, 1,
	    1 };
	double sum = 0, square = 0;
	struct misses count = { 0, 0 };
	i128 t[UNITY_PARTS];
	long double part[UNITY_PARTS];
	struct scale scale;
	struct total total[UNITY_PARTS] = { { 0, 0 } };
	struct rng r;

	rng_seeded(&r, n, "cover");
	cr_assert(scale_make(&scale, sens, (struct rational){ 1, 2 }));
	unity_add(&c, degree, x, n, 1, total);
	for (size_t i = 0; i < n; i++) {
		sum += (double)x[i] / 100;
		square += (double)x[i] / 100 * (double)x[i] / 100;
	}
	values(total, t);
	for (int k = 0; k < releases; k++) {
		struct unity_moments moments;
		struct cover m, v;

		for (int j = 0; j <= (int)degree; j++)
			part[j] = (long double)(t[j] + noise_laplace(&r,
			    &scale)) / (long double)sens;
		moments = unity_moments(part, degree);
		m = cover_mean(&moments, (size_t)degree + 1, &noise);
		count.mean += sum / (double)n < m.lower - 1e-12 ||
		    sum / (double)n > m.upper + 1e-12;
		if (degree == UNITY_LINE)
			continue;
		v = cover_variance(&moments, &noise);
		v = (struct cover){ v.lower / 4, v.upper / 4 };
		count.variance += square / (double)n - sum / (double)n *
		    (sum / (double)n) < v.lower - 1e-12 || square / (double)n -
		    sum / (double)n * (sum / (double)n) > v.upper + 1e-12;
	}
	count.mean /= releases;
	count.variance /= releases;
	return count;
}

/* Few and many records, at the middle, at an end, spread, constant. */
Test(cover, intervals_never_miss_more_often_than_said)
{
	static const size_t sizes[] = { 1, 5, 40, 300 };

	for (size_t i = 0; i < 4; i++)
		for (int kind = 0; kind < 4; kind += STEP) {
			int64_t x[300];
			struct misses line, both;

			for (size_t k = 0; k < sizes[i]; k++)
				x[k] = kind == 0 ? 50 : kind == 1 ? 0 :
				    kind == 2 ? (int64_t)k % 101 :
				    k % 10 == 0 ? 100 : 0;
			line = missed(x, sizes[i], UNITY_LINE, 1);
			both = missed(x, sizes[i], UNITY_SQUARE, 1);
			/* five sigma beyond 0.1 in 4000 */
			cr_assert_lt(line.mean, 0.124);
			cr_assert_lt(both.mean, 0.124);
			cr_assert_lt(both.variance, 0.124);
			if (sizes[i] == 300 && kind == 2)
				cr_assert(line.mean > 0.076 && both.mean >
				    0.07, "not wider than need be: %g %g",
				    line.mean, both.mean);
		}
}

/* Broken twin: the noise taken for half of what it is. */
Test(cover, intervals_of_too_little_noise_are_caught)
{
	int64_t x[300];

	for (size_t k = 0; k < 300; k++)
		x[k] = (int64_t)k % 101;
	cr_assert_gt(missed(x, 300, UNITY_LINE, 0.5).mean, 0.2);
	cr_assert_gt(missed(x, 300, UNITY_SQUARE, 0.5).mean, 0.2);
	cr_assert_gt(missed(x, 300, UNITY_SQUARE, 0.5).variance, 0.124);
}

/* Means lie on -1..1, so no difference is known to be within less than 2. */
Test(cover, a_difference_from_no_records_may_be_all_that_there_is)
{
	const struct cover_noise noise = { 1e-6, 0, 0.1, 1, 1 };
	const struct unity_moments none = { .n = 0 }, many = { .n = 1e9 };
	struct cover_side a = cover_side(&none, &noise, -1);
	struct cover_side b = cover_side(&many, &noise, 1);

	cr_expect_eq(cover_difference(&a, &b, 0.1), 2);
	cr_expect_eq(cover_difference(&b, &a, 0.1), 2);
	cr_expect_lt(cover_difference(&b, &b, 0.1), 1);
}
