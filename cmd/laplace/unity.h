/*
 * unity: count, mean and variance of a column from a partition of unity, one
 * epsilon for all three and n hidden; unity.c has the proofs.
 */
#ifndef UNITY_H
#define UNITY_H

#include "sums.h"

#define UNITY_PARTS 3		/* totals of one column at most */
#define UNITY_BITS 60		/* a part of the range: 0 to 2^60 */
#define UNITY_RECORD 40		/* a number of records: in units of 2^-40 */

/* Enough for the mean; for the mean and the variance. */
enum unity_degree { UNITY_LINE = 1, UNITY_SQUARE = 2 };

/*
 * The l1 sensitivity C of the totals under add-remove, exactly, when the
 * cells of the column are 0 to `width` steps above the lower end.
 */
u128 unity_sens(u128 width, enum unity_degree degree);

/*
 * The degree + 1 totals of column a, whose center is its lower end; squares
 * or products are in s for UNITY_SQUARE.  They saturate at 2^126.
 */
void unity_totals(const struct sums *s, size_t a, enum unity_degree degree,
    i128 *t);

/* A noisy total of sensitivity c as a number of records, saturating. */
i128 unity_records(i128 t, u128 c);

/*
 * What the noisy totals say, in records: those of one column and n, the
 * number of records pooled from all columns.  The mean is a part of the range
 * above its lower end, the variance a part of the squared range (at most a
 * quarter).  Without records (n <= 0) they are the middle and 0.
 */
i128 unity_mean(const i128 *part, enum unity_degree degree, i128 n);
i128 unity_variance(const i128 *part, i128 n);

/* The square root of a part: of a variance, the standard deviation. */
i128 unity_root(i128 part);

/* A range of `width` steps of 10^-from, printed with `to` decimals. */
struct unity_grid {
	u128 width;
	int from, to;
};

/*
 * lo + part of the width, and part of the squared width, with the decimals
 * that are printed.  lo and the width (its square) are below 2^63 (2^126)
 * there.
 */
i128 unity_value(i128 part, const struct unity_grid *g, i128 lo,
    enum fixed_mode mode);
i128 unity_square_value(i128 part, const struct unity_grid *g,
    enum fixed_mode mode);

#endif
