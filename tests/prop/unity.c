/*
 * unity: totals of columns and of pairs of columns against their definitions;
 * how often intervals miss, and what they were.
 */
#include "laplace/unity.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "laplace/answer/cover.h"
#include "random/noise.h"

#include "../house/step.h"
#include "golden.h"
#include "samples.h"

static i128
power(i128 x, int k)
{
	return k == 0 ? 1 : x * power(x, k - 1);
}

/* The functions of the partition, from their definition. */
static i128
function(int j, i128 i, i128 m)
{
	return (j == 1 ? 2 : 1) * power(i, j) * power(m - i, 2 - j);
}

static struct sums_column
column(int64_t lo, int64_t steps)
{
	return (struct sums_column){ lo, lo + steps, lo, 1 };
}

static void
values(const struct total *t, i128 *x)
{
	for (int j = 0; j < UNITY_PARTS; j++)
		x[j] = total_value(&t[j]);
}

/* For all cells of small ranges: non-negative, C in all, none other. */
Test(unity, functions_are_a_partition)
{
	for (int64_t m = 1; m < 30; m++)
		for (int64_t i = 0; i <= m; i++) {
			struct sums_column c = column(5, m);
			int64_t x = 5 + i;
			struct total total[UNITY_PARTS] = { { 0, 0 } };
			i128 t[UNITY_PARTS], sum = 0;

			unity_add(&c, &x, 1, 1, total);
			values(total, t);
			for (int j = 0; j < UNITY_PARTS; j++) {
				cr_assert(t[j] >= 0);
				cr_assert(t[j] == function(j, i, m));
				sum += t[j];
			}
			cr_assert((u128)sum == unity_sens(&c));
		}
}

struct cells {
	int64_t x, y;
	uint64_t w;
};

static void
add(struct total *t, const struct sums_column *a, const struct sums_column *b,
    const struct cells *r)
{
	uint64_t f[PAIR_FUNCTIONS], g[PAIR_FUNCTIONS];

	unity_pair_functions(a, r->x, f);
	unity_pair_functions(b, r->y, g);
	unity_pair_add(t, f, g, r->w);
}

/* Cells i and k of columns of m and l steps, eight times. */
static void
check_pair(int64_t m, int64_t l, int64_t i, int64_t k)
{
	struct sums_column a = column(-3, m), b = column(5, l);
	struct total t[PAIR_PARTS] = { { 0 } };
	i128 sum = 0;

	add(t, &a, &b, &(struct cells){ i - 3, k + 5, 7 });
	add(t, &a, &b, &(struct cells){ i - 3, k + 5, 1 });
	for (int j = 0; j < PAIR_PARTS; j++) {
		i128 x = total_value(&t[j]);

		cr_assert(x >= 0);
		cr_assert(x == 8 * function(j / 3, i, m) *
		    function(j % 3, k, l), "%d", j);
		sum += x;
	}
	cr_assert((u128)sum == 8 * unity_pair_sens(&a, &b));
}

Test(unity, pairs_of_columns_are_a_partition)
{
	for (int64_t m = 1; m < 10; m++)
		for (int64_t l = 1; l < 10; l++)
			for (int64_t i = 0; i <= m; i++)
				for (int64_t k = 0; k <= l; k++)
					check_pair(m, l, i, k);
}

/* Of no records or fewer the middle, and no variance. */
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
		of = unity_moments(part);
		z = unity_mean(&of, n);
		v = unity_variance(&of, n);
		cr_assert(z >= -1 && z <= 1);
		cr_assert(v >= 0 && v <= 1);
		cr_assert(n > 0 || (z == 0 && v == 0));
	}
}

