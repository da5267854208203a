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
	int64_t *x;
	size_t n, room;
	size_t k;		/* set first: numbers in a row, */
	bool groups, weighted;	/* and whether rows differ in these */
};

/*
 * Puts the rows in the order of their numbers, groups and weights; returns
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

/* Where the rows of one person are; all 0 without one. */
struct log {
	uint32_t first, last;	/* chunks */
	uint32_t left, size;	/* bytes of the last one: free, and in all */
};

/* The rows of all people. */
struct rows {
	struct pool chunks;
	unsigned zeros;		/* decimal ones that all numbers so far have */
	unsigned char *buf;
	size_t room;
};

void rows_open(struct rows *r, size_t k);
void rows_close(struct rows *r);

/* Appends row `row`, of the kind of s, to those of a person. */
void rows_add(struct rows *r, struct log *l, const struct shares *s,
    const struct share *row);

/* All of a person's rows, to s. */
void rows_get(struct rows *r, const struct log *l, struct shares *s);

/* Asks for the memory of the first chunk and of the last one's end. */
static inline void
rows_ask(const struct rows *r, const struct log *l)
{
	if (l->first == 0)
		return;
	__builtin_prefetch(pool_at(&r->chunks, l->first), 1);
	__builtin_prefetch((const char *)pool_at(&r->chunks, l->last) +
	    l->size - l->left, 1);
}

#endif
