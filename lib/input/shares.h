/*
 * shares: which rows of one person are handed over, and with which weight.
 *
 * The order of the rows never enters: rows are taken in the order of their
 * values, and those of one value are equal in all that is handed over.
 */
#ifndef SHARES_H
#define SHARES_H

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

#endif
