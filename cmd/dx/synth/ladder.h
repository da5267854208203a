/*
 * ladder: a table from counts of intervals, for prefixes and ranges.
 *
 * The intervals are the nodes of a tree that dx/plan/tree.h chooses.
 */
#pragma once

#include "descent.h"
#include "dx/plan/metric.h"
#include "dx/plan/tree.h"
#include "number/fixed.h"
#include "random/noise.h"
#include "random/rng.h"

struct ladder {
	struct tree tree;	/* for epsilon 1 */
	struct rational eps;	/* set by the caller */
	double total, variance;	/* records, likewise; 0: public */
	unsigned shift;		/* a record counts as 2^shift; likewise */
	double expected;	/* an answer's error, in records */
	struct descent descent;	/* in place of the tree, for skewed columns */
};

/*
 * Chooses the tree, to be freed; false: no tree, or the noise does not fit.
 */
bool ladder_open(struct ladder *l, const struct metric *m,
    enum tree_aim aim);

/* The scale of a node's noise, in parts of a record; s = 0: not counted. */
bool ladder_scale(const struct ladder *l, const struct tree_node *v,
    struct scale *t);

/*
 * One table; without r by exact counts.  Prefix nodes need a public n.
 */
void ladder_release(const struct ladder *l, const int64_t *x, struct rng *r,
    double *y);

/*
 * A table from noisy counts, one for each node with a budget part: no entry
 * is negative, and the entries add up to the total or, for a guessed total, to
 * a better total.
 */
void ladder_fit(const struct ladder *l, const double *noisy, double *y);

/*
 * Replaces n numbers by the nearest in squares that never fall and lie
 * between 0 and most.
 */
void ladder_rise(double *p, size_t n, double most);
