/* variance_search: the search of variance, on runs and on buckets. */
#ifndef VARIANCE_SEARCH_H
#define VARIANCE_SEARCH_H

#include "variance.h"

/* Sums over y = x - base and over y^2, mod 2^192. */
struct variance_sums {
	u128 p;
	u128 q;
	uint64_t top;		/* the squares' next 64 bits */
};

/*
 * Runs 0..n-1 of equal values, or of values from x[i] to hi[i], ascending.  A
 * window [i, j] includes i and j, and the window's value is the result of
 * variance.h for the window alone, less n S.
 */
struct variance_runs {
	const struct variance *f;
	const int64_t *x;
	const int64_t *hi;		/* x: equal values */
	size_t n;
	struct variance_sums *sums;	/* before every 2^stride-th run */
	int stride;			/* 0 where values differ */
	uint64_t *count;		/* records before run i, or NULL: i */
	i128 best;			/* a window's smallest value so far */
	int64_t base;
	bool narrow;			/* every x - base fits 63 bits */
	double unit;
	bool *open;			/* where values differ: runs within
					   which a better window may end */
	bool unknown;			/* some runs are open */
};

/* Adds w records at distance y from base; w is 1 nearly always. */
static inline void
variance_add(struct variance_sums *sums, i128 y, uint64_t w)
{
	struct wide q = { 0, (u128)(y * y) };

	if (w != 1)
		q = wide_mul(q.lo, w);
	sums->p += (u128)y * w;
	sums->q += q.lo;
	sums->top += (uint64_t)q.hi + (sums->q < q.lo);
}

/* Lowers best to the value of [i, j] if smaller. */
bool variance_settle(struct variance_runs *s, size_t i, size_t j);

/* Lowers best to the smallest value among windows. */
void variance_search(struct variance_runs *s);

#endif
