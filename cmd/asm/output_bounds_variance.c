/*
 * output_bounds_variance: output bounds of the variance (divided by n).
 *
 * SS(A) is the sum of squared distances from the mean of A.  Sizes: with |x| <=
 * 2^62 and fewer than 2^41 records every n Q - P^2 below is under 2^210, within
 * 256 bits, and a variance is below 2^126.
 *
 * Lower, swap [D24 Lemma 5.2]: L^l = (smallest SS of n - l points) / n, and the
 * n - l points are consecutive in sorted order; 0 beyond l = n.  Lower,
 * add-remove [D24 Appendix B.3]: remove r points and add s = l - r.  Points
 * added at the mean keep SS, no points lower SS, and the count becomes n + l -
 * 2r, so
 *	L^l = min over r <= min(l, n) of SS_r / (n + l - 2r),  0/0 = 0,
 * SS_r the smallest SS of n - r points.  Adding more only lowers the quotient,
 * so l steps are used.
 *
 * Upper, data in [A, B], m0 the midpoint.  D(mu) = max(B - mu, mu - A) is the
 * farthest a value can be from mu.  Let
 *	W_s(x) = min over real mu of sum_i (x_i - mu)^2 + s D(mu)^2.
 * W_0 = SS.  For every mu, a record less lowers the sum by at least 0 and a
 * record more raises the sum by at most D(mu)^2, hence
 *	W_s(x + z) <= W_(s+1)(x),  W_s(x) <= W_s(x + z),
 *	and for a swap W_s(x) <= W_(s+1)(x').
 * Swap: U^l = W_l / n.  By the last line U^l(x) <= U^(l+1)(x') for neighbours,
 * and U^0 = Var, so by induction U^l bounds the variance at distance l: the two
 * parts of [D24 Definition A.1].  D <= B - A and W_l at the mean give W_l <= SS
 * + l (B-A)^2, so U^l is never above [D24 Lemma 5.4].  Add-remove: U^l = max
 * over s + r = l of W_s / (n + s - r), infinite where n + s - r <= 0.
 * W_s(x+z)/(n+1+s-r) <= W_(s+1)(x)/(n+(s+1)-r), and W_s(x)/(n+s-r) <=
 * W_s(x+z)/((n+1)+s-(r+1)): Definition A.1 again.  No variance exceeds
 * (B-A)^2/4, a public constant, so the minimum with this constant is a bound
 * that satisfies Definition A.1 too.
 *
 * W_s in closed form: say the mean is <= m0 (mirror otherwise).  At mu <= m0
 * the objective is sum (x_i - mu)^2 + s (B - mu)^2, which is SS for the data
 * with s copies of B added, taken at the mean if <= m0.  If not, the objective
 * falls up to m0 and rises after m0, and
 *	W_s = sum (x_i - m0)^2 + s (B-A)^2 / 4.
 */
#include <stdlib.h>

#include "asm/size/code.h"
#include "number/fixed.h"
#include "number/memory.h"
#include "number/neighbors.h"
#include "output_bounds.h"
#include "tally.h"

static struct wide
square_of(i128 x)
{
	return wide_mul(fixed_size(x), fixed_size(x));
}

/*
 * a / d / e rounded down or up; 0 < d, e < 2^127.  The quotient is taken in
 * stages: floor(floor(u/v)/w) = floor(u/(vw)), and so with ceilings: no product
 * of divisors has to fit.
 */
static struct wide
divide_twice(struct wide a, u128 d, u128 e, bool up)
{
	a = wide_part(a, d, up);
	return e == 1 ? a : wide_part(a, e, up);
}

/*
 * The sum of squared distances from the mean, for k >= 1 values with this sum
 * and this sum of squares, over unit, rounded down or up.
 */
static struct wide
spread_of(uint64_t k, struct wide squares, i128 sum, u128 unit, bool up)
{
	return divide_twice(wide_sub(wide_times(squares, k), square_of(sum)), k,
	    unit, up);
}

