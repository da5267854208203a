/*
 * shares: the rows of all people as they come, then person by person; and
 * which of a person's rows are handed over, with which weight.
 *
 * The order of the rows never enters: rows are taken in the order of their
 * values, and those of one value are equal in all that is handed over.
 */
#ifndef SHARES_H
#define SHARES_H

#include <stdbool.h>
#include <stdint.h>

#include "keyed.h"
#include "number/fixed.h"
#include "tool/text.h"

/* A row of one person. */
struct share {
	const int64_t *x;	/* its k numbers */
	uint32_t group;
	uint64_t w;		/* as many equal rows, then its share */
	u128 rank;		/* what it is ordered by, before its value */
};

/* All rows of one person. */
struct shares {
	struct share *row;
	size_t n;		/* at least 1 */
	size_t k;
};

/* Weights that add up to `whole` exactly, in proportion to w (above 0). */
void shares_set(struct shares *s, uint64_t whole);

/* Keeps at most `most` rows, drawn by a key that nobody knows. */
void shares_keep(struct shares *s, uint64_t most, const struct keyed *key,
    struct label id);

/* All rows of all people. */
struct rows {
	size_t k;		/* set first: numbers in a row, */
	bool groups, weighted;	/* and whether rows differ in these */
	size_t n, room;
	int64_t *x;
	uint32_t *who;
	uint32_t *group;	/* NULL: all 0 */
	uint64_t *w;		/* NULL: all 1 */
	/* after rows_gather */
	uint32_t *order;	/* the rows of person 1, then those of 2, ... */
	uint32_t *end;		/* of each person's in order */
};

/* Appends a row of a person with this number, from 1. */
void rows_add(struct rows *r, uint32_t who, const struct share *row);

/* Brings together the rows of each person; the numbers are below people. */
void rows_gather(struct rows *r, size_t people);
size_t rows_count(const struct rows *r, size_t who);
struct share rows_get(const struct rows *r, size_t who, size_t i);

/* Forgets all rows but keeps the room for others. */
void rows_clear(struct rows *r);
void rows_free(struct rows *r);

#endif
