/*
 * ladder_fit: a table from noisy counts of a tree's intervals.
 *
 * Looks at the noisy counts and public numbers alone: post-processing.
 *
 * The root has the total, or the precision-weighted mean of the released total
 * and the subtree's sum.
 *
 * Least squares from the leaves up give each node the best estimate from the
 * subtree, as in tree_fit.c.  Then, from the root down, a node's count
 * is shared out among the children.  The children's estimates, brought to the
 * parent's count, are compared with the counts expected beforehand: the
 * parent's density, on the straight line that the neighbours on the two sides
 * allow (the flatter slope, none if the slopes differ in sign).
 *
 * evidence.c judges how far to believe the distances, over blocks of
 * neighbouring nodes on one level.  Blocks have at least DEGREES, for a loss of
 * 3 % at most; blocks are no longer, as the evidence of a stretch is not true
 * everywhere.  The root's children are one block.
 *
 * The threshold is for children whose parents chance explains: there a universe
 * with equal counts is told from others.  Chance explains the root unless the
 * children lean to one end: slow changes show in a lean long before they show
 * in the sum of squares.  Below parents that are known to differ no threshold
 * stands, as the hidden differences are likely: without a threshold a block
 * errs no more than the counts do, with a threshold up to twice as much where
 * half the differences can be told from noise.
 *
 * Children without a count, in the whole subtree, are as expected.
 *
 * At last the children are moved to the nearest counts that are not negative
 * and add up to the parent's; nearest in variance units.
 */
#include <math.h>
#include <stdlib.h>

#include "dx/synth/counts.h"
#include "evidence.h"
#include "dx/synth/ladder.h"
#include "tool/err.h"

#define DEGREES 60.0

/* A node's estimate. */
struct estimate {
	double count;
	double variance;
	double slope;		/* of the density, per element */
	bool clear;		/* node and siblings differ more than by
				   chance */
};

/* Nodes first..end-1 on a level, whose children are judged together. */
struct stretch {
	size_t first, end;
	struct evidence of;
};

/* The best estimate of node k from the node's count and the subtree. */
static void
pool(const struct ladder *l, size_t k, struct estimate *e)
{
	const struct tree_node *v = &l->tree.node[k];
	double own = HUGE_VAL, sum = 0, variance = 0, w = 0;
	struct scale t;

	if (v->part > 0 && ladder_scale(l, v, &t))
		own = counts_variance(&t, l->shift);
	e[k].variance = own;
	if (v->children == 0)
		return;
	for (size_t i = v->child; i < v->child + v->children; i++) {
		sum += e[i].count;
		variance += e[i].variance;
	}
	if (variance == HUGE_VAL)
		return;		/* nothing was counted below */
	if (own < HUGE_VAL)
		w = variance / (own + variance);
	e[k].count = w * e[k].count + (1 - w) * sum;
	e[k].variance = (1 - w) * variance;
}

static double
width(const struct tree_node *v)
{
	return (double)(v->hi - v->lo);
}

/* The density's step from a node to the next, per element. */
static double
density_step(const struct tree_node *v, const struct estimate *e)
{
	return (e[1].count / width(v + 1) - e[0].count / width(v)) /
	    ((width(v) + width(v + 1)) / 2);
}

/* Nodes first..end-1 are a level. */
static void
incline(const struct tree *t, size_t first, size_t end, struct estimate *e)
{
	double left, right;

	for (size_t k = first + 1; k + 1 < end; k++) {
		left = density_step(&t->node[k - 1], &e[k - 1]);
		right = density_step(&t->node[k], &e[k]);
		if ((left > 0) == (right > 0))
			e[k].slope = fabs(left) < fabs(right) ? left : right;
	}
}

/* The expected count for child i of node k. */
static double
expected(const struct tree *t, size_t k, size_t i, const struct estimate *e)
{
	const struct tree_node *v = &t->node[k], *c = &t->node[i];
	double off = (double)(c->lo + c->hi) / 2 - (double)(v->lo + v->hi) / 2;

	return width(c) * (e[k].count / width(v) + e[k].slope * off);
}

/*
 * Is the root clear?  The density leans one way if the sum of the children
 * times their places says so beyond chance.
 */
static void
lean(const struct tree *t, struct estimate *e)
{
	const struct tree_node *v = &t->node[0];
	const struct estimate *c = &e[v->child];
	double mean = e[0].count / (double)v->children, sum = 0, square = 0;
	struct evidence of = { 0 };

	for (size_t i = v->child; i < v->child + v->children; i++) {
		double off = (double)(t->node[i].lo + t->node[i].hi) -
		    (double)t->n;

		sum += off * (e[i].count - expected(t, 0, i, e));
		square += off * off;
	}
	evidence_add(&of, sum / sqrt(square), mean, c->variance);
	e[0].clear = of.drawn > pow(EVIDENCE_CHANCE, 2);
}

/*
 * Brings the estimates of a node's children to the node's count by least
 * squares, and adds up the squared distances from the expected counts, in units
 * of the noise and in units of noise and drawing.
 */
static void
share_out(const struct tree *t, size_t k, struct estimate *e, struct stretch *s)
{
	const struct tree_node *v = &t->node[k];
	size_t end = v->child + v->children;
	double more = e[k].count, all = 0, mean;

	for (size_t i = v->child; i < end; i++) {
		more -= e[i].count;
		all += e[i].variance;
	}
	for (size_t i = v->child; i < end; i++) {
		e[i].count += more * e[i].variance / all;
		mean = expected(t, k, i, e);
		evidence_add(&s->of, e[i].count - mean, mean, e[i].variance);
	}
}