/* a / d, or 0 for 0/0, in steps or as a code. */
static int64_t
output(const struct output_bounds *b, struct wide a, uint64_t d, bool up)
{
	if (a.hi == 0 && a.lo == 0)
		return 0;
	return output_bounds_step(wide_part(a, d, up), b->coded, up);
}

/* Sums over the first i values at one end, at place i. */
struct prefix {
	i128 sum;
	struct wide squares;
};

static struct prefix *
prefixes(const int64_t *x, size_t n)
{
	struct prefix *p = err_alloc(NULL, n + 1, sizeof(*p));

	for (size_t i = 0; i < n; i++)
		p[i + 1] = (struct prefix){ p[i].sum + x[i],
		    wide_add(p[i].squares, square_of(x[i])) };
	return p;
}

/* The least k Q - P^2 with r points removed, i from below. */
static struct wide
least_narrow(const struct tally *t, const struct prefix *low,
    const struct prefix *high, size_t r)
{
	u128 best = (u128)-1, s;

	for (size_t i = 0; i <= r; i++) {
		i128 p = t->sum - low[i].sum - high[r - i].sum;

		s = (t->squares.lo - low[i].squares.lo -
		    high[r - i].squares.lo) * (t->n - r) - (u128)(p * p);
		best = FIXED_LEAST(s, best);
	}
	return (struct wide){ 0, best };
}

static struct wide
least_wide(const struct tally *t, const struct prefix *low,
    const struct prefix *high, size_t r)
{
	struct wide best = { 0, 0 }, s;

	for (size_t i = 0; i <= r; i++) {
		s = wide_sub(t->squares, wide_add(low[i].squares,
		    high[r - i].squares));
		s = wide_sub(wide_times(s, t->n - r),
		    square_of(t->sum - low[i].sum - high[r - i].sum));
		if (i == 0 || wide_cmp(s, best) < 0)
			best = s;
	}
	return best;
}

/*
 * SS_r / unit, rounded up.  Where 127 bits hold n Q for the data they hold k Q
 * for any k values, and P^2 <= k Q.
 */
static struct wide
smallest_spread(const struct tally *t, const struct prefix *low,
    const struct prefix *high, size_t r, u128 unit)
{
	uint64_t k = t->n - r;
	bool narrow = t->squares.hi == 0 && k >= 2 &&
	    t->squares.lo <= ((u128)1 << 126) / t->n;
	struct wide spread;

	if (k < 2)
		return (struct wide){ 0, 0 };
	if (narrow)
		spread = least_narrow(t, low, high, r);
	else
		spread = least_wide(t, low, high, r);
	return divide_twice(spread, k, unit, true);
}

/* [D24 Lemma 5.2, Lemma 5.3]; add-remove: Appendix B.3. */
static void
fill_lower(struct output_bounds *b, const struct tally *t,
    const struct wide *spread, enum neighbors relation)
{
	int64_t x;

	for (size_t l = 0; l <= b->c; l++) {
		if (relation == NEIGHBORS_SWAP) {
			b->lo[l] = 0;
			if (l <= t->ends)
				b->lo[l] = output(b, spread[l], t->n,
				    true);
			continue;
		}
		b->lo[l] = OUTPUT_INF;
		for (size_t r = 0; r <= l && r <= t->ends; r++) {
			x = output(b, spread[r], t->n + l - 2 * r, true);
			b->lo[l] = FIXED_LEAST(x, b->lo[l]);
		}
	}
}

