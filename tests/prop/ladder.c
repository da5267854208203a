/*
 * ladder: tables from counts of intervals, against their definitions.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "dx/synth/ladder.h"

#define MOST 64

/* The isotonic regression is max over a <= i of min over b >= i of means. */
static double
by_definition(const double *p, size_t n, size_t i)
{
	double best = -HUGE_VAL;

	for (size_t a = 0; a <= i; a++) {
		double least = HUGE_VAL, sum = 0;

		for (size_t b = a; b < n; b++) {
			sum += p[b];
			if (b >= i)
				least = fmin(least, sum / (double)(b - a + 1));
		}
		best = fmax(best, least);
	}
	return best;
}

Test(ladder, rising_numbers_are_the_nearest_ones)
{
	double p[MOST], want[MOST];
	struct rng r;

	rng_seeded(&r, 1, "rise");
	for (int run = 0; run < 2000; run++) {
		size_t n = 1 + (size_t)rng_below(&r, MOST);

		for (size_t i = 0; i < n; i++)
			p[i] = (double)rng_below(&r, 50) - 10 +
			    (double)(run % 3) * (double)i;
		for (size_t i = 0; i < n; i++)
			want[i] = fmax(0, fmin(40, by_definition(p, n, i)));
		cr_assert(ladder_rise(p, n, 40));
		for (size_t i = 0; i < n; i++)
			cr_assert(fabs(p[i] - want[i]) < 1e-9, "%d: %zu", run,
			    i);
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
		cr_assert(ladder_release(&l, x, &r, y));
		for (size_t i = 0; i < n; i++) {
			cr_assert(y[i] >= 0);
			sum += y[i];
		}
		cr_assert(fabs(sum - total) < 1e-6 * (total + 1));
		cr_assert(ladder_release(&l, x, NULL, y));
		for (size_t i = 0; i < n; i++)
			cr_assert((int64_t)y[i] == x[i]);
		ladder_close(&l);
	}
}

/* Squares of prefixes: what the tree promises, on flat and on steep data. */
Test(ladder, prefixes_err_no_more_than_expected)
{
	struct ladder l = { .eps = { 1, 2 } };
	struct metric m = plain(MOST);
	double y[MOST], sum = 0;
	int64_t x[MOST];
	struct rng r;
	int runs = 400;

	rng_seeded(&r, 3, "error");
	cr_assert(ladder_open(&l, &m, TREE_PREFIXES));
	for (int run = 0; run < runs; run++) {
		double off = 0;

		for (size_t i = 0; i < MOST; i++)
			x[i] = run % 2 == 0 ? 50 : i % 9 == 0 ? 700 : 0;
		cr_assert(ladder_release(&l, x, &r, y));
		for (size_t i = 0; i < MOST; i++) {
			off += y[i] - (double)x[i];
			sum += off * off;
		}
	}
	sum = sqrt(sum / runs / MOST);
	cr_assert(sum < l.expected && sum > l.expected / 4, "%g of %g", sum,
	    l.expected);
	ladder_close(&l);
}

