/*
 * workload: linear queries over a universe, exact on decimal grids.
 *
 * Coefficient i of query k is the integer workload_at(w, k, i) times
 * 10^-workload_digits(w, k).  Generated queries (prefixes, ranges, marginals)
 * have coefficients 0 and 1 and are not stored one by one.
 */
#pragma once

#include "number/fixed.h"

#define WORKLOAD_MOST ((int64_t)1 << 60)	/* a coefficient at most */
#define WORKLOAD_ELEMENTS ((size_t)1 << 24)	/* so that answers fit */

enum workload_kind {
	WORKLOAD_DENSE,		/* one vector */
	WORKLOAD_PREFIX,	/* elements 1..k for k = 1..n */
	WORKLOAD_RANGE,		/* elements a..b for a <= b */
	WORKLOAD_MARGINAL	/* cells of a set of attributes */
};

/* Queries of one kind, back to back. */
struct block {
	enum workload_kind kind;
	size_t count;
	int digits;		/* of a dense vector */
	int64_t *q;		/* dense: coefficients */
	uint32_t *cell;		/* marginal: of each element, 0..count-1 */
	size_t *sample;		/* marginal: an element of each cell */
	size_t *pick, picks;	/* marginal: its attributes */
	char *name;		/* of a dense vector, or NULL; owned */
};

struct workload {
	size_t n;		/* elements, that outside the domain included */
	size_t k;		/* queries */
	struct block *block;
	size_t blocks;
	bool out;		/* is the last element the element outside? */
	bool even;		/* marginals of all combinations of values,
				   and an attribute's values may change places
				   (plan_alike) */
};

#define WORKLOAD_INIT { 0, 0, NULL, 0, false, false }

/* Elements of the domain, along which prefixes and ranges run. */
static inline size_t
workload_line(const struct workload *w)
{
	return w->n - w->out;
}

/* Appends; the vectors are copied.  A dense block comes without a name. */
struct block *workload_dense(struct workload *w, const int64_t *q, int digits);
void workload_runs(struct workload *w, enum workload_kind kind);

/*
 * Every marginal with `order` attributes: x holds dims codes from 0 up for each
 * element.  A query for every occurring cell.
 */
void workload_marginal(struct workload *w, const int64_t *x, size_t dims,
    size_t order);

int64_t workload_at(const struct workload *w, size_t k, size_t i);

/* Is query k a prefix or a range, the sum over elements first..last? */
bool workload_interval(const struct workload *w, size_t k, size_t *first,
    size_t *last);

/* Is query k a marginal's cell for records outside the domain? */
bool workload_outside(const struct workload *w, size_t k);

/* Has it queries of this kind? */
bool workload_has(const struct workload *w, enum workload_kind kind);

/* Are all queries prefixes or ranges? */
static inline bool
workload_is_runs(const struct workload *w)
{
	return !workload_has(w, WORKLOAD_DENSE) &&
	    !workload_has(w, WORKLOAD_MARGINAL);
}

int workload_digits(const struct workload *w, size_t k);

/* Are all coefficients of the query equal (its answer is public)? */
bool workload_constant(const struct workload *w, size_t k);

/*
 * Exact answers sum_i q_ki x_i for x_i <= 2^41, n <= WORKLOAD_ELEMENTS:
 * below 2^125.  O(n) for each dense vector and for each marginal; prefixes
 * and ranges O(1) each.
 */
void workload_answer(const struct workload *w, const uint64_t *x,
    i128 *answer);

/* For the sources that append blocks: an empty block. */
struct block *workload_block(struct workload *w, enum workload_kind kind,
    size_t count);

/* Block of query k; *k becomes its place within. */
const struct block *workload_find(const struct workload *w, size_t *k);

/* First and last element of range number k of a line of n elements. */
void workload_bounds(size_t n, size_t k, size_t *first, size_t *last);

/*
 * First and last element of query number k of a block of prefixes or ranges;
 * the whole line has every element.
 */
void workload_ends(const struct workload *w, const struct block *b, size_t k,
    size_t *first, size_t *last);

/* All coefficients of query k: q[0], q[stride], ... */
void workload_row(const struct workload *w, size_t k, int64_t *q,
    size_t stride);

void workload_free(struct workload *w);
