/*
 * slope: the pair of elements over which queries are steepest.
 *
 * For rates r_k >= 0 (budget per unit of query k) the load of a pair is
 * sum_k r_k |q_ki - q_kj| / d(i,j); a mechanism with scales 1/r_k is private
 * when no load exceeds 1.  Loads are searched by branch and bound over pairs
 * of boxes of a k-d tree, or over the edges of a graph, without visiting all
 * pairs.  Units: coefficients in steps of their own grid, distances in units
 * of the metric.
 */
#ifndef SLOPE_H
#define SLOPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dx/universe/metric.h"

#define SLOPE_TOP 24		/* steep pairs found by one search */
#define SLOPE_NONE SIZE_MAX
#define SLOPE_ABSENT (SIZE_MAX - 1)	/* the element of no record */

/* Two elements; of METRIC_EDGES: i is an edge's number, j SLOPE_NONE.  j may be
   SLOPE_ABSENT: the queries have 0 there. */
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
	double *grad;		/* k x 2: queries as planes, or NULL */
	double *rest;		/* nodes x k x (low, high): what is left */
	int64_t *zero;		/* k coefficients of the absent element */
	size_t *use;		/* scratch: queries with a rate above 0 */
	size_t uses;
};

/* What a search asks for, and what it found. */
struct steep {
	const double *rate;
	size_t need;		/* only pairs on which this query differs, or
				   SLOPE_NONE */
	double floor;		/* only loads above this are of interest */
	double keep;		/* part of the excess over floor that is worth
				   reporting beside the best, 1: the best */
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

/* The elements of a pair. */
struct pair slope_ends(const struct slope *s, struct pair p);

/* |q_ki - q_kj| for each k, and d(i,j), as doubles; false if infinite. */
bool slope_row(const struct slope *s, struct pair p, double *row, double *d);

/*
 * The exact maximum of sum_k m_k |q_ki - q_kj| / d(i,j) for integers m_k,
 * as a pair that attains it, its numerator and its measure (0: the maximum is
 * infinite).  SLOPE_FLAT: no load is above 0.  SLOPE_WIDE: sums might leave
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

/* Order of a/d of two pairs, exactly; num < 2^63, 0/0 counts as 0. */
int ratio_cmp(const struct ratio *a, const struct ratio *b, bool squared);

void slope_close(struct slope *s);

#endif
