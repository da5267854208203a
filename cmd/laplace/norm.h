/*
 * norm: records whose columns together have a bounded l1 norm; norm.c has the
 * proofs.
 */
#pragma once

#include "sums.h"

#define NORM_STEPS ((int64_t)1 << 30)	/* in a column, at most */
#define NORM_BOUND ((i128)1 << 31)	/* for a record: squared in totals */

/*
 * NORM_SUMS: the d sums.  NORM_PARTS: each column's parts above 0 and below 0,
 * and the rest, 2 d + 1.  NORM_PRODUCTS: d (d + 1)/2 products, d sums and the
 * count.
 */
enum norm_kind { NORM_SUMS, NORM_PARTS, NORM_PRODUCTS };

/* d columns with `steps' steps each, and `bound' together. */
struct norm {
	enum norm_kind kind;
	size_t d;
	int64_t steps, bound;
};

size_t norm_totals(const struct norm *n);

/* How far the noisy totals move in l1 norm, at most. */
u128 norm_sens(const struct norm *n, enum neighbors neighbors);

/* x in -most..most as steps, most > 0; then a record within the bound. */
int64_t norm_cell(const struct norm *n, int64_t x, int64_t most);
void norm_shrink(const struct norm *n, int64_t *y);

/* Adds w records y, shrunk, to the totals. */
void norm_add(const struct norm *n, const int64_t *y, uint64_t w,
    struct total *t);

/*
 * Noisy totals as sums of y / steps over records, sums of products, and the
 * number of records (not for NORM_SUMS; for NORM_PRODUCTS without noise under
 * swap).
 */
void norm_decode(const struct norm *n, const long double *t, long double *sum,
    long double *product, long double *count);
