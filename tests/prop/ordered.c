/*
 * Medians, quantiles, means and variances against their definitions: all
 * subsets, all windows.  Every check is a count of failures, so that a broken
 * twin can be shown to fail it.
 */
#include "sp_world.h"

#define ALL ORDERED_MEAN, ORDERED_QUANTILE
#define VARIANCE SP_VARIANCE, SP_VARIANCE
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* [CD20 Definition 3.1] Also up to the ends of the grid, 2^62. */
Test(ordered, equals_the_definition_over_all_subsets)
{
	static const struct sp_tries some[] = {
		{ sp_by_subsets, ALL, 300, 8, 6 },
		{ sp_by_subsets, ALL, 100, 9, 20 },
		{ sp_by_subsets, ALL, 40, 10, 3 },
		{ sp_by_subsets, ALL, 250, 8, 62 },
		{ sp_by_subsets, ALL, 50, 9, 45 },
		{ sp_by_subsets, VARIANCE, 60, 8, 4 },
		{ sp_by_subsets, VARIANCE, 300, 6, 62 },
		{ sp_by_subsets, VARIANCE, 300, 6, 40 },
		{ sp_by_subsets, VARIANCE, 500, 6, 5 },
	};

	sp_agree(some, COUNT(some));
}

/*
 * [CD20 Lemma 5.2, Algorithm 2, Corollary 5.3] and, of the variance,
 * [CD20 Lemma 6.4, Algorithm 3, Lemma 6.8].
 */
Test(ordered, equals_the_table_of_all_windows)
{
	static const struct sp_tries some[] = {
		{ sp_by_windows, ALL, 60, 60, 10 },
		{ sp_by_windows, ALL, 10, 200, 30 },
		{ sp_by_windows, ALL, 10, 200, 5 },
		{ sp_by_windows, VARIANCE, 50, 25, 62 },
		{ sp_by_windows, VARIANCE, 4, 100, 8 },
		{ sp_by_windows, VARIANCE, 100, 25, 12 },
	};

	sp_agree(some, COUNT(some));
}

/* Twice the least variance of k values that follow each other, rounded down. */
static i128
least(const int64_t *x, size_t n, size_t k)
{
	i128 best = -1, p = 0, q = 0, v, size = (i128)k;

	for (size_t i = 0; i < n; i++) {
		p += x[i];
		q += (i128)x[i] * x[i];
		if (i >= k) {
			p -= x[i - k];
			q -= (i128)x[i - k] * x[i - k];
		}
		v = 2 * (size * q - p * p) / (size * size);
		if (i + 1 >= k && (best < 0 || v < best))
			best = v;
	}
	return best;
}

/* [CD20 Lemma 6.4] The best of all windows, in whole numbers below 2^100. */
static i128
best_window(const struct variance *f, const int64_t *x, size_t n)
{
	i128 best = (i128)n * f->sens, v;

	for (size_t k = 1; k <= n; k++) {
		v = (least(x, n, k) + 1) / 2 + (i128)(n - k) * f->sens;
		best = v < best ? v : best;
	}
	return best;
}

/* Groups of up to 9 values within 2^14, apart from each other. */
static void
draw_groups(struct rng *r, int64_t *x, size_t n)
{
	int64_t at = 0, spread = 1;

	for (size_t i = 0, left = 0; i < n; i++, left--) {
		if (left == 0) {
			left = 1 + rng_below(r, 9);
			at = between(r, 0, width(r, 20));
			spread = width(r, 14);
		}
		x[i] = at + between(r, 0, spread);
	}
	qsort(x, n, sizeof(*x), ascending);
}

/* S at which the best windows of two lengths are about as good. */
static int64_t
tie(struct rng *r, const int64_t *x, size_t n)
{
	size_t k = 1 + rng_below(r, n - 1), l = k + 1 + rng_below(r, n - k);
	i128 s = (least(x, n, l) - least(x, n, k)) / (i128)(2 * (l - k));

	s += between(r, -1, 1);
	return s < 1 ? 1 : (int64_t)s;
}

/*
 * The search begins at a good window and leaves out what a bound says is no
 * better: with groups of values many windows are good, and a bound that is
 * only a little too large leaves out the best.
 */
static int
overlooked(int tries, size_t most)
{
	struct variance f = { .unit = 1 };
	int64_t x[64];
	struct rng r;
	int bad = 0;
	size_t n;

	rng_seeded(&r, (uint64_t)tries, "overlooked");
	while (tries-- > 0) {
		n = 2 + rng_below(&r, most - 1);
		draw_groups(&r, x, n);
		f.sens = tries % 2 ? between(&r, 1, width(&r, 30)) :
		    tie(&r, x, n);
		bad += variance_sorted(&f, x, NULL, n) !=
		    best_window(&f, x, n);
	}
	return bad;
}

/* [CD20 Lemma 6.4] */
Test(variance, no_window_is_overlooked)
{
	cr_expect_eq(overlooked(40000, 12), 0);
	cr_expect_eq(overlooked(20000, 64), 0);
}

/* From end to end of all numbers a difference needs more than 63 bits. */
Test(variance, is_that_of_its_mirror_at_the_ends_of_all_numbers)
{
	const struct variance f = { .sens = FIXED_MAX, .unit = (u128)1 << 66 };
	const int64_t x[] = { -FIXED_MAX, -FIXED_MAX, -FIXED_MAX, 0,
	    FIXED_MAX }, y[] = { -FIXED_MAX, 0, FIXED_MAX, FIXED_MAX,
	    FIXED_MAX };
	int64_t v, w;

	v = variance_sorted(&f, x, NULL, 5);
	w = variance_sorted(&f, y, NULL, 5);
	/* 2^124 (4/5 - (2/5)^2) of 2^66 each */
	cr_expect_eq(v, FIXED_MAX / 16 * 16 / 25);
	cr_expect_eq(w, v);
}
