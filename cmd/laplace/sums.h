/*
 * sums: exact statistics of clamped grid values and their sensitivities.
 *
 * [DMNS06 Section 3.2] Sums, means, histograms, mean vectors and covariance
 * matrices.  Integers only, so the order of the records does not matter and
 * every sensitivity is exact.  A record of weight w is w equal records; the
 * unit of privacy is one of them.
 */
#ifndef SUMS_H
#define SUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "number/fixed.h"
#include "number/neighbors.h"

#define SUMS_WIDTH ((int64_t)1 << 31)	/* hi - lo at most, with products */
#define SUMS_COUNT ((u128)1 << 62)	/* records of a covariance at most */

/* Exact signed total high * 2^64 + low; wraps for no input below 2^64 rows. */
struct total {
	i128 high;
	u128 low;
};

/* Adds w times x, |x| <= 2^63; or once, |x| <= 2^126. */
void total_add(struct total *t, i128 x, uint64_t w);

/* The total, saturated to +-2^126 at the end only: still 1-Lipschitz. */
i128 total_value(const struct total *t);

/*
 * Values are clamped to lo..hi and counted from center; |all| <= FIXED_MAX.
 * With a unit above 1, center = lo, the distance is rounded to units, halves
 * up: for ranges too wide for squares on the grid of the cells.
 */
struct sums_column {
	int64_t lo;
	int64_t hi;
	int64_t center;
	int64_t unit;		/* 0 counts as 1 */
};

/* Which totals are kept beside the sums. */
enum sums_kind { SUMS_ALONE, SUMS_PRODUCTS };

struct sums {
	size_t d;			/* columns, at most 1000 */
	enum sums_kind kind;
	const struct sums_column *column;
	u128 count;
	struct total *total;		/* d sums; products by row */
};

/*
 * Products (for covariances) need at most SUMS_WIDTH units between
 * lo and hi, and lo <= center <= hi.  column must outlive s.  False when
 * memory is short.
 */
bool sums_init(struct sums *s, const struct sums_column *column, size_t d,
    enum sums_kind kind);

/* Forgets all records. */
void sums_clear(struct sums *s);
void sums_add(struct sums *s, const int64_t *x, uint64_t w);

/* A value, clamped, as units counted from center. */
static inline i128
sums_offset(const struct sums_column *c, int64_t x)
{
	i128 z = (i128)fixed_clamp(x, c->lo, c->hi) - c->center;

	return c->unit <= 1 ? z : (z + c->unit / 2) / c->unit;
}

/* n < 2^62 records of weight 1, one behind the other. */
void sums_add_many(struct sums *s, const int64_t *x, size_t n);

/* Units between lo and hi: the largest distance counted from center = lo. */
u128 sums_steps(const struct sums_column *c);

/* Sum of (x_a - center_a); of (x_a - center_a)(x_b - center_b). */
i128 sums_sum(const struct sums *s, size_t a);
i128 sums_product(const struct sums *s, size_t a, size_t b);

/*
 * floor(C_ab / unit + 1/2) with C = avg v v^T - mu mu^T in squared grid steps;
 * 0 without records.  unit: 1 or even.  False beyond SUMS_COUNT records.
 */
bool sums_covariance(const struct sums *s, size_t a, size_t b, u128 unit,
    i128 *c);

/*
 * l1 sensitivities in grid steps; see sums.c for the proofs.  Those of a vector
 * of sums or covariances are reached by all its entries at once and
 * add up.
 */
u128 sums_sens_hist(size_t bins, enum neighbors relation);
u128 sums_sens_sum(const struct sums_column *column, size_t d,
    enum neighbors relation);

/* Of n numbers of sensitivity sens, each rounded to the grid. */
u128 sums_sens_rounded(u128 n, int64_t sens);

/*
 * sums_covariance of two columns (or of one with itself), n public (swap),
 * 0 <= n <= SUMS_COUNT.
 */
u128 sums_sens_covariance(const struct sums_column *a,
    const struct sums_column *b, u128 n, u128 unit);

/*
 * Which of n public bins between ascending edges holds x: half open, but the
 * last bin holds its upper edge; n for a value outside.
 */
size_t sums_bin(const int64_t *edge, size_t n, int64_t x);

#endif
