/*
 * spread_bound: exact scatter of windows of sorted runs, and a lower bound on
 * it over boxes of windows; the inner part of spread.
 */
#ifndef SPREAD_BOUND_H
#define SPREAD_BOUND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "number/fixed.h"
#include "spread.h"

/*
 * Sums are kept of every so many runs, and the few runs between are added
 * where they are asked for: 48 bytes for each run would cost more than that.
 */
#define SPREAD_STRIDE 8

/* Sums over the first runs of y = x - base and of y^2, mod 2^192. */
struct spread_sums {
	u128 p;
	u128 q;
	uint64_t top;		/* the next 64 bits of the squares */
};

/*
 * Runs 0..n-1 of equal values.  A window is [i, j] with both ends in it, and
 * its value is what spread.h would return for it alone, less n S.
 */
struct spread_runs {
	const struct spread *f;
	const int64_t *x;
	size_t n;
	struct spread_sums *sums;	/* before runs 0, SPREAD_STRIDE, ... */
	uint64_t *count;		/* records before run i, or NULL: i */
	i128 best;			/* smallest value of a window so far */
	int64_t base;			/* the middle value */
	bool narrow;			/* all x - base fit 63 bits */
	double unit;
	size_t boxes;			/* visited, for the bench */
};

/* Sums over runs 0..at-1. */
struct spread_end {
	size_t at;
	struct spread_sums sums;
};

/*
 * Windows with first run in i0..i1 and last run in j0..j1.  The ends are those
 * of the window [i1, j0] that was asked last, which halves mostly share.
 */
struct spread_box {
	size_t i0, i1;
	size_t j0, j1;
	struct spread_end left, right;
};

/* w may be NULL for ones.  False when memory is short. */
bool spread_open(struct spread_runs *s, const struct spread *f,
    const int64_t *x, const uint64_t *w, size_t n);
void spread_close(struct spread_runs *s);

/* Number of records in runs i..j. */
uint64_t spread_records(const struct spread_runs *s, size_t i, size_t j);

/* Lowers best to the value of window [i, j] where that is smaller. */
bool spread_settle(struct spread_runs *s, size_t i, size_t j);

/* True only when no window of the box has a value below best. */
bool spread_hopeless(const struct spread_runs *s, struct spread_box *b);

#endif
