/*
 * slope: the pair of elements where queries are steepest.
 *
 * For rates r_k >= 0 (budget per unit of query k) the load of a pair is sum_k
 * r_k |q_ki - q_kj| / d(i,j); a mechanism with scales 1/r_k is private when no
 * load exceeds 1.  Loads are searched by branch and bound over pairs of boxes
 * in a k-d tree, or over a graph's edges, without visiting every pair.  Units:
 * coefficients in steps of each grid, distances in metric units.
 */
#pragma once

#include "metric.h"
#include "number/fixed.h"

#define SLOPE_TOP 24		/* steep pairs found by a search */
#define SLOPE_NONE SIZE_MAX
#define SLOPE_ABSENT (SIZE_MAX - 1)	/* the element of an absent record */

/*
 * Two elements; for METRIC_EDGES i is an edge's number, j SLOPE_NONE.  j may be
 * SLOPE_ABSENT: the queries have 0 there.
 */
struct pair {
	size_t i;
	size_t j;
};

struct node {
	size_t lo, hi;		/* elements perm[lo..hi-1] */
	size_t left, right;	/* SLOPE_NONE in a leaf */
};

struct slope {
	const struct metric *m;
	const int64_t *q;	/* n x k */
	size_t n;
	size_t k;
	double error;		/* a load is within load * (1 +- error) */
	size_t *perm;
	struct node *node;
	size_t nodes;
	int64_t *box;		/* nodes x dims x (low, high) */
	int64_t *span;		/* nodes x k x (low, high) */
	int64_t *least;		/* attributes: smallest finite contribution */
	int64_t *zero;		/* the absent element's k coefficients */
	size_t *use;		/* scratch: queries with a rate above 0 */
	size_t uses;
};

/* A search's question and result. */
struct steep {
	const double *rate;
	size_t need;		/* only pairs that differ in this query, or
				   SLOPE_NONE */
	double floor;		/* only loads above floor count */
	double keep;		/* part of the excess over floor worth reporting
				   beside the best, 1: the best */
	/* found */
	double load;		/* the largest, or floor; may be infinite */
	size_t count;
	struct pair pair[SLOPE_TOP];	/* pair[0] is the steepest */
	double value[SLOPE_TOP];
};

/* Prepares searches for the queries q (kept, n x k). */
void slope_open(struct slope *s, const struct metric *m, const int64_t *q,
    size_t k);

/* Finds the steepest pairs; count is 0 when no load exceeds floor. */
void slope_search(struct slope *s, struct steep *a);

/* A pair's elements. */
struct pair slope_ends(const struct slope *s, struct pair p);

/* |q_ki - q_kj| for each k, and d(i,j), as doubles, for a pair once found. */
void slope_row(const struct slope *s, struct pair p, double *row, double *d);

/*
 * The exact maximum of sum_k m_k |q_ki - q_kj| / d(i,j) for integers m_k, as a
 * pair that attains the maximum, the numerator and the measure (0: the maximum
 * is infinite).  SLOPE_FLAT: no load is above 0.  SLOPE_WIDE: sums might leave
 * 63 bits; only the pair is set, by its load in doubles.
 */
enum slope_result { SLOPE_OK, SLOPE_FLAT, SLOPE_WIDE };
struct ratio {
	u128 num;
	u128 measure;
	struct pair pair;
};
enum slope_result slope_exact(struct slope *s, const int64_t *mult,
    struct ratio *best);

/* Compares a/d for two pairs, exactly; num < 2^63, 0/0 counts as 0. */
int ratio_cmp(const struct ratio *a, const struct ratio *b, bool squared);

void slope_close(struct slope *s);
