/*
 * personal: the records that a release keeps where each has a private epsilon.
 *
 * [JYC15] Jorgensen, Yu, Cormode: Conservative or liberal? Personalized
 * differential privacy, ICDE 2015, its sampling mechanism.
 *
 * Why sampling is private, for p_i <= (e^eps_i - 1) / (e^E - 1) <= 1: fix the
 * other coins.  With record i the output y has the probability (1 - p) A + p B,
 * without it A, where e^-E A <= B <= e^E A.  Above:
 *     (1 - p) A + p B <= A (1 + p (e^E - 1)) <= A e^eps_i.
 * Below: it is >= A (1 - p (1 - e^-E)), and p <= e^(eps_i - E) (1 - e^-eps_i) /
 * (1 - e^-E) <= (1 - e^-eps_i) / (1 - e^-E) as eps_i <= E, so it is >= A
 * e^-eps_i.  The average over coins keeps both bounds.  A smaller p is as
 * private: rounding p down is the safe direction.
 *
 * Equal records on one line (w records, one p): not w coins but one,
 *     K(w) = floor(w p + U), U uniform on [0, 1) at random.
 * Let x = e^E, A_k the probability of y when k are kept, so that A_(k+1) / A_k
 * is in [1/x, x], and f the fraction of w p.  Another record adds p to f:
 *   f + p <= 1:  ((1 - f - p) A_0 + (f + p) A_1) / ((1 - f) A_0 + f A_1)
 *   f + p > 1:   ((2 - f - p) A_1 + (f + p - 1) A_2) / ((1 - f) A_0 + f A_1)
 * (counting k from floor(w p)).  Both grow with A_1 / A_0 and A_2 / A_1, so in
 * the extremes every ratio is x, or every ratio 1/x; both are then quotients of
 * linear functions of f, monotone, with extremes at the ends: for ratios x, 1 +
 * p (x - 1) at f = 0 and f = 1, and at f = 1 - p 1 / (1 - p (1 - 1/x)), no
 * larger: convex in p, and equal to 1 + p (x - 1) at p = 0 and p = 1.  So the
 * ratio is at most 1 + p (x - 1) <= e^eps.  For ratios 1/x, at the three ends:
 * 1 - p (1 - 1/x) and 1 / (1 + p (x - 1)), the second is smaller (mean and
 * harmonic mean of x and 1), and at least e^-eps.  For w = 1 K(w) is the coin
 * above; for larger w the number kept varies by less than 1 where coins vary by
 * sqrt(w p (1-p)).
 *
 * One sample, one release: N releases from one sample would be an N E-private
 * mechanism after sampling for E, and 1 + p (e^(N E) - 1) exceeds e^(N eps) as
 * soon as eps < E, N > 1.
 *
 * How p is found, with integers only: p = L1 L2 / U3 where
 *     L1 <= e^-(E - eps),  L2 <= 1 - e^-eps,  U3 >= 1 - e^-E,
 * integers in units of 2^-126.  e^-x comes from exp_minus within OFF units:
 * with f the fraction of x and y_k = 1 - (f/k) y_(k+1), y_(TERMS+1) = 1, y_1 is
 * the series of e^-f, cut where the next term is below a unit.  f, each product
 * and each quotient lose less than a unit; an error of y_(k+1) enters y_k with
 * the factor f/k at most, so y_1 is off by less than 1 + 2 (1 + 1 + 1/2 + 1/6 +
 * ...) + 1 < 8.  A factor 1/e, off by 8, turns the error d of a product below 1
 * into less than d/e + 8 + 1, which stays below 16.  Powers beyond e^-FAR are
 * below a unit, and so is the product.
 *
 * Precision: L2 is off by 2 OFF at most, so the relative error is below 2^-60
 * even for eps = 10^-18, and far smaller for eps in use.
 */
#include "personal.h"

#define UNIT ((u128)1 << 126)		/* 1 in units of 2^-126 */
#define TERMS 36			/* 1/36! < 2^-126 */
#define OFF 16				/* units */
#define FAR 128				/* e^-128 < 2^-126 */

/* floor(s a / b), b <= 2^126, a <= b. */
static u128
scaled(u128 s, u128 a, u128 b)
{
	u128 rem;

	return wide_div(wide_mul(s, a), b, &rem).lo;
}

/* a * b in units of 2^-126, both at most UNIT, rounded down. */
static u128
times_units(u128 a, u128 b)
{
	struct wide w = wide_mul(a, b);

	return w.hi << 2 | w.lo >> 126;
}

/* e^-f for 0 <= f <= 1. */
static u128
exp_series(u128 f)
{
	u128 y = UNIT;

	for (unsigned k = TERMS; k > 0; k--)
		y = UNIT - times_units(y, f) / k;
	return y;
}

/*
 * OFF above e^-x for x >= 0, at most, or as far below: the whole part by powers
 * of 1/e, then the fraction.
 */
static u128
exp_minus(struct rational x, bool above)
{
	u128 whole = (u128)(x.num / x.den), e = exp_series(UNIT);
	u128 y = exp_series(scaled(UNIT, (u128)(x.num % x.den), (u128)x.den));

	for (whole = FIXED_LEAST(whole, FAR); whole > 0; whole--)
		y = times_units(y, e);
	if (above)
		return FIXED_LEAST(y + OFF, UNIT);
	return FIXED_MOST(y, OFF) - OFF;
}

uint64_t
personal_fade(struct rational x, enum fixed_mode mode)
{
	if (mode == FIXED_CEIL)
		return (uint64_t)((exp_minus(x, true) - 1) >> 64) + 1;
	return (uint64_t)(exp_minus(x, false) >> 64);
}

/* [JYC15] */
uint64_t
personal_keep(struct rational eps, struct rational total)
{
	struct rational gap;
	u128 l1, l2, u3;

	if (rational_sign(eps) <= 0)
		return 0;
	if (rational_cmp(eps, total) >= 0)
		return PERSONAL_ONE;
	if (!rational_sub(&gap, total, eps))
		return 0;
	l1 = exp_minus(gap, false);
	l2 = UNIT - exp_minus(eps, true);
	u3 = UNIT - exp_minus(total, false);
	return (uint64_t)scaled(PERSONAL_ONE, times_units(l1, l2), u3);
}

/* [JYC15], with one coin for w records */
uint64_t
personal_thin(struct rng *r, uint64_t w, uint64_t p)
{
	u128 x = (u128)w * p;
	uint64_t fraction = (uint64_t)x & (PERSONAL_ONE - 1);

	return METER_KEPT((uint64_t)(x / PERSONAL_ONE) + (fraction > 0 &&
	    rng_bernoulli(r, fraction, PERSONAL_ONE)), p);
}