/* W_s / unit, rounded down. */
static struct wide
largest_spread(const struct tally *t, const struct limits *limits, uint64_t s,
    u128 unit)
{
	i128 ends = (i128)limits->least + limits->most, n = (i128)t->n;
	i128 width = (i128)limits->most - limits->least;
	bool low = 2 * t->sum <= n * ends;
	i128 far = low ? limits->most : limits->least;
	i128 sum = t->sum + (i128)s * far, twice = 2 * sum - (n + s) * ends;
	struct wide a, minus;

	if (n + s == 0)
		return (struct wide){ 0, 0 };
	a = wide_add(t->squares, wide_times(square_of(far), s));
	if ((low && twice <= 0) || (!low && twice >= 0))
		return spread_of((uint64_t)(n + s), a, sum, unit, false);
	/* 4 W = 4 Q + n ends^2 + s width^2 - 4 P ends */
	a = wide_add(wide_times(t->squares, 4),
	    wide_times(square_of(ends), (uint64_t)n));
	a = wide_add(a, wide_times(square_of(width), s));
	minus = wide_mul(fixed_size(t->sum), 4 * fixed_size(ends));
	if ((t->sum < 0) == (ends < 0))
		a = wide_sub(a, minus);
	else
		a = wide_add(a, minus);
	return divide_twice(a, 4, unit, false);
}

/* Under add-remove, l < n: max over s + r = l of W_s / (n + s - r). */
static int64_t
largest_output(const struct output_bounds *b, const struct wide *spread,
    uint64_t n, size_t l)
{
	int64_t most = 0, x;

	for (size_t r = 0; r <= l; r++) {
		x = output(b, spread[l - r], n + l - 2 * r, false);
		most = FIXED_MOST(x, most);
	}
	return most;
}

/* [D24 Lemma 5.4], sharpened; add-remove: Appendix B.3. */
static void
fill_upper(struct output_bounds *b, const struct tally *t,
    const struct wide *spread, int64_t cap, enum neighbors relation)
{
	uint64_t n = t->n;

	for (size_t l = 0; l <= b->c; l++) {
		b->hi[l] = 0;
		if (l > 0 && l >= n && relation != NEIGHBORS_SWAP)
			b->hi[l] = cap;
		else if (n > 0 && relation == NEIGHBORS_SWAP)
			b->hi[l] = output(b, spread[l], n, false);
		else if (n > 0)
			b->hi[l] = largest_output(b, spread, n, l);
		b->hi[l] = FIXED_LEAST(b->hi[l], cap);
	}
}

void
output_bounds_variance(struct output_bounds *b, const struct tally *t,
    u128 unit, const struct limits *limits, enum neighbors relation)
{
	struct prefix *low = prefixes(t->low, t->ends);
	struct prefix *high = prefixes(t->high, t->ends);
	struct wide *spread = err_alloc(NULL, b->c + 1, sizeof(*spread));
	struct wide width;
	int64_t cap;

	for (size_t l = 0; l <= t->ends; l++)
		spread[l] = smallest_spread(t, low, high, l, unit);
	fill_lower(b, t, spread, relation);
	if (limits->has_least && limits->has_most) {
		width = square_of((i128)limits->most - limits->least);
		for (size_t l = 0; l <= b->c; l++)
			spread[l] = largest_spread(t, limits, l, unit);
		cap = output(b, divide_twice(width, 4, unit, false), 1, false);
		fill_upper(b, t, spread, cap, relation);
	} else {
		b->hi[0] = 0;
		if (t->n > 0)
			b->hi[0] = output(b, spread_of(t->n, t->squares,
			    t->sum, unit, false), t->n, false);
		for (size_t l = 1; l <= b->c; l++)
			b->hi[l] = OUTPUT_INF;
	}
	free(low);
	free(high);
	free(spread);
}

/* floor((floor(2 SS / (n unit)) + 1) / 2) = floor(SS / (n unit) + 1/2) */
i128
output_bounds_variance_value(const struct tally *t, u128 unit)
{
	struct wide a;

	if (t->n == 0)
		return 0;
	a = wide_sub(wide_times(t->squares, t->n), square_of(t->sum));
	a = wide_part(divide_twice(wide_add(a, a), t->n, unit, false), t->n,
	    false);
	return (i128)(FIXED_LEAST(a.lo, CODE_MOST) + 1) / 2;
}