/* The nearest counts for k's children that are not negative. */
static void
project(const struct tree *t, size_t k, struct estimate *e)
{
	const struct tree_node *v = &t->node[k];
	size_t end = v->child + v->children;
	double more, all;
	bool left = true;

	/* counts that fall below 0 stay there [Michelot 1986] */
	while (left) {
		left = false;
		more = e[k].count;
		all = 0;
		for (size_t i = v->child; i < end; i++) {
			more -= e[i].count;
			if (e[i].count != 0)
				all += e[i].variance;
		}
		if (all > 0)
			for (size_t i = v->child; i < end; i++) {
				if (e[i].count != 0)
					e[i].count += more *
					    e[i].variance / all;
				left = left || e[i].count < 0;
				e[i].count = fmax(0, e[i].count);
			}
	}
}

/* Moves the children of node k between expected and noisy counts. */
static void
shrink(const struct tree *t, size_t k, double part, struct estimate *e)
{
	const struct tree_node *v = &t->node[k];

	for (size_t i = v->child; i < v->child + v->children; i++)
		e[i].count = evidence_count(part, e[i].count,
		    expected(t, k, i, e), e[i].variance);
	project(t, k, e);
}

/*
 * How far to believe a block's children; a block is clear of itself only if the
 * parents are not.
 */
static double
weigh(const struct tree *t, const struct stretch *s, struct estimate *e)
{
	size_t first = t->node[s->first].child;
	size_t end = t->node[s->end - 1].child + t->node[s->end - 1].children;
	bool clear = evidence_part(&s->of, EVIDENCE_CHANCE) > 0;
	double known = 0;

	for (size_t k = s->first; k < s->end; k++)
		known += e[k].clear;
	for (size_t i = first; i < end; i++)
		e[i].clear = clear;
	return evidence_part(&s->of, EVIDENCE_CHANCE * (1 - known /
	    (double)(s->end - s->first)));
}

/* Children without evidence are as expected; none weighs more. */
static void
assume(const struct tree *t, size_t k, struct estimate *e)
{
	const struct tree_node *v = &t->node[k];

	for (size_t i = v->child; i < v->child + v->children; i++) {
		e[i].count = fmax(0, expected(t, k, i, e));
		e[i].variance = 1;
	}
	project(t, k, e);
}

/* Shares out a block's nodes among the children. */
static void
judge(const struct tree *t, struct stretch *s, struct estimate *e)
{
	double part;

	for (size_t k = s->first; k < s->end; k++)
		share_out(t, k, e, s);
	part = weigh(t, s, e);
	for (size_t k = s->first; k < s->end; k++)
		shrink(t, k, part, e);
}

/* The degrees of freedom among the children of nodes first..end-1. */
static double
degrees(const struct tree *t, size_t first, size_t end)
{
	double sum = 0;

	for (size_t k = first; k < end; k++)
		sum += (double)t->node[k].children - 1;
	return sum;
}

/* The nodes first..end-1 on a level, in blocks; a short rest is no block. */
static void
fit_below(const struct tree *t, size_t first, size_t end, struct estimate *e)
{
	double left = degrees(t, first, end);
	struct stretch s = { .first = first };

	incline(t, first, end, e);
	if (e[t->node[first].child].variance == HUGE_VAL) {
		for (size_t k = first; k < end; k++)
			assume(t, k, e);
		return;
	}
	for (size_t k = first; k < end; k++) {
		s.end = k + 1;
		s.of.degrees += (double)t->node[k].children - 1;
		left -= (double)t->node[k].children - 1;
		if (k + 1 < end && (s.of.degrees < DEGREES || left < DEGREES))
			continue;
		judge(t, &s, e);
		s = (struct stretch){ .first = k + 1 };
	}
}

/* The root, which is not counted: the subtree, and the total. */
static double
known_total(const struct ladder *l, const struct estimate *root)
{
	if (l->variance == 0 || root->variance == HUGE_VAL)
		return l->total;
	return (l->total * root->variance + root->count * l->variance) /
	    (root->variance + l->variance);
}

void
ladder_fit(const struct ladder *l, const double *noisy, double *y)
{
	const struct tree *t = &l->tree;
	struct estimate *e = err_alloc(NULL, t->nodes + 1, sizeof(*e));
	struct stretch root = { .end = 1 };
	size_t end;

	for (size_t k = 0; k < t->nodes; k++)
		if (t->node[k].part > 0)
			e[k].count = noisy[k];
	for (size_t k = t->nodes; k-- > 0;)
		pool(l, k, e);
	e[0].count = fmax(0, known_total(l, &e[0]));
	root.of.degrees = (double)t->node[0].children - 1;
	if (t->node[0].children > 0) {
		lean(t, e);
		judge(t, &root, e);
	}
	for (size_t k = 1; k < t->nodes && t->node[k].children > 0; k = end) {
		for (end = k; t->node[end].level == t->node[k].level;)
			end++;
		fit_below(t, k, end, e);
	}
	for (size_t i = 0; i < t->n; i++)
		y[i] = e[t->nodes - t->n + i].count;
	free(e);
}
