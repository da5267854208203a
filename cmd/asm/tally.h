/*
 * tally: count, sum, sum of squares and extremes for a column in one pass.
 *
 * Memory does not grow with the data: only the c smallest and the c largest
 * records are kept.
 */
#pragma once

#include "number/fixed.h"

#define TALLY_STEPS 1048576	/* largest c */
#define TALLY_RECORDS ((uint64_t)1 << 41)	/* more are not told apart */

struct tally {
	size_t c;
	uint64_t n;		/* records: sum of the weights; from
				   TALLY_RECORDS on only the weights are kept */
	i128 sum;
	struct wide squares;
	bool coded;		/* records are codes: of these */
	struct wide total;	/* the sum of their sizes alone */
	/* after tally_done: min(c, n) values each */
	size_t ends;
	int64_t *low;		/* smallest first */
	int64_t *high;		/* largest first */
	/* while reading: records that may still be extremes */
	int64_t *x;
	uint64_t *w;
	size_t used, cap;
	int64_t below, above;	/* only values outside matter */
	bool full;
};

/* c >= 1 extremes at either end; takes no memory yet. */
void tally_init(struct tally *t, size_t c);

/* Adds w >= 1 equal records, |x| <= FIXED_MAX.  Amortised O(1). */
void tally_add(struct tally *t, int64_t x, uint64_t w);

/* Fills ends, low and high. */
void tally_done(struct tally *t);
