/*
 * sums: exact totals of clamped grid values, and their sensitivities.
 *
 * [DMNS06 Section 3.2].  Every value is clamped and rounded separately before
 * entering a total, so no rounding depends on further records: totals of
 * integers are associative, commutative and have exact sensitivities.
 *
 * Let z = x - center for a record's clamped values, H_a = max(hi_a - center_a,
 * center_a - lo_a) the largest |z_a| and R_a = hi_a - lo_a.
 *
 * Sums.  Adding a record moves coordinate a by |z_a| <= H_a, replacing a record
 * by |z_a - z'_a| <= R_a; a corner record reaches every bound at once, so the
 * l1 sensitivities are exactly sum H_a and sum R_a.  [DMNS06 Section 3.2] The
 * paper's 2 gamma >= sum R_a, equal when the range is symmetric.  A mean with
 * public n divides the noisy sum by n afterwards; so its sensitivity is R/n
 * without any rounding.
 *
 * Histogram.  A record is in at most one bin: 1 under add-remove; moving a
 * record from bin to bin costs 2, and 1 with a single bin.
 *
 * Numeric hazards. |x| <= 2^62 and w < 2^64 give products below 2^127, split at
 * bit 64 before the addition.  Saturating the running total would depend on the
 * order of the records and break the sensitivity; here only the final total
 * saturates, a 1-Lipschitz map.
 */
#include "sums.h"

#include "number/sort.h"

void
total_add(struct total *t, i128 x, uint64_t w)
{
	i128 p = x * (i128)w;

	t->low += (uint64_t)p;
	t->high += p >> 64;
}

i128
total_value(const struct total *t)
{
	const i128 limit = (i128)1 << 62;
	i128 high = t->high + (i128)(t->low >> 64);

	if (high >= limit)
		return limit << 64;
	if (high < -limit)
		return -(limit << 64);
	return high * ((i128)1 << 64) + (i128)(uint64_t)t->low;
}

u128
sums_steps(const struct sums_column *c)
{
	i128 width = (i128)c->hi - c->lo;

	return (u128)(c->unit <= 1 ? width : (width + c->unit / 2) / c->unit);
}

/* [DMNS06 Example 3] */
u128
sums_sens_hist(size_t bins, enum neighbors relation)
{
	return relation == NEIGHBORS_SWAP && bins > 1 ? 2 : 1;
}

/* [DMNS06 Section 3.2] R_a, or H_a. */
u128
sums_sens_sum(const struct sums_column *c, enum neighbors relation)
{
	i128 up = (i128)c->hi - c->center, down = (i128)c->center - c->lo;

	if (relation == NEIGHBORS_SWAP)
		return (u128)(up + down);
	return (u128)(up > down ? up : down);
}

/*
 * Numbers x_i, i = 1..n, in grid steps; neighbours change x_i by d_i with sum
 * |d_i| <= S, S a whole number of steps.  Each x_i is rounded by floor(x +
 * 1/2), so x_i changes by a whole number c_i with |c_i| < |d_i| + 1, by 0 where
 * d_i is 0.
 *
 * [DMNS06 Proposition 1] Noise with scale S'/E on each number costs at most E
 * sum |c_i| / S', and so E, where sum |c_i| <= S'.
 *
 * One number: |c| < S + 1 and hence |c| <= S.  S' = S.
 *
 * n numbers: sum |c_i| < S + n, and as a whole number at most S + n - 1; the
 * bound is reached, by a number that moves by S - n e and n - 1 numbers that
 * move by e > 0 across the middle between two steps, where the first goes S
 * steps.  S' = S + n - 1.  Without the added steps the loss of n numbers with S
 * = 1 step would be n E.
 */
u128
sums_sens_rounded(u128 n, int64_t sens)
{
	return (u128)sens + (n > 0 ? n - 1 : 0);
}

size_t
sums_bin(const int64_t *edge, size_t n, int64_t x)
{
	if (x < edge[0] || x > edge[n])
		return n;
	return sort_find(edge, n, (i128)x + 1) - 1;
}