/* Weights near the ends of 64 bits, for wide ranges: totals only saturate. */
Test(unity, totals_saturate_instead_of_wrapping)
{
	int64_t top = (int64_t)UNITY_STEPS;
	struct sums_column c = { 0, top, 0, 1 };
	i128 t[UNITY_PARTS], limit = (i128)1 << 126;
	struct total square[UNITY_PARTS] = { { 0, 0 } };

	for (int i = 0; i < 8; i++)
		unity_add(&c, &top, 1, UINT64_MAX, square);
	values(square, t);
	cr_assert(t[0] == 0 && t[1] == 0 && t[2] == limit);
}

/* Widest columns and weights: totals are exact, at last they saturate. */
Test(unity, totals_of_pairs_are_exact_when_large)
{
	struct sums_column a = column(0, (int64_t)PAIR_STEPS);
	struct total t[PAIR_PARTS] = { { 0 } };
	int64_t top = (int64_t)PAIR_STEPS;

	for (int k = 1; k <= 5; k++) {
		add(t, &a, &a, &(struct cells){ top, top, UINT64_MAX });
		cr_assert(total_value(&t[8]) == (k < 5 ? ((i128)k << 60) *
		    (i128)UINT64_MAX : (i128)1 << 126));
	}
	for (int j = 0; j < 8; j++)
		cr_assert(total_value(&t[j]) == 0);
}

/* Any order gives the same totals, bit for bit. */
Test(sums, row_order_does_not_matter)
{
	enum { n = 1000 };
	static const struct sums_column wide[2] = {
		{ -FIXED_MAX, FIXED_MAX, -FIXED_MAX, 1 },
		{ -FIXED_MAX, FIXED_MAX, 0, 1 }
	};
	uint64_t state = 7;
	static int64_t x[n][2];
	static uint64_t w[n];
	struct total one[2] = { { 0, 0 } }, other[2] = { { 0, 0 } };

	for (size_t i = 0; i < n; i++) {
		x[i][0] = (int64_t)random_word(&state);
		x[i][1] = (int64_t)random_word(&state);
		w[i] = random_word(&state) >> (i % 64);
	}
	for (size_t i = 0; i < n; i++)
		for (size_t a = 0; a < 2; a++) {
			size_t j = (i * 617 + 31) % n;

			total_add(&one[a], sums_offset(&wide[a], x[i][a]),
			    w[i]);
			total_add(&other[a], sums_offset(&wide[a], x[j][a]),
			    w[j]);
		}
	for (size_t a = 0; a < 2; a++)
		cr_assert(total_value(&one[a]) == total_value(&other[a]));
}

/* --- intervals ----------------------------------------------------------- */

/* The variance of column 0, from averages over so many pairs. */
static struct cover
one_variance(const struct unity_moments *m, size_t pairs,
    struct cover_noise noise)
{
	noise.times = 3 * pairs;
	noise.pairs = pairs;
	return cover_variance(m, &noise);
}

/* Misses of the intervals of mean and variance among releases. */
struct misses {
	double mean, variance;
};

