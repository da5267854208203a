/*
 * ladder: tables from counts of intervals: sums, signs, errors.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dx/synth/ladder.h"

#define MOST 64

/* Numbers within the limits: their sum stays, and those that rise do. */
Test(ladder, rising_numbers_keep_their_sum)
{
	double p[MOST], again[MOST];
	struct rng r;

	rng_seeded(&r, 1, "rise");
	for (int run = 0; run < 2000; run++) {
		size_t n = 1 + (size_t)rng_below(&r, MOST);
		double sum = 0;

		for (size_t i = 0; i < n; i++)
			sum += p[i] = (double)rng_below(&r, 30) +
			    (double)(run % 3) * (double)i;
		ladder_rise(p, n, 1000);
		memcpy(again, p, sizeof(p));
		ladder_rise(again, n, 1000);
		for (size_t i = 0; i < n; i++) {
			cr_assert(i == 0 || p[i - 1] <= p[i], "%zu: %g, %g", i,
			    p[i - 1], p[i]);
			cr_assert_float_eq(again[i], p[i], 1e-9);
			sum -= p[i];
		}
		cr_assert_float_eq(sum, 0, 1e-9 * (double)n, "%g", sum);
		ladder_rise(p, n, 9);
		cr_assert(p[0] >= 0 && p[n - 1] <= 9, "%g to %g", p[0],
		    p[n - 1]);
	}
}

/* Neighbours swap one record, whatever the elements. */
static struct metric
plain(size_t n)
{
	return (struct metric){ .kind = METRIC_SUM, .bend = METRIC_SMOOTH,
	    .n = n, .bound = 1, .unit = { 1, 1 } };
}

Test(ladder, a_table_has_n_records_and_no_negative_count)
{
	int64_t x[MOST];
	double y[MOST];
	struct rng r;

	rng_seeded(&r, 2, "table");
	for (int run = 0; run < 400; run++) {
		size_t n = 2 + (size_t)rng_below(&r, MOST - 2);
		struct ladder l = { .eps = { 1, 1 + (int64_t)rng_below(&r,
		    100) } };
		struct metric m = plain(n);
		double sum = 0, total = 0;

		cr_assert(ladder_open(&l, &m, run % 2 == 0 ? TREE_RANGES :
		    TREE_PREFIXES));
		for (size_t i = 0; i < n; i++)
			total += (double)(x[i] = (int64_t)rng_below(&r, 200));
		l.total = total;
		ladder_release(&l, x, &r, y);
		for (size_t i = 0; i < n; i++) {
			cr_assert(y[i] >= 0);
			sum += y[i];
		}
		cr_assert(fabs(sum - total) < 1e-6 * (total + 1));
		ladder_release(&l, x, NULL, y);
		for (size_t i = 0; i < n; i++)
			cr_assert((int64_t)y[i] == x[i]);
		ladder_close(&l);
	}
}

/* Squares of prefixes over 200 tables, as a part of what the tree promises. */
static double
squares(const int64_t *x, struct rational eps)
{
	struct ladder l = { .eps = eps };
	struct metric m = plain(MOST);
	double y[MOST], sum = 0, off;
	struct rng r;

	rng_seeded(&r, 5, "squares");
	cr_assert(ladder_open(&l, &m, TREE_PREFIXES));
	for (size_t i = 0; i < MOST; i++)
		l.total += (double)x[i];
	for (int run = 0; run < 200; run++) {
		ladder_release(&l, x, &r, y);
		off = 0;
		for (size_t i = 0; i < MOST; i++) {
			off += y[i] - (double)x[i];
			sum += off * off;
		}
	}
	sum /= 200 * MOST * l.expected * l.expected;
	ladder_close(&l);
	return sum;
}

/* Equal counts, a slope, peaks, and counts that noise can not hide. */
Test(ladder, what_chance_may_say_is_not_believed)
{
	int64_t flat[MOST], slope[MOST], steep[MOST], rough[MOST];
	struct rng r;

	rng_seeded(&r, 6, "rough");
	for (int i = 0; i < MOST; i++) {
		flat[i] = 20;
		slope[i] = 100 * i;
		steep[i] = i % 9 == 0 ? 700 : 0;
		rough[i] = (int64_t)rng_below(&r, 100000);
	}
	cr_assert(squares(flat, (struct rational){ 1, 100 }) < 0.02);
	cr_assert(squares(slope, (struct rational){ 1, 128 }) < 0.8);
	cr_assert(squares(steep, (struct rational){ 1, 2 }) < 1);
	cr_assert(squares(steep, (struct rational){ 1, 2 }) > 0.1);
	/* the price, where half of a slope is clear */
	cr_assert(squares(slope, (struct rational){ 1, 32 }) < 1.2);
	cr_assert(squares(rough, (struct rational){ 1, 4 }) < 1.2);
	cr_assert(squares(rough, (struct rational){ 1, 4 }) > 0.8);
}
