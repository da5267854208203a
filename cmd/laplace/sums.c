/*
 * sums: exact statistics of clamped grid values and their sensitivities.
 *
 * [DMNS06 Section 3.2].  Every value is clamped and rounded by itself before
 * it enters a total, so no rounding depends on other records: totals of
 * integers are associative, commutative and have exact sensitivities.
 *
 * Let z = x - center for a record's clamped values, H_a = max(hi_a - center_a,
 * center_a - lo_a) the largest |z_a| and R_a = hi_a - lo_a.
 *
 * Sums.  Adding a record moves coordinate a by |z_a| <= H_a, replacing one by
 * |z_a - z'_a| <= R_a; a corner record reaches all the bounds at once, so the
 * l1 sensitivities are exactly sum H_a and sum R_a.  [DMNS06 Section 3.2]
 * The paper's 2 gamma >= sum R_a, equal when the range is symmetric.  A mean
 * with public n divides the noisy sum by n afterwards; so its sensitivity is
 * R/n without any rounding.
 *
 * Histogram.  A record is in at most one bin: 1 under add-remove; moving it
 * from a bin to another costs 2, and 1 where there is but one bin.
 *
 * Covariance, swap, n public.  Let m be the mean of the n - 1 records that
 * stay and W their scatter about it.  With record x the scatter of all is
 * n C = W + (1 - 1/n) (x - m)(x - m)^T (the update formula for scatters), so
 *   C - C' = (n-1)/n^2 (u u^T - v v^T),  u = x - m, v = y - m.
 * Claim: |u_a u_b - v_a v_b| <= R_a R_b.  In units of R_a, R_b let s, t in
 * [0,1] be the position of m: u_a, v_a are in [-s, 1-s], u_b, v_b in [-t, 1-t].
 * A product is at most max(st, (1-s)(1-t)) and at least -max(s(1-t), t(1-s)).
 * The four sums of one from each are s, t, 1-t and 1-s, all at most 1.  For
 * a = b, u^2 lies in [0, R^2].  Equality for all a, b at once: everybody else
 * at the lower corner, x at the upper, y at the lower.  So entry (a,b) moves
 * by at most (n-1)/n^2 R_a R_b and the l1 sensitivity of the entries a <= b is
 * exactly (n-1)/n^2 sum_{a<=b} R_a R_b; of the full matrix (n-1)/n^2 (sum R)^2.
 * The paper has 8 gamma^2/n, where gamma >= (sum R)/2: at least 2 (sum R)^2/n,
 * more than twice as much.  Rounding an entry to the unit by floor(c + 1/2)
 * moves by at most the ceiling of the entry's own bound (noise.md 1.4).
 *
 * Numeric hazards.  |x| <= 2^62 and w < 2^64 give products below 2^127, which
 * are split at bit 64 before they are added.  Saturating the running total
 * would depend on the order of the records and break the sensitivity; here
 * only the final total saturates, a 1-Lipschitz map.
 */
#include "sums.h"

#include <stdlib.h>
#include <string.h>

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

static size_t
entries(size_t d, enum sums_kind kind)
{
	return kind == SUMS_PRODUCTS ? d + d * (d + 1) / 2 : d;
}

/* Place of product (a, b), a <= b: after the d sums, row by row. */
static size_t
place(size_t d, size_t a, size_t b)
{
	return d + a * d - a * (a + 1) / 2 + b;
}

bool
sums_init(struct sums *s, const struct sums_column *column, size_t d,
    enum sums_kind kind)
{
	struct total *total = calloc(entries(d, kind), sizeof(*total));

	if (total == NULL)
		return false;
	*s = (struct sums){ .d = d, .kind = kind, .column = column,
	    .total = total };
	return true;
}

void
sums_clear(struct sums *s)
{
	s->count = 0;
	memset(s->total, 0, entries(s->d, s->kind) * sizeof(*s->total));
}

u128
sums_steps(const struct sums_column *c)
{
	i128 width = (i128)c->hi - c->lo;

	return (u128)(c->unit <= 1 ? width : (width + c->unit / 2) / c->unit);
}

static __attribute__((noinline)) void
add_all(struct sums *s, const int64_t *x, uint64_t w)
{
	struct total *next = s->total + s->d;

	for (size_t a = 0; a < s->d; a++) {
		i128 z = sums_offset(&s->column[a], x[a]);

		total_add(&s->total[a], z, w);
		for (size_t b = a; s->kind == SUMS_PRODUCTS && b < s->d; b++)
			total_add(next++, z * sums_offset(&s->column[b],
			    x[b]), w);
	}
}

/* One column is the common case. */
void
sums_add(struct sums *s, const int64_t *x, uint64_t w)
{
	i128 z;

	s->count += w;
	if (s->d != 1) {
		add_all(s, x, w);
		return;
	}
	z = sums_offset(s->column, *x);
	total_add(s->total, z, w);
	if (s->kind != SUMS_ALONE)
		total_add(s->total + 1, z * z, w);
}

