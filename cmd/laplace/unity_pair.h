/*
 * unity_pair: two columns in one partition of unity, for covariance, two
 * variances, two means and the count; unity_pair.c has the proofs.
 */
#ifndef UNITY_PAIR_H
#define UNITY_PAIR_H

#include "unity.h"

#define PAIR_FUNCTIONS 3	/* in each column */
#define PAIR_PARTS 9		/* totals of a column pair */
#define PAIR_STEPS ((u128)1 << 15)	/* in each range at most */

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

#endif
