/*
 * tree: strategy tree, for prefixes and ranges of an ordered universe.
 *
 * Noise is added to counts of intervals, and every query is answered from the
 * best fitting element counts (least squares), so that the answers agree with
 * each other.  The intervals are either the nodes of a tree whose root is the
 * whole universe, or the prefixes: each is best for some metrics, and the
 * smaller expected error decides, from public things only.
 */
#pragma once

#include "metric.h"
#include "number/fixed.h"
#include "plan.h"
#include "slope.h"

#define TREE_LEVELS 24		/* 2^24 elements and two children */

/* The queries whose mean squared error is to be small. */
enum tree_aim { TREE_PREFIXES, TREE_RANGES };

/* Unless every query is a prefix a tree is made for ranges. */
static inline enum tree_aim
tree_aim(const struct workload *w)
{
	return !workload_is_runs(w) || workload_has(w, WORKLOAD_RANGE) ?
	    TREE_RANGES : TREE_PREFIXES;
}

/* Elements lo..hi-1; in a tree with the children, which follow each other. */
struct tree_node {
	size_t lo, hi;
	size_t child, children;
	size_t level;
	uint64_t part;		/* of the budget; 0: not measured */
};

struct tree {
	size_t n;
	bool open;		/* n is hidden: the total is not public */
	size_t branching;	/* 0: the nodes are the prefixes 1..n-1, or n */
	size_t levels;		/* below the root */
	uint64_t part[TREE_LEVELS + 1];
	uint64_t whole;		/* a node's scale is unit whole / part */
	struct rational unit;	/* 0: nothing needs noise */
	struct tree_node *node;	/* a parent stands before its children */
	size_t nodes;
	struct rational *own;	/* not NULL: each node's scale, and no unit */
	double rms;		/* expected, over the queries aimed at */
	struct pair worst;	/* PLAN_INFINITE: the two elements */
};

/*
 * The tree or row with the least expected error, for epsilon 1; the elements
 * are in their order.  To be freed, whatever the result.
 */
enum plan_result tree_choose(struct tree *t, const struct metric *m,
    enum tree_aim aim);

/*
 * The tree of t->n elements, with t->branching, whose levels have these budget
 * parts, for elements at least `least` apart; t->open: so has the root.
 */
enum plan_result tree_make(struct tree *t, const uint64_t *part,
    struct rational least);

/*
 * A pattern search for the parts of the levels first..last, from equal parts.
 * The error may have several minima, as levels fade out; any minimum is a
 * choice, and the best branching is taken.
 */
struct tree_search {
	size_t first, last;
	double fine;		/* relative change of a part: the end */
	double gain;		/* relative; a smaller gain is none */
	double hopeless;	/* an error from here up is left as found */
	double least;		/* a smaller part becomes 0 */
	double (*error)(const void *arg, const double *w);
	const void *arg;
};

/* Returns the error for w[first..last], whole numbers and 65536 together. */
double tree_search(const struct tree_search *s, double *w);

/* The levels below the root in a tree of n elements. */
size_t tree_depth(size_t n, size_t branching);

/* The scale of a node's noise, never below the private scale; 0: none. */
bool tree_scale(const struct tree *t, const struct tree_node *v,
    struct rational *c);

/*
 * Least squares: noisy has a value for each node, looked at where the node is
 * measured; total is the exact sum.  prefix[k] becomes the count of the first k
 * elements, for k = 0..n.
 */
void tree_fit(const struct tree *t, const double *noisy, double total,
    double *prefix);

/* The variances of the fitted nodes; to be freed. */
double *tree_variances(const struct tree *t);

/*
 * The sum over elements first..last; or over every element, with coefficients
 * q.
 */
struct tree_query {
	size_t first, last;
	double *q;
};

/* The variance of the fitted answer, from tree_variances. */
double tree_variance(const struct tree *t, const double *variance,
    const struct tree_query *q);

/*
 * The fitted answer is a constant and a weighted sum of the noisy nodes: the
 * weights, 0 for a node that is not measured.
 */
void tree_weights(const struct tree *t, const double *variance,
    const struct tree_query *q, double *weight);

void tree_free(struct tree *t);

/*
 * tree_guess.c: as tree_choose, but for estimates that may be biased: where the
 * noise is large beside the total, a public number of records, coarse intervals
 * get more budget, and fine intervals less or none.
 */
enum plan_result tree_guess(struct tree *t, const struct metric *m,
    enum tree_aim aim, double total, double eps);

/*
 * single.c: strategy cells: noise on every element's count.  Any query is a sum
 * of noisy counts.  With a public n the counts' difference to n is shared out
 * by variances: least squares over a tree with a single level, whose leaves
 * have scales of their own.  To be freed, whatever the result.
 */
enum plan_result single_choose(struct tree *t, const struct metric *m);
