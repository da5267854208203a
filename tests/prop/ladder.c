/*
 * ladder: tables from counts of intervals: sums, signs, errors; and what they
 * were, for flat, sloped, rough and sparse counts, some levels not counted.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dx/synth/ladder.h"
#include "golden.h"

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
		tree_free(&l.tree);
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
	tree_free(&l.tree);
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

#define NODES 4096
#define ROWS 40

static const double want[ROWS] = {
	423.8527422, 398.4303014, 400.9850244, 421.655684, 418.3953621,
	422.5480265, 398.5691858, 432.4680655, 398.3618884, 399.3341823,
	418.507746, 397.1473792, 405.3852061, 420.7320652, 407.548241,
	405.770099, 390.3818359, 404.1163557, 402.2768368, 392.7838583,
	400.2752236, 425.5837364, 411.0856836, 398.967329, 412.0543758,
	419.4768391, 412.1965566, 424.7145462, 404.998416, 380.5766908,
	409.8340871, 396.8352604, 411.5474186, 407.9780613, 390.2206999,
	405.2718962, 422.6509777, 425.1415016, 401.0260113, 427.0682607,
};

static int64_t
shape(size_t kind, size_t i, size_t n, struct rng *r)
{
	switch (kind) {
	case 0: return 30;
	case 1: return 3 * (int64_t)i;
	case 2: return (int64_t)rng_below(r, 500);
	case 3: return 5 * (rng_below(r, 10) == 0);
	case 4: return (int64_t)rng_below(r, 7);
	default: return i > n / 3 ? 90 : 2;
	}
}

static void
tree_of(struct ladder *l, size_t run, struct rng *r)
{
	size_t n = 2 + (size_t)rng_below(r, run % 4 == 0 ? 700 : run % 4 ==
	    1 ? 7 : 90);
	size_t branching = 2 + (size_t)rng_below(r, run % 8 == 0 ? 60 : 8);
	size_t levels = tree_depth(n, branching);
	uint64_t part[TREE_LEVELS + 1] = { 0 };

	for (size_t k = 1; k <= levels; k++)
		part[k] = rng_below(r, 3);
	/* the last may be left out, where another is counted */
	part[1] += levels == 1 || run % 3 == 0;
	part[levels] = levels == 1 || run % 3 > 0;
	l->tree = (struct tree){ .n = n, .branching = branching };
	cr_assert_eq(tree_make(&l->tree, part, (struct rational){ 1, 1 }),
	    PLAN_OK);
	cr_assert(l->tree.nodes < NODES);
}

Test(ladder_fit, a_fit_is_what_it_was)
{
	static double own[NODES], y[NODES], row[50];
	static int64_t sum[NODES];
	struct scale t;
	struct rng r;

	rng_seeded(&r, 8, "fit");
	for (size_t run = 0; run < 50 * ROWS; run++) {
		struct ladder l = { .eps = { 1 + (i128)rng_below(&r, 20),
		    1 + (i128)rng_below(&r, 20) } };
		size_t n;

		tree_of(&l, run, &r);
		n = l.tree.n;
		for (size_t i = 0; i < n; i++)
			sum[i + 1] = sum[i] + shape(run % 6, i, n, &r);
		for (size_t k = 0; k < l.tree.nodes; k++) {
			const struct tree_node *v = &l.tree.node[k];

			own[k] = 0;
			if (v->part == 0)
				continue;
			cr_assert(ladder_scale(&l, v, &t));
			own[k] = (double)(sum[v->hi] - sum[v->lo] +
			    noise_laplace(&r, &t));
		}
		l.total = (double)sum[n];
		ladder_fit(&l, own, y);
		row[run % 50] = golden_sum(y, n) / (1 + l.total);
		tree_free(&l.tree);
		if (run % 50 == 49)
			golden_is("ladder_fit", run / 50, row, 50, want[run /
			    50]);
	}
}
