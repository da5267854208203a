/*
 * unity: count, mean and variance of a column, or of two with a covariance,
 * from a partition of unity, one epsilon for all and n hidden; unity.c has the
 * proofs.
 */
#pragma once

#include "sums.h"

#define UNITY_PARTS 3		/* totals of a column */
#define UNITY_STEPS ((u128)1 << 31)	/* in its range at most */
#define PAIR_FUNCTIONS 3	/* in each column */
#define PAIR_PARTS 9		/* totals of a column pair */
#define PAIR_STEPS ((u128)1 << 15)	/* in each range at most */

/* The l1 sensitivity C of the totals under add-remove, exactly. */
u128 unity_sens(const struct sums_column *c);

/*
 * Adds n < 2^32 cells of a column centered at the lower end, each w times (w =
 * 1 unless n = 1), to the totals.
 */
void unity_add(const struct sums_column *c, const int64_t *x, size_t n,
    uint64_t w, struct total *t);

/*
 * Moments from the totals, in records, for cells y, z of one or two columns on
 * -1..1: the record sums of 1, y, z, (3 y^2 - 1)/2, (3 z^2 - 1)/2 and y z.
 */
struct unity_moments {
	long double n;
	long double first[2];
	long double second[2];
	long double product;
};

/* The moments of one column. */
struct unity_moments unity_moments(const long double *part);

/* The mean of z^2 over n > 0 records with this sum of (3 z^2 - 1)/2. */
long double unity_square_mean(long double second, long double n);

/*
 * Estimates for the first column's cells on -1..1, n the number of records
 * pooled from the columns.  Without records (n <= 0) the middle and 0.
 */
long double unity_mean(const struct unity_moments *m, long double n);
long double unity_variance(const struct unity_moments *m, long double n);

/* --- two columns in one partition --- */

/* The l1 sensitivity C of the nine totals under add-remove, exactly. */
u128 unity_pair_sens(const struct sums_column *a, const struct sums_column *b);

/*
 * The functions of a cell with the value x, each at most M^2.  The column's
 * center is the lower end, and the range has at most PAIR_STEPS steps.
 */
void unity_pair_functions(const struct sums_column *c, int64_t x, uint64_t *f);

/* Adds w records with these functions of the two cells to the totals. */
void unity_pair_add(struct total *t, const uint64_t *f, const uint64_t *g,
    uint64_t w);

/* The moments of a pair from its nine totals, in records. */
struct unity_moments unity_pair_moments(const long double *part);