/* Where all is clear, nothing is left but least squares. */
Test(ladder, clear_counts_are_those_of_least_squares)
{
	double y[MOST], noisy[4 * MOST], prefix[MOST + 1], sum, total;
	struct rng r;

	rng_seeded(&r, 4, "clear");
	for (int run = 0; run < 100; run++) {
		size_t n = 3 + (size_t)rng_below(&r, MOST - 3), at = 0;
		struct ladder l = { .eps = { 1, 1 } };
		struct metric m = plain(n);
		double x[MOST];

		cr_assert(ladder_open(&l, &m, run % 2 == 0 ? TREE_RANGES :
		    TREE_PREFIXES));
		for (size_t i = 0; i < n; i++)
			x[i] = 1e6 + (double)rng_below(&r, 1000000000);
		total = 0;
		for (size_t i = 0; i < n; i++)
			total += x[i];
		for (size_t k = 0; k < l.tree.nodes; k++) {
			const struct tree_node *v = &l.tree.node[k];

			if (v->part == 0)
				continue;
			noisy[at] = (double)rng_below(&r, 200) - 100;
			for (size_t i = v->lo; i < v->hi; i++)
				noisy[at] += x[i];
			at++;
		}
		cr_assert(ladder_fit(&l, noisy, total, y));
		cr_assert(tree_fit(&l.tree, noisy, total, prefix));
		sum = 0;
		for (size_t i = 0; i < n; i++) {
			sum += y[i];
			cr_assert(fabs(sum - prefix[i + 1]) < 1, "%d: %g", run,
			    sum - prefix[i + 1]);
		}
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
	for (int run = 0; run < 200; run++) {
		cr_assert(ladder_release(&l, x, &r, y));
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

/* Equal counts, a slope, and counts that noise can not hide. */
Test(ladder, what_chance_may_say_is_not_believed)
{
	int64_t flat[MOST], slope[MOST], rough[MOST];
	struct rng r;

	rng_seeded(&r, 6, "rough");
	for (int i = 0; i < MOST; i++) {
		flat[i] = 20;
		slope[i] = 100 * i;
		rough[i] = (int64_t)rng_below(&r, 100000);
	}
	cr_assert(squares(flat, (struct rational){ 1, 100 }) < 0.02);
	cr_assert(squares(slope, (struct rational){ 1, 128 }) < 0.8);
	/* the price, where half of a slope is clear */
	cr_assert(squares(slope, (struct rational){ 1, 32 }) < 1.2);
	cr_assert(squares(rough, (struct rational){ 1, 4 }) < 1.2);
	cr_assert(squares(rough, (struct rational){ 1, 4 }) > 0.8);
}

/* --- ladder_fit, as the head of ladder_fit.c describes it ---------------- */

#define NODES 4096

struct known {
	double count, variance, fourth, slope;
};

static double
density(const struct tree_node *v, const struct known *a)
{
	return a->count / (double)(v->hi - v->lo);
}

/* Best estimate of a node from its own count and from its children's. */
static void
best(const struct ladder *l, size_t k, const double *own, struct known *a)
{
	const struct tree_node *v = &l->tree.node[k];
	double w = 1, sum = 0, variance = 0, fourth = 0, mine = 0;
	struct scale t = { 0, 1 };

	for (size_t i = v->child; i < v->child + v->children; i++) {
		best(l, i, own, a);
		sum += a[i].count;
		variance += a[i].variance;
		fourth += a[i].fourth;
	}
	if (v->part > 0) {
		cr_assert(ladder_scale(l, v, &t));
		mine = 2 * pow((double)t.s / (double)t.r, 2);
		/* weights are as the inverses of variances */
		w = v->children == 0 ? 1 : 1 / mine / (1 / mine + 1 /
		    variance);
	} else if (v->children > 0) {
		w = 0;
	}
	a[k].count = w * own[k] + (1 - w) * sum;
	a[k].variance = w * w * mine + (1 - w) * (1 - w) * variance;
	/* Laplace's fourth cumulant is 12 t^4, three times 2 t^2 squared */
	a[k].fourth = pow(w, 4) * 3 * mine * mine + pow(1 - w, 4) * fourth;
	a[k].slope = 0;
}

/* Nodes first..end-1 are a level; a line through neighbours, the flatter. */
static void
slopes(const struct tree *t, size_t first, size_t end, struct known *a)
{
	for (size_t k = first + 1; k + 1 < end; k++) {
		const struct tree_node *v = &t->node[k];
		double left = 2 * (density(v, &a[k]) - density(v - 1, &a[k -
		    1])) / (double)(v->hi - v[-1].lo);
		double right = 2 * (density(v + 1, &a[k + 1]) - density(v,
		    &a[k])) / (double)(v[1].hi - v->lo);

		if (left > 0 && right > 0)
			a[k].slope = fmin(left, right);
		if (left <= 0 && right <= 0)
			a[k].slope = fmax(left, right);
	}
}

static double
line_at(const struct tree *t, size_t k, size_t i, const struct known *a)
{
	const struct tree_node *v = &t->node[k], *c = &t->node[i];
	double middle = (double)(c->lo + c->hi) / 2 - (double)(v->lo +
	    v->hi) / 2;

	return (double)(c->hi - c->lo) * (density(v, &a[k]) + a[k].slope *
	    middle);
}

/* Not negative, of the sum `to', nearest in units of variance: by halving. */
static void
nearest(struct known *a, size_t n, double to)
{
	double lo = -1e15, hi = 1e15, at = 0, sum;

	for (int i = 0; i < 200; i++) {
		at = (lo + hi) / 2;
		sum = 0;
		for (size_t k = 0; k < n; k++)
			sum += fmax(0, a[k].count + at * a[k].variance);
		if (sum < to)
			lo = at;
		else
			hi = at;
	}
	for (size_t k = 0; k < n; k++)
		a[k].count = fmax(0, a[k].count + at * a[k].variance);
}

/* The children of nodes first..end-1 are believed, or not, together. */
static void
believe(const struct tree *t, size_t first, size_t end, struct known *a)
{
	const struct known *c = &a[t->node[first].child];
	double degrees = 0, noise = 0, drawn = 0, part = 0, more, all, m, nu;
	size_t i, last;

	for (size_t k = first; k < end; k++) {
		last = t->node[k].child + t->node[k].children;
		degrees += (double)t->node[k].children - 1;
		more = a[k].count;
		all = 0;
		for (i = t->node[k].child; i < last; i++) {
			more -= a[i].count;
			all += a[i].variance;
		}
		for (i = t->node[k].child; i < last; i++) {
			a[i].count += more * a[i].variance / all;
			m = line_at(t, k, i, a);
			noise += pow(a[i].count - m, 2) / a[i].variance;
			drawn += pow(a[i].count - m, 2) / (a[i].variance + m);
		}
	}
	nu = 2 * degrees / (2 + c->fourth / pow(c->variance, 2));
	if (degrees > 0 && drawn > degrees * pow(1 - 2 / (9 * nu) + 3.09 *
	    sqrt(2 / (9 * nu)), 3))
		part = 1 - fmax(0, degrees - 2) / noise;
	for (size_t k = first; k < end; k++) {
		last = t->node[k].child + t->node[k].children;
		for (i = t->node[k].child; i < last; i++) {
			m = line_at(t, k, i, a);
			a[i].count = m + (a[i].count - m) * fmax(part, m /
			    (m + a[i].variance));
		}
		nearest(&a[t->node[k].child], t->node[k].children,
		    a[k].count);
	}
}

static double
degrees_of(const struct tree *t, size_t first, size_t end)
{
	double sum = 0;

	for (; first < end; first++)
		sum += (double)t->node[first].children - 1;
	return sum;
}

static void
fit_by_definition(const struct ladder *l, const double *own, double total,
    double *y)
{
	static struct known a[NODES];
	const struct tree *t = &l->tree;
	size_t end, stop;

	best(l, 0, own, a);
	a[0].count = total;
	for (size_t k = 0; t->node[k].children > 0; k = end) {
		for (end = k; end < t->nodes && t->node[end].level ==
		    t->node[k].level;)
			end++;
		slopes(t, k, end, a);
		/* blocks of 60 degrees, with as many left for the next one */
		for (size_t from = k; from < end; from = stop) {
			for (stop = from + 1; stop < end &&
			    (degrees_of(t, from, stop) < 60 ||
			    degrees_of(t, stop, end) < 60);)
				stop++;
			believe(t, from, stop, a);
		}
	}
	for (size_t i = 0; i < t->n; i++)
		y[i] = a[t->nodes - t->n + i].count;
}

/* Flat, sloped, rough and sparse counts; some levels are not counted. */
Test(ladder, a_fit_is_what_its_description_says)
{
	static double own[NODES], noisy[NODES], y[NODES], want[NODES];
	static int64_t sum[NODES];
	struct rng r;

	rng_seeded(&r, 8, "fit");
	for (int run = 0; run < 400; run++) {
		size_t n = 2 + (size_t)rng_below(&r, run % 4 == 0 ? 1500 : 90);
		size_t branching = 2 + (size_t)rng_below(&r, run % 8 == 0 ?
		    60 : 8), at = 0, levels = tree_depth(n, branching);
		uint64_t part[TREE_LEVELS + 1] = { 0 };
		struct ladder l = { .eps = { 1 + (i128)rng_below(&r, 20),
		    1 + (i128)rng_below(&r, 20) } };
		struct scale t;

		for (size_t k = 1; k <= levels; k++)
			part[k] = rng_below(&r, 3);
		part[levels] = 1;
		cr_assert_eq(tree_make(&l.tree, n, branching, part,
		    (struct rational){ 1, 1 }), PLAN_OK);
		cr_assert(l.tree.nodes < NODES);
		for (size_t i = 0; i < n; i++)
			sum[i + 1] = sum[i] + (int64_t)(run % 5 == 0 ? 30 :
			    run % 5 == 1 ? 3 * i : run % 5 == 2 ?
			    rng_below(&r, 500) : run % 5 == 3 ?
			    5 * (rng_below(&r, 10) == 0) : i > n / 3 ? 90 : 2);
		for (size_t k = 0; k < l.tree.nodes; k++) {
			const struct tree_node *v = &l.tree.node[k];

			own[k] = 0;
			if (v->part == 0)
				continue;
			cr_assert(ladder_scale(&l, v, &t));
			own[k] = (double)(sum[v->hi] - sum[v->lo] +
			    noise_laplace(&r, &t));
			noisy[at++] = own[k];
		}
		cr_assert(ladder_fit(&l, noisy, (double)sum[n], y));
		fit_by_definition(&l, own, (double)sum[n], want);
		for (size_t i = 0; i < n; i++)
			cr_assert(fabs(y[i] - want[i]) < 1e-5 * (1 +
			    fabs(want[i])), "%d: %zu of %zu: %g for %g", run,
			    i, n, y[i], want[i]);
		tree_free(&l.tree);
	}
}
