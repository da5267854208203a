/*
 * The paper's accuracy promises for the preprocessed median, mean and
 * variance, on random data.  A released value is within half a step of g, so
 * every bound is given half a step more.  Each twin is the same check of a
 * stronger promise, which the data must break.
 */
#include <criterion/criterion.h>

#include <math.h>
#include <stdlib.h>

#include "random/rng.h"
#include "samples.h"
#include "sp/ordered.h"
#include "sp/variance.h"

#define HALF (0.5 + 1e-6)	/* half a step, and doubles */
#define MOST 60

static double
variance(const int64_t *x, size_t n)
{
	double mu = mean(x, n), sum = 0;
	size_t i;

	for (i = 0; i < n; i++)
		sum += ((double)x[i] - mu) * ((double)x[i] - mu);
	return sum / (double)n;
}

static struct ordered
function(enum ordered_kind kind, int64_t center, int64_t sens)
{
	return (struct ordered){ kind, { 0, 1 }, center, sens };
}

/*
 * Of odd n: gaps of at most `gap' S among the values up to n/4 + 1 from the
 * median give A^(k) <= gap (k + 1) S for k <= n/4; med within n S / 2 of
 * center.  Counts databases with g != med, or (Lemma 5.7) with a g of the
 * first k that is below med - (n - k) S, where med is not below center.
 */
static int
median_failures(int tries, int64_t gap)
{
	int64_t x[MOST], s, c;
	struct ordered f;
	struct rng r;
	size_t n, i, mid, reach;
	int bad = 0;

	rng_seeded(&r, (uint64_t)gap, "promises median");
	while (tries-- > 0) {
		n = 3 + 2 * rng_below(&r, 25);
		mid = n / 2;
		reach = n / 4 + 1;
		s = between(&r, 1, 50);
		x[0] = between(&r, -1000, 1000);
		for (i = 1; i < n; i++)
			x[i] = x[i - 1] + (i + reach > mid && i <= mid + reach ?
			    between(&r, 0, gap * s) :
			    between(&r, 0, 1000 * s));
		c = x[mid] + between(&r, -(int64_t)n * s / 2,
		    (int64_t)n * s / 2);
		f = function(ORDERED_MEDIAN, c, s);
		bad += ordered_value(&f, x, NULL, n) != x[mid];
		for (i = mid + 1; i <= n && c <= x[mid]; i++)
			bad += ordered_value(&f, x, NULL, i) < x[mid] -
			    (int64_t)(n - i) * s;
	}
	return bad;
}

/* [CD20 Theorem 1.6, Lemma 5.6, Lemma 5.7] */
Test(ordered, median_is_exact_where_the_middle_half_is_dense)
{
	cr_expect_eq(median_failures(3000, 2), 0);
	cr_expect_gt(median_failures(3000, 3), 0, "twin");
}

/* |g - mean| against the promise with `factor' for 27. */
static int
mean_failures(int tries, double factor)
{
	int64_t x[MOST], w;
	struct ordered f;
	struct rng r;
	double mu, bound, s;
	size_t n, i;
	int bad = 0;

	rng_seeded(&r, 1, "promises mean");
	while (tries-- > 0) {
		n = 1 + rng_below(&r, MOST);
		w = (int64_t)1 << rng_below(&r, 20);
		draw_skewed(&r, x, n, w);
		f = function(ORDERED_MEAN, between(&r, -2 * w, 2 * w),
		    between(&r, 1, 1 + 8 * w / (int64_t)n));
		mu = mean(x, n);
		s = (double)f.sens;
		bound = fmax(fabs(mu - (double)f.center) -
		    (double)n * s / 3, 0);
		for (i = 0; i < n; i++)
			bound += fmax(factor * fabs((double)x[i] - mu) /
			    (double)n - s, 0);
		bad += fabs((double)ordered_value(&f, x, NULL, n) - mu) >
		    bound + HALF;
	}
	return bad;
}

/* [CD20 Theorem 1.7] */
Test(ordered, mean_errs_by_no_more_than_promised)
{
	cr_expect_eq(mean_failures(5000, 27), 0);
	cr_expect_gt(mean_failures(5000, 1), 0, "twin");
}

/* x in [center + a S, center + (a + stretch n) S], -n <= a <= 0. */
static int
range_failures(int tries, int64_t stretch)
{
	int64_t x[MOST], s, a, c, span;
	struct ordered f;
	struct rng r;
	size_t n, i;
	int bad = 0;

	rng_seeded(&r, 2, "promises range");
	while (tries-- > 0) {
		n = 1 + rng_below(&r, MOST);
		s = between(&r, 1, 1000);
		c = between(&r, -100000, 100000);
		a = c - between(&r, 0, (int64_t)n * s);
		span = (int64_t)n * s * stretch;
		for (i = 0; i < n; i++)
			x[i] = a + (rng_below(&r, 3) ?
			    (int64_t)rng_below(&r, 2) * span :
			    between(&r, 0, span));
		qsort(x, n, sizeof(*x), ascending);
		f = function(ORDERED_MEAN, c, s);
		bad += fabs((double)ordered_value(&f, x, NULL, n) -
		    mean(x, n)) > HALF;
	}
	return bad;
}

/* [CD20 Theorem 1.7, Lemma 5.13] */
Test(ordered, mean_is_exact_where_the_data_span_n_sensitivities)
{
	cr_expect_eq(range_failures(5000, 1), 0);
	cr_expect_gt(range_failures(5000, 2), 0, "twin");
}

/* `factor' stands for the 4. */
static int
variance_failures(int tries, double factor)
{
	int64_t x[MOST], w;
	struct variance f;
	struct rng r;
	double var, bound, sum, d;
	size_t n, i, j;
	int bad = 0;

	rng_seeded(&r, 3, "promises variance");
	while (tries-- > 0) {
		n = 1 + rng_below(&r, MOST);
		w = (int64_t)1 << rng_below(&r, 12);
		draw_skewed(&r, x, n, w);
		f.unit = 1;
		f.sens = between(&r, 1, 1 + 4 * w * w / (int64_t)n);
		var = variance(x, n);
		bound = fmax(var - (double)n * (double)f.sens / 2, 0);
		for (i = 0; i < n; i++) {
			for (sum = 0, j = 0; j < n; j++) {
				d = (double)x[i] - (double)x[j];
				sum += d * d;
			}
			bound += fmax(factor * sum / (double)(n * n) -
			    (double)f.sens, 0);
		}
		bad += fabs((double)variance_sorted(&f, x, NULL, n) - var) >
		    bound + HALF;
	}
	return bad;
}

/* [CD20 Theorem 1.8] */
Test(variance, variance_errs_by_no_more_than_promised)
{
	cr_expect_eq(variance_failures(5000, 4), 0);
	cr_expect_gt(variance_failures(5000, 0.5), 0, "twin");
}
