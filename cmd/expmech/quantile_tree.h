/*
 * quantile_tree: several quantiles of one column for one epsilon.
 */
#ifndef QUANTILE_TREE_H
#define QUANTILE_TREE_H

#include "candidates.h"
#include "number/fixed.h"

#define QUANTILE_PARTS 1000000	/* common denominator of quantiles at most */

/* One question of the tree: which quantile, in whose company, at what cost. */
struct quantile_node {
	uint32_t p, r;		/* relative to those on either side */
	struct rational eps;
	struct scale t;
	bool inner;		/* are its records cut in two? */
};

/* What one unit of privacy may do, and which law is drawn from. */
struct quantile_rule {
	bool swap;
	bool permute;		/* permute-and-flip */
	uint64_t unit;		/* the weight of a unit, >= 1 */
	struct rational eps;
	uint32_t parts;		/* T */
	unsigned powers;	/* of the log prior; 0: uniform */
};

/* m quantiles level[i] / denominator, ascending; node i asks for the i-th. */
struct quantile_tree {
	struct quantile_rule rule;
	uint32_t denominator;
	const uint32_t *level;
	size_t m;
	struct quantile_node *node;
};

/*
 * Sets node[0..m-1] from the rest.  False when a scale does not fit.
 */
bool quantile_plan(struct quantile_tree *t);

/* Height of a tree of m nodes: H = ceil(log2(m + 1)). */
unsigned quantile_height(size_t m);

/*
 * The m quantiles of the column on the grid lo..hi, which holds all values;
 * answer[i] is the quantile of level[i].
 */
void quantile_ask(const struct quantile_tree *t, struct order *o, int64_t lo,
    int64_t hi, struct rng *r, int64_t *answer);

/*
 * A question and its cut, which is left with [from, cut) and a grid up to the
 * answer, and with [cut, to) and a grid from the answer on.
 */
void quantile_cut(const struct question *q, const struct cut *cut,
    struct question *low, struct question *high);

/* Part of a list that is asked between two levels. */
struct quantile_part {
	size_t from, to;
	uint32_t lo, hi;
};

/* The whole list; the node asked first; the parts left and right of it. */
struct quantile_part quantile_all(const struct quantile_tree *t);
size_t quantile_middle(const struct quantile_part *a);
struct quantile_part quantile_low(const struct quantile_tree *t,
    const struct quantile_part *a);
struct quantile_part quantile_high(const struct quantile_tree *t,
    const struct quantile_part *a);

/* q with the records and the grid that it has, and the rest of node i. */
struct question quantile_question(const struct quantile_tree *t, size_t i,
    struct question q);

#endif
