/*
 * shares: the rows of all people, kept compactly as they come; and what part
 * of a person's rows is handed over.
 *
 * The order of the rows never enters: rows are taken in the order of their
 * values, and those of one value are equal in all that is handed over.
 */
#ifndef SHARES_H
#define SHARES_H

#include "number/fixed.h"
#include "pool.h"

/* A row of one person. */
struct share {
	const int64_t *x;	/* its k numbers */
	uint32_t group;
	uint64_t w;		/* as many equal rows, then its share */
};

/* All rows of one person. */
struct shares {
	struct share *row;
	size_t n, k;
	int64_t *x;		/* of the rows, one behind the other, where
				   they are nothing but one number; or NULL */
};

/*
 * Puts the rows in the order of their groups, numbers and weights; returns
 * the sum of their weights, which are cut so that it is below 2^63.
 */
uint64_t shares_order(struct shares *s);

/*
 * Weights that add up to `whole` exactly (at most 2^20), in proportion to
 * those that add up to `total`: row by row, what the sum so far, in units of
 * total / whole and moved by start < total, passes in whole steps.  Each is
 * less than one from w whole / total, and so is every sum from the first row
 * on, so that no value is preferred; rows of weight 2 and two equal rows get
 * the same.  Where start is uniform and `whole` below `total` this draws
 * `whole` units of weight, each with the same chance.
 */
void shares_set(struct shares *s, uint64_t total, uint64_t whole,
    uint64_t start);

/*
 * The rows of all people, who have numbers below 2^32: a log for CROWD of them
 * at a time, in the order in which they came.
 */
#define CROWD 256

struct log {
	uint32_t first, last;	/* chunks; 0 without one */
	uint32_t end;		/* bytes of the last one */
};

struct rows {
	size_t k;		/* numbers in a row, */
	bool groups, weighted;	/* and whether rows differ in these */
	struct pool chunks;
	unsigned zeros;		/* decimal ones that all numbers so far have */
	uint32_t most, size;	/* bytes of a row at most, and of a chunk */
	struct pool logs;
	struct share *row;	/* of one crowd, person by person, */
	int64_t *x;		/* and their numbers */
	size_t room, end[CROWD];
};

void rows_open(struct rows *r, size_t k, bool groups, bool weighted);
void rows_close(struct rows *r);

/* Appends a row of a person. */
void rows_add(struct rows *r, uint32_t person, const struct share *row);

/*
 * All rows of a crowd, to be told apart by rows_of until the next call;
 * nobody has the number `people` or a larger one.
 */
void rows_get(struct rows *r, size_t crowd, size_t people);

static inline struct shares
rows_of(const struct rows *r, size_t person)
{
	size_t i = person % CROWD, from = i == 0 ? 0 : r->end[i - 1];
	bool alone = r->k == 1 && !r->groups && !r->weighted;

	return (struct shares){ r->row + from, r->end[i] - from, r->k,
	    alone ? r->x + from : NULL };
}

#endif
