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
 * integers in units of 2^-126.  e^-x comes as an integer interval [lo, hi]:
 * every product is rounded down for lo and up for hi (factors are >= 0), and
 * the alternating series of e^-f, 0 <= f < 1, is cut after a subtracted term
 * for lo and after an added term for hi; the terms decrease, so the two partial
 * sums enclose the limit.
 *
 * Precision: some 100 units for each, so the relative error of L2 is below
 * 2^-58 even for eps = 10^-18, and far smaller for eps in use.
 */
#include "personal.h"

#define UNIT ((u128)1 << 126)		/* 1 in units of 2^-126 */
#define TERMS 36			/* even; 1/36! < 2^-126 */
#define FAR 128				/* e^-128 < 2^-126 */

struct span {
	u128 lo;
	u128 hi;
};

/* floor(s a / b), b <= 2^126, a <= b. */
static u128
scaled(u128 s, u128 a, u128 b)
{
	u128 rem;

	return wide_div(wide_mul(s, a), b, &rem).lo;
}

/* a * b in units of 2^-126, both at most UNIT, rounded down. */
static u128
times(u128 a, u128 b)
{
	struct wide w = wide_mul(a, b);

	return w.hi << 2 | w.lo >> 126;
}

static struct span
span_times(struct span a, struct span b)
{
	struct span c = { times(a.lo, b.lo), times(a.hi, b.hi) + 1 };

	c.hi = c.hi > UNIT ? UNIT : c.hi;
	return c;
}

/*
 * e^-f, 0 <= f <= 1: 1 - t_1 + t_2 - ..., t_k = f^k / k!.  The lower sum stops
 * after the odd term t_(TERMS-1), the upper after t_TERMS.  A partial sum may
 * leave [0, 1] by rounding; only the end result is cut.
 */
static struct span
exp_series(struct span f)
{
	struct span t = { UNIT, UNIT }, sum;
	i128 lo = (i128)UNIT, hi = (i128)UNIT;

	for (unsigned k = 1; k <= TERMS; k++) {
		t = span_times(t, f);
		t.lo /= k;
		t.hi = t.hi / k + 1;
		if (k % 2 == 1) {
			lo -= (i128)t.hi;
			hi -= (i128)t.lo;
		} else {
			lo += k < TERMS ? (i128)t.lo : 0;
			hi += (i128)t.hi;
		}
	}
	sum.lo = lo > 0 ? (u128)lo : 0;
	sum.hi = hi < (i128)UNIT ? (u128)hi : UNIT;
	return sum;
}

/* e^-x for x >= 0: the whole part by powers of 1/e, then the fraction. */
static struct span
exp_minus(struct rational x)
{
	u128 whole = (u128)(x.num / x.den), rest = (u128)(x.num % x.den);
	struct span f = { 0, 0 }, one = { UNIT, UNIT }, e, y;

	f.lo = scaled(UNIT, rest, (u128)x.den);
	f.hi = f.lo + (rest != 0);
	y = exp_series(f);
	e = exp_series(one);
	if (whole > FAR) {		/* lo = 0 is right, hi is for e^-FAR */
		whole = FAR;
		y.lo = 0;
	}
	while (whole-- > 0)
		y = span_times(y, e);
	return y;
}

uint64_t
personal_fade(struct rational x, bool above)
{
	struct span e = exp_minus(x);

	return (uint64_t)(above ? ((e.hi - 1) >> 64) + 1 : e.lo >> 64);
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
	l1 = exp_minus(gap).lo;
	l2 = UNIT - exp_minus(eps).hi;
	u3 = UNIT - exp_minus(total).lo;
	return (uint64_t)scaled(PERSONAL_ONE, times(l1, l2), u3);
}

/* [JYC15], with one coin for w records */
uint64_t
personal_thin(struct rng *r, uint64_t w, uint64_t p)
{
	u128 x = (u128)w * p;
	uint64_t fraction = (uint64_t)x & (PERSONAL_ONE - 1);

	return (uint64_t)(x / PERSONAL_ONE) +
	    (fraction > 0 && rng_bernoulli(r, fraction, PERSONAL_ONE));
}