static struct misses
missed(const int64_t *x, size_t n)
{
	enum { releases = 600 };
	struct sums_column c = { 0, 100, 0, 1 };
	u128 sens = unity_sens(&c);
	struct cover_noise noise = { 2, 1 / (double)sens, 0.1, 1, 1 };
	double sum = 0, square = 0;
	struct misses count = { 0, 0 };
	i128 t[UNITY_PARTS];
	long double part[UNITY_PARTS];
	struct scale scale;
	struct total total[UNITY_PARTS] = { { 0, 0 } };
	struct rng r;

	rng_seeded(&r, n, "cover");
	cr_assert(scale_make(&scale, sens, (struct rational){ 1, 2 }));
	unity_add(&c, x, n, 1, total);
	for (size_t i = 0; i < n; i++) {
		sum += (double)x[i] / 100;
		square += (double)x[i] / 100 * (double)x[i] / 100;
	}
	values(total, t);
	for (int k = 0; k < releases; k++) {
		struct unity_moments moments;
		struct cover m, v;

		for (int j = 0; j < UNITY_PARTS; j++)
			part[j] = (long double)(t[j] + noise_laplace(&r,
			    &scale)) / (long double)sens;
		moments = unity_moments(part);
		m = cover_mean(&moments, &noise);
		count.mean += sum / (double)n < m.lower - 1e-12 ||
		    sum / (double)n > m.upper + 1e-12;
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
	static const size_t sizes[] = { 1, 30, 300 };

	for (size_t i = 0; i < 3; i++)
		for (int kind = 0; kind < 4; kind += STEP) {
			int64_t x[300];
			struct misses both;

			for (size_t k = 0; k < sizes[i]; k++)
				x[k] = kind == 0 ? 50 : kind == 1 ? 0 :
				    kind == 2 ? (int64_t)k % 101 :
				    k % 10 == 0 ? 100 : 0;
			both = missed(x, sizes[i]);
			/* five sigma beyond 0.1 in 600 */
			cr_assert_lt(both.mean, 0.161);
			cr_assert_lt(both.variance, 0.161);
			if (sizes[i] == 300 && kind == 2)
				cr_assert(both.mean > 0.033, "not wider than "
				    "need be: %g", both.mean);
		}
}

#define ROWS 12

static const double want[ROWS] = {
	656.4575181, 657.0549738, 712.4196856, 647.0678539, 652.3405481,
	666.4173441, 702.7638058, 684.0866697, 673.3995432, 703.1983196,
	668.1212078, 694.1148376,
};

static double *
ends(double *to, struct cover z)
{
	*to++ = 1 + z.lower;
	*to++ = 1 + z.upper;
	return to;
}

/* Means near an end and in the middle; also more noise than records. */
Test(cover, intervals_are_what_they_were)
{
	double y[20 * 25];
	struct rng r;

	rng_seeded(&r, 9, "weights");
	for (size_t row = 0; row < ROWS; row++) {
		double *to = y;

		for (size_t run = 0; run < 20; run++) {
			double n = 10 + (double)rng_below(&r, 1000);
			double a = (double)rng_below(&r, 1999) / 1000 - 0.999;
			double v = (1 - a * a) * (double)rng_below(&r, 1000) /
			    1000;
			struct cover_noise noise = { 1 + (double)rng_below(&r,
			    20), 0.01, row % 2 ? 0.1 : 0.001, 1, 1 };
			struct unity_moments m = { .n = n, .first = { n * a,
			    n * v - n / 2 }, .second = { n * (3 * (v + a * a) -
			    1) / 2 }, .product = n * (a * a / 3) };

			struct cover_noise pair = noise;
			struct cover_side low, high;

			pair.times = 3;
			to = ends(to, one_variance(&m, 1 + run % 3, noise));
			to = ends(to, cover_covariance(&m, &pair));
			to = ends(to, cover_mean(&m, &noise));
			to = ends(to, cover_population(&m, &noise));
			low = cover_side(&m, &noise, -1);
			high = cover_side(&m, &noise, 1);
			*to++ = cover_difference(&low, &high, noise.alpha);
		}
		golden_is("cover", row, y, (size_t)(to - y), want[row]);
	}
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

/* A noisy mean beyond its range, where no mean of it is within reach. */
Test(cover, an_interval_without_a_number_is_all_that_there_is)
{
	const struct cover_noise noise = { 1e-3, 0, 0.1, 1, 1 };
	const struct unity_moments m = { .n = 9, .first = { 10, 9 },
	    .product = -1e3 }, wide = { .n = 9, .second = { 14 } };
	struct cover mean = cover_mean(&m, &noise);
	struct cover variance = cover_variance(&wide, &noise);
	struct cover product = cover_covariance(&m, &noise);

	cr_expect(mean.lower <= 0 && mean.upper >= 1);
	cr_expect(variance.lower <= 0 && variance.upper >= 1);
	cr_expect(product.lower <= -1 && product.upper >= 1);
}
