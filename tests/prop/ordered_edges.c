/*
 * ordered_edges against the walk over sorted data, which ordered.c's tests
 * hold against the definition.  Every check is a count of failures, so that a
 * broken twin can be shown to fail it.
 */
#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

#include "random/rng.h"
#include "../house/step.h"
#include "samples.h"
#include "sp/ordered_unsorted.h"

#define MOST 3000
#define FEW 40

/* What kind of data, and how f is chosen. */
struct kind {
	size_t most;		/* values at most */
	uint64_t range;		/* of the values */
	uint64_t sens;		/* S at most */
	int outliers;		/* one value in so many lies far out; 0: none */
};

static int64_t
around_zero(struct rng *r, uint64_t range)
{
	return (int64_t)rng_below(r, range) - (int64_t)(range / 2);
}

static size_t
make(struct rng *r, const struct kind *kind, int64_t *x)
{
	size_t n = 1 + rng_below(r, kind->most), i;

	for (i = 0; i < n; i++) {
		x[i] = around_zero(r, kind->range);
		if (kind->outliers && rng_below(r, (uint64_t)kind->outliers)
		    == 0)
			x[i] = around_zero(r, (uint64_t)FIXED_MAX);
	}
	return n;
}

/* The median, or a quantile of public rank. */
static struct ordered
function(struct rng *r, const struct kind *kind, bool median)
{
	static const struct rational some[] = {
		{ 0, 1 }, { 1, 100 }, { 1, 3 }, { 1, 2 }, { 9, 10 }, { 1, 1 }
	};

	return (struct ordered){ .kind = median ? ORDERED_MEDIAN :
	    ORDERED_QUANTILE, .alpha = some[median ? 3 : rng_below(r, 6)],
	    .center = around_zero(r, kind->range + kind->range / 4 + 1),
	    .sens = 1 + (int64_t)rng_below(r, kind->sens) };
}

/*
 * Databases on which the two differ.  The broken twin has a center that is one
 * step off.  Short data are always known without sorting, long data often.
 */
static int
failures(const struct kind *kind, bool median, int tries, bool broken)
{
	int64_t *x = malloc(MOST * sizeof(*x)), y[MOST];
	int bits, bad = 0, known = 0;
	struct ordered f, g;
	struct values v;
	struct totals all;
	struct rng r;
	int64_t got;
	size_t n;

	cr_assert_not_null(x);
	rng_seeded(&r, 7, "ordered_edges");
	for (int i = 0; i < tries; i++) {
		n = make(&r, kind, x);
		g = f = function(&r, kind, median);
		g.center += broken;
		bits = 1 + (int)rng_below(&r, 16);
		memcpy(y, x, n * sizeof(*y));
		qsort(y, n, sizeof(*y), ascending);
		/* the values end where memory does */
		memmove(x + MOST - n, x, n * sizeof(*x));
		v = (struct values){ x + MOST - n, NULL, n, 1 };
		all = values_totals(&v);
		if (!ordered_edges(&g, &v, &all, bits, &got))
			continue;
		known++;
		bad += got != ordered_value(&f, y, NULL, n);
	}
	cr_assert_geq(known, kind->most > FEW ? tries * 3 / 4 : tries,
	    "%d of %d", known, tries);
	free(x);
	return bad;
}

static const struct kind ties = { 12, 6, 2, 0 };
static const struct kind few = { 12, 60, 12, 0 };
static const struct kind wide = { 40, (uint64_t)FIXED_MAX,
    (uint64_t)FIXED_MAX / 64, 0 };
static const struct kind many = { MOST, 100000, 60, 0 };
static const struct kind spread = { MOST, 1000, 3, 50 };

Test(ordered_edges, equals_the_walk_over_sorted_data_with_many_ties)
{
	cr_expect_eq(failures(&ties, true, 40000 / STEP, false), 0);
	cr_expect_gt(failures(&ties, true, 400, true), 0);
}

/* [CD20 Lemma 5.4, Lemma 5.5] */
Test(ordered_edges, equals_the_walk_over_sorted_data)
{
	cr_expect_eq(failures(&few, true, 40000 / STEP, false), 0);
	cr_expect_eq(failures(&wide, true, 20000 / STEP, false), 0);
	cr_expect_eq(failures(&few, false, 40000 / STEP, false), 0);
	cr_expect_gt(failures(&few, true, 400, true), 0);
	cr_expect_gt(failures(&few, false, 400, true), 0);
}

Test(ordered_edges, equals_the_walk_on_long_data_and_far_outliers)
{
	cr_expect_eq(failures(&many, true, 1500 / STEP, false), 0);
	cr_expect_eq(failures(&spread, true, 1500 / STEP, false), 0);
	cr_expect_eq(failures(&many, false, 1500 / STEP, false), 0);
	cr_expect_gt(failures(&many, true, 400, true), 0);
}
