/*
 * column: what is gathered in any order, counted or kept, is what a plain sort
 * gives.
 */
#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

#include "input/column.h"
#include "number/lattice.h"
#include "number/sort.h"
#include "random/rng.h"

#define LINES 400000

/* Weights of one value that no 64 bits hold leave no room. */
Test(column, room_ends_with_the_weight)
{
	static const struct { uint64_t w; unsigned times; uint64_t room; }
	    some[] = {
		{ 1, 5, COLUMN_WEIGHT - 5 },
		{ COLUMN_WEIGHT - 1, 1, 1 },
		{ COLUMN_WEIGHT / 2, 2, 0 },
		{ UINT64_MAX / 3 + 2, 3, 0 },
	};

	for (size_t i = 0; i < 4; i++)
		for (int merged = 0; merged < 2; merged++) {
			struct column c = { 0 };

			for (unsigned j = 0; j < some[i].times; j++)
				column_add(&c, 7 + (merged ? 0 : j), some[i].w,
				    true);
			column_sort(&c);
			cr_expect_eq(column_room(&c), some[i].room);
			column_free(&c);
		}
}

Test(column, counted_weights_that_no_64_bits_hold_stop)
{
	struct column c = { 0 };

	for (size_t i = 0; i < LINES; i++)
		column_add(&c, (int64_t)(i % 2), i % 2 ? UINT64_MAX / 3 : 1,
		    true);
	cr_assert_not_null(c.count);
	column_sort(&c);
	cr_assert_eq(c.n, 2);
	cr_expect_eq(c.w[0], LINES / 2);
	cr_expect_eq(c.w[1], UINT64_MAX);
	column_free(&c);
}

/* 1000 numbers too far apart to count take no room for each of their rows. */
Test(column, rows_of_few_numbers_with_weights_are_merged_as_they_come)
{
	struct column c = { 0 };
	int64_t far = (int64_t)1 << 50;

	for (size_t i = 0; i < 8 * LINES; i++)
		column_add(&c, (int64_t)(i % 1000 * i % 1000) * far, 1 + i % 2,
		    true);
	cr_expect_lt(c.cap, 2 * LINES);
	column_sort(&c);
	cr_expect_leq(c.n, 1000);
	cr_expect_eq(column_room(&c), COLUMN_WEIGHT - 12 * LINES);
	column_free(&c);
}

/* What rows are: one of so many numbers lo + i step, and now and then not. */
struct numbers {
	int64_t lo;
	uint64_t step, places;
	size_t others;		/* every so manyth row is a number of its own */
	bool ascend;		/* rows have an order */
};

/* Such rows counted one by one and in bulk, or kept; lost: the twin. */
static bool
counted(struct rng *r, struct numbers of, size_t rows, size_t lost, bool bulk)
{
	int64_t *x = malloc(rows * sizeof(*x));
	struct column c = { 0 };
	size_t n = 0, i = 0;
	bool equal = true;

	cr_assert_not_null(x);
	for (size_t k = 0; k < rows; k++) {
		uint64_t at = of.ascend ? k * of.places / rows :
		    rng_below(r, of.places);

		x[k] = (int64_t)((uint64_t)of.lo + at * of.step);
		if (of.others > 0 && k % of.others == of.others - 1)
			x[k] = (int64_t)rng_below(r, INT64_MAX);
	}
	if (bulk)
		for (; n + 1000 <= rows; n += 1000)
			column_append(&c, x + n, 1000);
	for (; n < rows; n++)
		column_add(&c, x[n], 1, false);
	equal = (c.count != NULL) == (rows > 100000 && of.others != 2);
	column_sort(&c);
	sort_grid(x, rows);
	for (n = lost; equal && n < rows; i++)
		for (uint64_t w = c.w == NULL ? 1 : c.w[i]; equal && w > 0; w--)
			equal = i < c.n && n < rows && c.x[i] == x[n++];
	equal = equal && i == c.n;
	column_free(&c);
	free(x);
	return equal;
}

Test(column, counted_rows_are_those_that_are_kept)
{
	static const struct numbers some[] = {
		{ -7, 1, 17, 0, false },
		{ 5, 1, 1, 0, false },
		{ INT64_MAX - 3, 1, 4, 0, false },
		{ INT64_MIN + 1, 1, 70000, 0, false },
		{ INT64_MIN, (uint64_t)3 << 56, 85, 0, false },
		{ -1000, 1000, 1001, 0, false },
		{ -500, 96, 5000, 0, true },
		{ 0, 7, 100, 100000, false },
		{ 0, 7, 100, 2, false },
	};
	struct rng r;

	rng_seeded(&r, 44, "counts");
	for (size_t i = 0; i < sizeof(some) / sizeof(some[0]); i++)
		for (int bulk = 0; bulk < 2; bulk++) {
			cr_expect(counted(&r, some[i], 50000, 0, bulk));
			cr_expect(counted(&r, some[i], 600001, 0, bulk),
			    "%zu %d", i, bulk);
			cr_expect_not(counted(&r, some[i], 300001, 1, bulk),
			    "twin");
		}
}

/* Of all numbers: the common divisor of distances, from the least number on. */
static bool
is_lattice(const struct lattice *l, const int64_t *x, size_t n)
{
	int64_t lo = x[0], hi = x[0];
	uint64_t step = 0;

	for (size_t i = 0; i < n; i++) {
		lo = x[i] < lo ? x[i] : lo;
		hi = x[i] > hi ? x[i] : hi;
	}
	for (size_t i = 0; i < n; i++)
		step = (uint64_t)wide_gcd((u128)(x[i] - lo), step);
	step += step == 0;
	for (size_t i = 0; i < n; i++)
		if (lattice_number(l, lattice_place(l, x[i])) != x[i])
			return false;
	return l->lo == lo && l->step == step &&
	    l->places == (uint64_t)(hi - lo) / step + 1;
}

Test(column, a_lattice_is_that_of_all_numbers_however_they_come)
{
	int64_t x[12], far[1];
	struct rng r;

	rng_seeded(&r, 7, "lattice");
	for (int run = 0; run < 3000; run++) {
		struct lattice l = { .inverse = 1 }, before;
		uint64_t step = 1 + rng_below(&r, 1 + (uint64_t)run * 1000);
		size_t n = 1 + rng_below(&r, 12);

		for (size_t i = 0; i < n; i++)
			x[i] = ((int64_t)rng_below(&r, 61) - 30) *
			    (int64_t)step + (run % 5 - 2) * (int64_t)1e15;
		for (size_t i = 0, k; i < n; i += k) {
			k = 1 + rng_below(&r, n - i);
			cr_assert(lattice_widen(&l, x + i, k, 30));
			cr_assert(is_lattice(&l, x, i + k), "run %d", run);
		}
		if (l.places == 1)
			continue;
		before = l;
		far[0] = l.lo - (int64_t)(l.step << 30);
		cr_assert(!lattice_widen(&l, far, 1, 30));
		cr_assert_eq(memcmp(&l, &before, sizeof(l)), 0);
		far[0] = l.lo + (int64_t)(l.step * ((1 << 30) - 1));
		cr_assert(lattice_widen(&l, far, 1, 30));
		cr_assert_eq(l.places, (size_t)1 << 30);
	}
}
