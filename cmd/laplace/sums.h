/*
 * sums: exact totals of clamped grid values, and their sensitivities.
 *
 * [DMNS06 Section 3.2] Sums, means, histograms and mean vectors.  Integers
 * only, so the order of the records does not matter and every sensitivity is
 * exact.  A record with weight w is w equal records; the unit of privacy is one
 * record.
 */
#pragma once

#include "number/fixed.h"
#include "number/neighbors.h"

#define SUMS_COUNT ((u128)1 << 62)	/* records of a public number: fewer */

/* A real number after the noise, within lo..hi. */
static inline long double
sums_within(long double x, long double lo, long double hi)
{
	return x < lo ? lo : x > hi ? hi : x;
}

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

/* A value, clamped, as units counted from center. */
static inline i128
sums_offset(const struct sums_column *c, int64_t x)
{
	i128 z = (i128)fixed_clamp(x, c->lo, c->hi) - c->center;

	return c->unit <= 1 ? z : (z + c->unit / 2) / c->unit;
}

/* Units between lo and hi: the largest distance counted from center = lo. */
u128 sums_steps(const struct sums_column *c);

/*
 * l1 sensitivities in grid steps; see sums.c for the proofs.  In a vector of
 * sums every entry's sensitivity is reached at once, and sensitivities add up.
 */
u128 sums_sens_hist(size_t bins, enum neighbors relation);
u128 sums_sens_sum(const struct sums_column *c, enum neighbors relation);

/* For n numbers with sensitivity sens, each rounded to the grid. */
u128 sums_sens_rounded(u128 n, int64_t sens);

/*
 * The bin that holds x, among n public bins between ascending edges: half open,
 * but the last bin holds the upper edge; n for a value outside.
 */
size_t sums_bin(const int64_t *edge, size_t n, int64_t x);
