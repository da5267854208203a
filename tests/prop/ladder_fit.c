/*
 * ladder_fit: tables from counts of intervals, against the description at the
 * heads of ladder_fit.c and evidence.c.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "dx/synth/ladder.h"

#define NODES 4096

struct known {
	double count, variance, fourth, slope;
	bool clear;
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
	} else {
		mine = HUGE_VAL;
	}
	/* what is not known below has no weight */
	if (variance == HUGE_VAL && v->part > 0)
		w = 1;
	a[k].count = w * own[k] + (1 - w) * sum;
	a[k].variance = (w > 0 ? w * w * mine : 0) + (w < 1 ? (1 - w) *
	    (1 - w) * variance : 0);
	/* Laplace's fourth cumulant is 12 t^4, three times 2 t^2 squared */
	a[k].fourth = (w > 0 ? pow(w, 4) * 3 * mine * mine : 0) +
	    (w < 1 ? pow(1 - w, 4) * fourth : 0);
	a[k].slope = 0;
	a[k].clear = false;
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

/* Deviations that a distance must have, by what noise costs if believed. */
static double
threshold(double variance, double mean)
{
	return sqrt(2 * log(sqrt(1 + variance / fmax(mean, 1)) / 0.015));
}

/* Are so many squares, of this excess, beyond z deviations [WH 1931]? */
static bool
beyond(double squares, double degrees, double excess, double z)
{
	double nu = 2 * degrees / (2 + excess);

	return degrees > 0 && squares > degrees * pow(1 - 2 / (9 * nu) + z *
	    sqrt(2 / (9 * nu)), 3);
}

static double
stein(double squares, double degrees)
{
	return squares > 0 ? fmax(0, 1 - fmax(0, degrees - 2) / squares) : 0;
}

/* Children of nodes first..end-1, brought to the counts of these. */
struct squares {
	double degrees, noise, drawn;
};

static struct squares
bring(const struct tree *t, size_t first, size_t end, struct known *a)
{
	struct squares s = { 0 };
	double more, all, m;

	for (size_t k = first; k < end; k++) {
		size_t from = t->node[k].child;
		size_t last = from + t->node[k].children;

		s.degrees += (double)t->node[k].children - 1;
		more = a[k].count;
		all = 0;
		for (size_t i = from; i < last; i++) {
			more -= a[i].count;
			all += a[i].variance;
		}
		for (size_t i = from; i < last; i++) {
			a[i].count += more * a[i].variance / all;
			m = line_at(t, k, i, a);
			s.noise += pow(a[i].count - m, 2) / a[i].variance;
			s.drawn += pow(a[i].count - m, 2) / (a[i].variance + m);
		}
	}
	return s;
}

/* They are believed, or not, together. */
static void
believe(const struct tree *t, size_t first, size_t end, struct known *a)
{
	struct known *c = &a[t->node[first].child];
	double v = c->variance, excess = c->fourth / (v * v), part, z, sum = 0;
	struct squares s = bring(t, first, end, a);
	double known = 0, children = 0, m;

	for (size_t k = first; k < end; k++) {
		sum += a[k].count;
		known += a[k].clear;
		children += (double)t->node[k].children;
	}
	z = threshold(v, sum / children);
	part = beyond(s.drawn, s.degrees, excess, z * (1 - known /
	    (double)(end - first))) ? stein(s.noise, s.degrees) : 0;
	for (size_t i = 0; i < (size_t)children; i++)
		c[i].clear = beyond(s.drawn, s.degrees, excess, z);
	for (size_t k = first; k < end; k++) {
		size_t from = t->node[k].child;

		for (size_t i = from; i < from + t->node[k].children; i++) {
			m = line_at(t, k, i, a);
			a[i].count = m + (a[i].count - m) * fmax(part, m /
			    (m + a[i].variance));
		}
		nearest(&a[from], t->node[k].children, a[k].count);
	}
}

/* Nothing is known of the children of nodes first..end-1: as expected. */
static void
expect(const struct tree *t, size_t first, size_t end, struct known *a)
{
	for (size_t k = first; k < end; k++) {
		size_t from = t->node[k].child, n = t->node[k].children;

		for (size_t i = from; i < from + n; i++) {
			a[i].count = fmax(0, line_at(t, k, i, a));
			a[i].variance = a[i].count > 0;
		}
		nearest(&a[from], n, a[k].count);
	}
}

/* Do the root's children lean to one end, beyond z deviations? */
static bool
leans(const struct tree *t, const struct known *a)
{
	const struct tree_node *v = &t->node[0];
	double mean = a[0].count / (double)v->children, sum = 0, all = 0, x;
	double variance = a[v->child].variance;

	for (size_t i = v->child; i < v->child + v->children; i++) {
		x = ((double)t->node[i].lo + (double)t->node[i].hi) / 2 -
		    (double)t->n / 2;
		sum += x * (a[i].count - line_at(t, 0, i, a));
		all += x * x;
	}
	return fabs(sum) > threshold(variance, mean) * sqrt(all * (variance +
	    mean));
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
	if (t->node[0].children > 0) {
		a[0].clear = leans(t, a);
		believe(t, 0, 1, a);
	}
	for (size_t k = 1; k < t->nodes && t->node[k].children > 0; k = end) {
		for (end = k; end < t->nodes && t->node[end].level ==
		    t->node[k].level;)
			end++;
		slopes(t, k, end, a);
		if (a[t->node[k].child].variance == HUGE_VAL) {
			expect(t, k, end, a);
			continue;
		}
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

/*
 * Flat, sloped, rough and sparse counts, at last of few cells; some levels are
 * not counted.
 */
Test(ladder_fit, a_fit_is_what_its_description_says)
{
	static double own[NODES], y[NODES], want[NODES];
	static int64_t sum[NODES];
	struct rng r;

	rng_seeded(&r, 8, "fit");
	for (int run = 0; run < 12000; run++) {
		size_t n = 2 + (size_t)rng_below(&r, run > 400 ? 7 :
		    run % 4 == 0 ? 1500 : 90);
		size_t branching = 2 + (size_t)rng_below(&r, run % 8 == 0 ?
		    60 : 8), levels = tree_depth(n, branching);
		uint64_t part[TREE_LEVELS + 1] = { 0 };
		struct ladder l = { .eps = { 1 + (i128)rng_below(&r, 20),
		    1 + (i128)rng_below(&r, 20) } };
		struct scale t;

		for (size_t k = 1; k <= levels; k++)
			part[k] = rng_below(&r, 3);
		/* the last may be left out, where another is counted */
		part[1] += levels == 1 || run % 3 == 0;
		part[levels] = levels == 1 || run % 3 > 0;
		cr_assert_eq(tree_make(&l.tree, false, n, branching, part,
		    (struct rational){ 1, 1 }), PLAN_OK);
		cr_assert(l.tree.nodes < NODES);
		for (size_t i = 0; i < n; i++)
			sum[i + 1] = sum[i] + (int64_t)(run > 2000 ?
			    rng_below(&r, 7) : run % 5 == 0 ? 30 :
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
		}
		l.total = (double)sum[n];
		ladder_fit(&l, own, y);
		fit_by_definition(&l, own, (double)sum[n], want);
		for (size_t i = 0; i < n; i++)
			cr_assert(fabs(y[i] - want[i]) < 1e-5 * (1 +
			    fabs(want[i])), "%d: %zu of %zu: %g for %g", run,
			    i, n, y[i], want[i]);
		tree_free(&l.tree);
	}
}
