/*
 * ordered_select against the pass over sorted data, which ordered.c's tests
 * hold against the definition.  Every check is a count of failures, so that a
 * broken twin can be shown to fail it.
 */
#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

#include "random/rng.h"
#include "samples.h"
#include "sp/ordered_select.h"

#define MOST 3000

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
	size_t n = rng_below(r, kind->most + 1), i;

	for (i = 0; i < n; i++) {
		x[i] = around_zero(r, kind->range);
		if (kind->outliers && rng_below(r, (uint64_t)kind->outliers)
		    == 0)
			x[i] = around_zero(r, (uint64_t)FIXED_MAX);
	}
	return n;
}

/* The broken twin: a center one step off. */
static int64_t
other(const struct ordered *f, int64_t *x, size_t n, int bits)
{
	struct ordered g = *f;
	int64_t value;

	g.center++;
	cr_assert(ordered_select(&g, x, n, bits, &value));
	return value;
}

/* Databases on which the two differ. */
static int
failures(const struct kind *kind, int tries, bool broken)
{
	struct ordered f = { .kind = ORDERED_MEDIAN, .alpha = { 1, 2 } };
	static int64_t x[MOST], y[MOST];
	int bits, bad = 0, i;
	struct rng r;
	int64_t got;
	size_t n;

	rng_seeded(&r, 7, "ordered_select");
	for (i = 0; i < tries; i++) {
		n = make(&r, kind, x);
		f.center = around_zero(&r, kind->range + kind->range / 4 + 1);
		f.sens = 1 + (int64_t)rng_below(&r, kind->sens);
		bits = 1 + (int)rng_below(&r, 16);
		memcpy(y, x, sizeof(x));
		qsort(y, n, sizeof(*y), ascending);
		if (broken)
			got = other(&f, x, n, bits);
		else
			cr_assert(ordered_select(&f, x, n, bits, &got));
		bad += got != ordered_value(&f, y, n);
	}
	return bad;
}

static const struct kind ties = { 12, 6, 2, 0 };
static const struct kind few = { 12, 60, 12, 0 };
static const struct kind wide = { 40, (uint64_t)FIXED_MAX,
    (uint64_t)FIXED_MAX / 64, 0 };
static const struct kind many = { MOST, 100000, 60, 0 };
static const struct kind spread = { MOST, 1000, 3, 50 };

Test(ordered_select, equals_the_pass_over_sorted_data_with_many_ties)
{
	cr_expect_eq(failures(&ties, 40000, false), 0);
	cr_expect_gt(failures(&ties, 400, true), 0);
}

/* [CD20 Lemma 5.4, Lemma 5.5] */
Test(ordered_select, equals_the_pass_over_sorted_data)
{
	cr_expect_eq(failures(&few, 40000, false), 0);
	cr_expect_eq(failures(&wide, 20000, false), 0);
	cr_expect_gt(failures(&few, 400, true), 0);
}

Test(ordered_select, equals_the_pass_on_long_data_and_far_outliers)
{
	cr_expect_eq(failures(&many, 1500, false), 0);
	cr_expect_eq(failures(&spread, 1500, false), 0);
	cr_expect_gt(failures(&many, 400, true), 0);
}
