/*
 * ordered_walk: is g(D) >= m - 1/2?  The inner part of ordered; ordered.c
 * proves that the walk decides.
 */
#pragma once

#include "ordered.h"

/* Values, each for a single record or for a run of equal records. */
struct ordered_data {
	const struct ordered *f;
	const int64_t *x;
	size_t n;
	const uint64_t *before;	/* n + 1 record counts before run i, or NULL */
};

/* Is g(D) >= m - 1/2, by the walk of ordered.c; m in the hull of the data and
   center. */
bool ordered_walk(const struct ordered_data *d, i128 m);

/* How many of the n + 1 empty windows have a payoff >= m - 1/2. */
uint64_t ordered_level_zero(const struct ordered *f, uint64_t n, i128 m);

/* floor(alpha k) for the mean, ceil(alpha k) for the quantile; k < 2^41. */
uint64_t ordered_rank(const struct ordered *f, uint64_t k);

/* Records before run i. */
static inline uint64_t
ordered_before(const struct ordered_data *d, size_t i)
{
	return d->before == NULL ? i : d->before[i];
}
