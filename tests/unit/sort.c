/* sort: against a naive sort, on every shape that its shortcuts look for. */
#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

#include "number/sort.h"
#include "random/rng.h"

#define MOST 3000
#define SHAPES 12

struct pair {
	int64_t x;
	uint64_t w;
};

static int
by_value(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* By value; equal ones keep their places, which w tells. */
static int
by_pair(const void *a, const void *b)
{
	const struct pair *p = a, *q = b;

	if (p->x != q->x)
		return p->x > q->x ? 1 : -1;
	return (p->w > q->w) - (p->w < q->w);
}

/* One value of a column of the given shape. */
static int64_t
shaped(struct rng *r, int shape, size_t i)
{
	int64_t wide = (int64_t)(rng_below(r, UINT64_MAX));

	switch (shape) {
	case 0:
		return wide;
	case 1:
		return (int64_t)rng_below(r, 7) - 3;
	case 2:
		return (int64_t)rng_below(r, 100000) * 100;
	case 3:
		return rng_below(r, 50) == 0 ? INT64_MIN :
		    rng_below(r, 50) == 0 ? INT64_MAX : wide >> 40;
	case 4:
		return (int64_t)i;
	case 5:
		return -(int64_t)i;
	case 6:
		return 42;
	case 7:		/* one byte differs, in the middle */
		return (int64_t)(rng_below(r, 256) << 24) - 5;
	case 8:		/* cents on a fine grid, below 2^32 of them */
		return (int64_t)rng_below(r, 90000000) * 1000000 - 77;
	case 9:		/* but for one, late or early */
		return (int64_t)rng_below(r, 1u << 31) * 1000000 +
		    (rng_below(r, 900) == 0) * 1000;
	case 10:	/* a few more than 2^32 */
		return ((int64_t)1 << 32) * 10 * (int64_t)(i % 2) +
		    (int64_t)rng_below(r, 40) * 10;
	default:	/* sorted but for one */
		return i == 5 ? -1 : (int64_t)i;
	}
}

static size_t
column(struct rng *r, int round, int64_t *x)
{
	size_t n = rng_below(r, round % 3 == 0 ? 60 : MOST), i;

	for (i = 0; i < n; i++)
		x[i] = shaped(r, round % SHAPES, i);
	return n;
}

Test(sort, a_column_comes_out_in_order)
{
	static int64_t want[MOST];
	int64_t *x;
	struct rng r;
	size_t n;
	int round;

	rng_seeded(&r, 1, "sort");
	for (round = 0; round < 3000; round++) {
		n = column(&r, round, want);
		/* no room behind it: the sanitizers see a step too far */
		x = malloc((n + (n == 0)) * sizeof(*x));
		cr_assert_not_null(x);
		memcpy(x, want, n * sizeof(*x));
		qsort(want, n, sizeof(*want), by_value);
		sort_grid(x, n);
		cr_assert_eq(memcmp(x, want, n * sizeof(*x)), 0);
		free(x);
	}
}

/* Enough for parts, and for parts of parts where most values lie close. */
Test(sort, many_values_come_out_in_order)
{
	size_t n = 200000;
	int64_t *x = calloc(n, sizeof(*x)), *want = calloc(n, sizeof(*x));
	struct rng r;

	cr_assert(x != NULL && want != NULL);
	rng_seeded(&r, 3, "sort");
	for (int shape = 0; shape < SHAPES; shape++) {
		for (size_t i = 0; i < n; i++)
			x[i] = want[i] = shaped(&r, shape, i);
		qsort(want, n, sizeof(*want), by_value);
		sort_grid(x, n);
		cr_assert_eq(memcmp(x, want, n * sizeof(*x)), 0);
	}
	free(x);
	free(want);
}

Test(sort, weights_go_with_their_values_and_ties_keep_their_order)
{
	static int64_t x[MOST];
	static uint64_t w[MOST];
	static struct pair want[MOST];
	struct rng r;
	size_t n, i;
	int round;

	rng_seeded(&r, 2, "sort");
	for (round = 0; round < 1500; round++) {
		n = column(&r, round, x);
		for (i = 0; i < n; i++) {
			w[i] = i;
			want[i] = (struct pair){ x[i], i };
		}
		qsort(want, n, sizeof(*want), by_pair);
		sort_pairs(x, w, n);
		for (i = 0; i < n; i++)
			cr_assert(x[i] == want[i].x && w[i] == want[i].w);
	}
}

Test(sort, merging_adds_the_weights_of_equal_values)
{
	int64_t x[] = { -2, -2, 0, 5, 5, 5, 9 };
	uint64_t w[] = { 1, 2, 3, UINT64_MAX, 4, 5, 6 };
	static const int64_t x_want[] = { -2, 0, 5, 9 };
	static const uint64_t w_want[] = { 3, 3, UINT64_MAX, 6 };

	cr_expect_eq(sort_merge(x, w, 7), 4);
	cr_expect_arr_eq(x, x_want, sizeof(x_want));
	cr_expect_arr_eq(w, w_want, sizeof(w_want));
	cr_expect_eq(sort_merge(x, w, 0), 0);
	cr_expect_eq(sort_merge(x, w, 1), 1);
}

/* Columns that are 2^k steps wide, one less and one more, from any low end. */
Test(sort, widths_around_powers_of_two)
{
	static const int64_t low[] = { 0, -1, -2147483648, -4294967296,
	    INT64_MIN / 2, 12345678901 };
	static int64_t x[MOST], y[MOST];
	struct rng r;

	rng_seeded(&r, 32, "sort");
	for (int i = 0; i < 6 * 3 * 62; i++) {
		uint64_t width = ((uint64_t)1 << (1 + i / 18)) - 1 +
		    (uint64_t)(i / 6 % 3);

		for (size_t k = 0; k < MOST; k++)
			x[k] = low[i % 6] + (int64_t)(k < 2 ? k * width :
			    rng_below(&r, width));
		memcpy(y, x, sizeof(x));
		qsort(y, MOST, sizeof(*y), by_value);
		sort_grid(x, MOST);
		cr_assert_arr_eq(x, y, sizeof(x));
	}
}

/* Of equal values the first; beyond 64 bits none, or all. */
Test(sort, the_first_value_from_any_on_is_found)
{
	static const int64_t x[] = { INT64_MIN, -3, -3, 0, 5, 5, 5,
	    INT64_MAX };

	for (size_t n = 0; n <= 8; n++)
		for (i128 v = -5; v <= 7; v++) {
			size_t want = 0;

			while (want < n && x[want] < v)
				want++;
			cr_expect_eq(sort_find(x, n, v), want);
		}
	cr_expect_eq(sort_find(x, 8, (i128)INT64_MIN - 1), 0);
	cr_expect_eq(sort_find(x, 8, (i128)INT64_MAX + 1), 8);
}
