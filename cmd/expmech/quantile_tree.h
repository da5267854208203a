/*
 * quantile_tree: several quantiles of one column for one epsilon.
 */
#pragma once

#include "candidates.h"
#include "random/select.h"

#define QUANTILE_PARTS 1000000	/* quantiles' largest common denominator */

/* Privacy lost about a record alone, and about both where one is replaced. */
struct quantile_loss {
	uint64_t alone, both;
};

/*
 * A question in the tree: the quantile, the scale, the questions on either
 * side, or NULL, and what this question and those cost with the scale 1.
 */
struct quantile_node {
	uint32_t p, r;		/* relative to the cuts on either side */
	struct scale t;
	struct quantile_node *below[2];
	struct quantile_loss cost;
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
	struct quantile_node *node, *root;	/* asked first */
};

/*
 * Sets node[0..m-1] and root from the rest.  False when a scale does not fit.
 */
bool quantile_plan(struct quantile_tree *t);

/* Under the log prior: fewer than a quarter of the records on one side? */
bool quantile_tail(const struct quantile_tree *t,
    const struct quantile_node *node);

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
    struct question below[2]);

/* q with its records and grid, and the rest from the node. */
struct question quantile_question(const struct quantile_tree *t,
    const struct quantile_node *node, struct question q);
