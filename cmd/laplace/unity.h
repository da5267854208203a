/*
 * unity: count, mean and variance of a column from a partition of unity, one
 * epsilon for the three and n hidden; unity.c has the proofs.
 */
#ifndef UNITY_H
#define UNITY_H

#include "sums.h"

#define UNITY_PARTS 3		/* totals in a column at most */

/* Enough for the mean; for the mean and the variance. */
enum unity_degree { UNITY_LINE = 1, UNITY_SQUARE = 2 };

/*
 * The l1 sensitivity C of the totals under add-remove, exactly, for cells 0 to
 * `width` steps above the lower end.
 */
u128 unity_sens(u128 width, enum unity_degree degree);

/*
 * Adds n < 2^32 cells of a column centered at the lower end, each w times (w =
 * 1 unless n = 1), to the degree + 1 totals.
 */
void unity_add(const struct sums_column *c, enum unity_degree degree,
    const int64_t *x, size_t n, uint64_t w, struct total *t);

/*
 * Estimates from noisy totals, in records: a column's totals and n, the number
 * of records pooled from the columns.  The mean is a part of the range above
 * the lower end, 0 to 1, the variance a part of the squared range, at most a
 * quarter.  Without records (n <= 0) the middle and 0.
 */
long double unity_mean(const long double *part, enum unity_degree degree,
    long double n);
long double unity_variance(const long double *part, long double n);

#endif
