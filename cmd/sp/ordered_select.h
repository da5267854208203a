/*
 * ordered_select: the inside of ordered_median, shared by its sources and its
 * tests.
 */
#ifndef ORDERED_SELECT_H
#define ORDERED_SELECT_H

#include "ordered.h"

#define BEYOND ((i128)1 << 120)	/* more than any payoff */

/*
 * Data whose median is not below center, in any order: as they are, or
 * negated.
 */
struct select {
	int64_t *x;
	size_t n;
	i128 s;			/* 2 S */
	size_t r0;		/* values below center */
	i128 below, above;	/* the pair astride center, if 0 < r0 < n */
	bool stays;		/* and its median is not below center */
	int64_t floor;		/* least number that is not below center, */
	int64_t top;		/* greatest value to look at */
	/* buckets from floor to top, then one for all other values */
	int shift;
	size_t buckets;
	size_t *count;
	bool *wanted;
};

enum found { FOUND, TOO_MANY, NO_MEMORY };

/*
 * The least payoff P(r) for r from r0 to (n - 1) / 2, and of the whole data's
 * middle pair; r0 <= (n - 1) / 2.  With 2^bits buckets, 1 <= bits <= 16.
 */
enum found select_least(struct select *s, int bits, i128 *best);

/* ordered_median with 2^bits buckets for any n. */
bool ordered_select(const struct ordered *f, int64_t *x, size_t n, int bits,
    int64_t *value);

#endif
