/*
 * quantile_tree: several quantiles of one column for one epsilon.
 */
#ifndef QUANTILE_TREE_H
#define QUANTILE_TREE_H

#include "candidates.h"
#include "random/select.h"

#define QUANTILE_PARTS 1000000	/* quantiles' largest common denominator */

/* Privacy lost about a record alone, and about both where one is replaced. */
struct quantile_loss {
	uint64_t alone, both;
};

/*
 * A question in the tree: the quantile, the scale, and what this question and
 * those below cost with the scale 1, and may lose.
 */
struct quantile_node {
	uint32_t p, r;		/* relative to the cuts on either side */
	struct scale t;
	bool inner;		/* are the records cut in two? */
	struct quantile_loss cost, may;
};

/* The reach of a unit of privacy, and the law to draw from. */
struct quantile_rule {
	bool swap;
	enum select_kind kind;
	uint64_t unit;		/* the weight of a unit, >= 1 */
	struct rational eps;
	uint32_t parts;		/* T */
	unsigned powers;	/* for the log prior; 0: uniform */
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

/* The height of a tree of m nodes: H = ceil(log2(m + 1)). */
unsigned quantile_height(size_t m);

/*
 * The m quantiles of the column on the grid lo..hi, which holds every value;
 * answer[i] is the quantile of level[i].
 */
void quantile_ask(const struct quantile_tree *t, struct candidates *c,
    const struct order *o, int64_t lo, int64_t hi, struct rng *r,
    int64_t *answer);

/*
 * A question and the cut, which leaves [from, cut) with a grid up to the
 * answer, and [cut, to) with a grid from the answer on.
 */
void quantile_cut(const struct question *q, const struct cut *cut,
    struct question *low, struct question *high);

/* The part of a list asked between two levels. */
struct quantile_part {
	size_t from, to;
	uint32_t lo, hi;
};

/*
 * The whole list; the node asked first, of two middle ones that which leaves
 * the other nearer to the middle of its part; the parts left and right of the
 * node.
 */
struct quantile_part quantile_all(const struct quantile_tree *t);
size_t quantile_middle(const struct quantile_tree *t,
    const struct quantile_part *a);
struct quantile_part quantile_low(const struct quantile_tree *t,
    const struct quantile_part *a);
struct quantile_part quantile_high(const struct quantile_tree *t,
    const struct quantile_part *a);

/* q with its records and grid, and the rest from node i. */
struct question quantile_question(const struct quantile_tree *t, size_t i,
    struct question q);

#endif