void
sums_add_many(struct sums *s, const int64_t *x, size_t n)
{
	const struct sums_column *c = s->column;
	i128 z = 0;

	if (s->d != 1 || s->kind != SUMS_ALONE || c->unit > 1) {
		for (size_t i = 0; i < n; i++)
			sums_add(s, &x[i * s->d], 1);
		return;
	}
	for (size_t i = 0; i < n; i++)
		z += fixed_clamp(x[i], c->lo, c->hi);
	s->count += n;
	total_add(s->total, z - (i128)n * c->center, 1);
}

i128
sums_sum(const struct sums *s, size_t a)
{
	return total_value(&s->total[a]);
}

i128
sums_product(const struct sums *s, size_t a, size_t b)
{
	return total_value(&s->total[a < b ? place(s->d, a, b)
	    : place(s->d, b, a)]);
}

/*
 * floor(C) and the rest f/n^2 of it, 0 <= f < n^2.  About the integer means
 * m = floor(S/n), r = S - n m, the scatter is P' = sum of (z_a - m_a)(z_b -
 * m_b) and C = P'/n - r_a r_b/n^2.  With P' = q n + e, 0 <= e < n, what is
 * left besides q is (e n - r_a r_b)/n^2, above -1 and below 1.
 */
static i128
whole(const struct sums *s, size_t a, size_t b, u128 *rest)
{
	i128 n = (i128)s->count, sa = sums_sum(s, a), sb = sums_sum(s, b);
	i128 ma = fixed_floor_div(sa, n), mb = fixed_floor_div(sb, n);
	i128 ra = sa - n * ma, rb = sb - n * mb;
	i128 scatter = sums_product(s, a, b) - ma * sb - mb * ra;
	i128 q = fixed_floor_div(scatter, n);
	i128 f = (scatter - q * n) * n - ra * rb;

	*rest = (u128)(f < 0 ? f + n * n : f);
	return f < 0 ? q - 1 : q;
}

/* [DMNS06 Section 3.2] */
bool
sums_covariance(const struct sums *s, size_t a, size_t b, u128 unit, i128 *c)
{
	u128 n = s->count, rest;
	i128 floor_c;

	if (n > SUMS_COUNT)
		return false;
	if (n == 0) {
		*c = 0;
		return true;
	}
	floor_c = whole(s, a, b, &rest);
	if (unit == 1)
		*c = floor_c + (rest >= n * n - rest);
	else
		*c = fixed_floor_div(floor_c + (i128)(unit / 2), (i128)unit);
	return true;
}

/* H_a: the largest distance of a clamped value from its center. */
static u128
reach(const struct sums_column *c)
{
	i128 up = (i128)c->hi - c->center, down = (i128)c->center - c->lo;

	return (u128)(up > down ? up : down);
}

/* R_a */
static u128
width(const struct sums_column *c)
{
	return (u128)((i128)c->hi - c->lo);
}

/* [DMNS06 Example 3] */
u128
sums_sens_hist(size_t bins, enum neighbors relation)
{
	return relation == NEIGHBORS_SWAP && bins > 1 ? 2 : 1;
}

/* [DMNS06 Section 3.2] */
u128
sums_sens_sum(const struct sums_column *column, size_t d,
    enum neighbors relation)
{
	u128 sum = 0;

	for (size_t a = 0; a < d; a++)
		sum += relation == NEIGHBORS_SWAP ? width(&column[a])
		    : reach(&column[a]);
	return sum;
}

static u128
ceil_div(u128 a, u128 b)
{
	return a / b + (a % b != 0);
}

/*
 * Numbers x_i, i = 1..n, in steps of their grid; neighbours change x_i by d_i
 * with sum |d_i| <= S, S a whole number of steps.  Each is rounded by
 * floor(x + 1/2), so it changes by a whole number c_i with |c_i| < |d_i| + 1,
 * by 0 where d_i is 0.
 *
 * [DMNS06 Proposition 1] Noise of scale S'/E on each number costs at most
 * E sum |c_i| / S', and so E, where that sum is at most S'.
 *
 * One number: |c| < S + 1 and hence |c| <= S.  S' = S.
 *
 * n numbers: sum |c_i| < S + n, and as it is whole, at most S + n - 1; that is
 * reached, by one number that moves by S - n e and n - 1 that move by e > 0
 * across the middle between two steps, where the first goes S steps.  S' = S +
 * n - 1.  Without these steps the loss of n numbers of S = 1 step would be n E.
 */
u128
sums_sens_rounded(u128 n, int64_t sens)
{
	return (u128)sens + (n > 0 ? n - 1 : 0);
}

/*
 * [DMNS06 Section 3.2] The ceiling of (n-1) R_a R_b / (n^2 unit).  Rounding up
 * twice is rounding up once.
 */
u128
sums_sens_covariance(const struct sums_column *a, const struct sums_column *b,
    u128 n, u128 unit)
{
	if (n < 2)
		return 0;
	return ceil_div(ceil_div((n - 1) * width(a) * width(b), n * n), unit);
}

size_t
sums_bin(const int64_t *edge, size_t n, int64_t x)
{
	size_t lo = 0, hi = n;

	if (x < edge[0] || x > edge[n])
		return n;
	while (hi - lo > 1) {
		size_t mid = lo + (hi - lo) / 2;

		if (x < edge[mid])
			hi = mid;
		else
			lo = mid;
	}
	return lo;
}
