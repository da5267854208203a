/*
 * noise: the exact samplers of [CKS20], sections 5.1 and 5.2, in integers.
 *
 * Method.  A coin with probability n/d gives a coin with exp(-n/d), by von
 * Neumann's series; this coin gives the geometric law and, with a sign, the
 * discrete Laplace law with scale t = s/r.
 *
 * Guarantee: with uniform bytes every law is exact; no rounding, no cut-off, no
 * floating point (but in noise_error95, where nothing is drawn).  Added to an
 * integer with sensitivity D, a Laplace draw with scale D/eps satisfies P[y |
 * x] / P[y | x'] <= e^(|x - x'| r/s) <= e^eps for every y: pure
 * eps-differential privacy, no delta.
 *
 * Departure from [CKS20]: round k of their series flips one coin with
 * probability n / (d k), and the modulus grows with k; here round k flips two
 * coins, 1/k and n/d, and no round overflows.
 *
 * Hazards: s, r, d < 2^63 (rng_bernoulli); v s + u < 2^127 in noise_geometric.
 * A draw's time depends on the draw: time is no part of the promise.
 */
#include "noise.h"

#include <math.h>

#include "meter.h"

#define SCALE_MAX (UINT64_MAX >> 1)

/*
 * From round 1 the series is exp(-x), x = n/d: round k is reached with
 * probability x^(k-1) / (k-1)! and survived with x/k, so the chance to stop in
 * an odd round is 1 - x + x^2/2! - x^3/3! + ... = e^-x.  For x = 1 round 3 is
 * reached with probability 1/2, so a start there has twice the terms from 1/2!
 * on: 2 (1/2! - 1/3! + ...) = 2/e.
 */
bool
noise_series(struct rng *r, uint64_t k, uint64_t n, uint64_t d)
{
	while (rng_bernoulli(r, 1, k) && rng_bernoulli(r, n, d))
		k++;
	return k & 1;
}

/*
 * The series without a jump for each coin, as a processor guesses half the
 * jumps wrong.  Coin by coin the series takes a byte for n/d, 1/2, n/d, 1/3,
 * n/d, and the first failure ends the series; here the five bytes are judged at
 * once, and the bytes up to the first failure are taken.  Where the deciding
 * byte is a digit of a probability, or no byte fails, or five bytes are not
 * there, no byte is taken, and the series is left to decide.  n < d.
 */
static inline bool
bern_exp_frac(struct rng *r, uint64_t n, uint64_t d)
{
	int64_t left0, left2, left4, top = (int64_t)(n << 8), all = (int64_t)d;
	uint64_t c, fails, digits;
	size_t i;

	if (d >> 55 != 0 || !rng_peek(r, &c))
		return noise_series(r, 1, n, d);
	left0 = top - (int64_t)((c & 255) * d);
	left2 = top - (int64_t)((c >> 16 & 255) * d);
	left4 = top - (int64_t)((c >> 32 & 255) * d);
	fails = (uint64_t)(left0 < all) | (c >> 15 & 1) << 1 |
	    (uint64_t)(left2 < all) << 2 |
	    (uint64_t)((c >> 24 & 255) >= 256 / 3) << 3 |
	    (uint64_t)(left4 < all) << 4;
	digits = (uint64_t)((uint64_t)left0 < d) |
	    (uint64_t)((uint64_t)left2 < d) << 2 |
	    (uint64_t)((c >> 24 & 255) == 256 / 3) << 3 |
	    (uint64_t)((uint64_t)left4 < d) << 4;
	if ((fails & -fails & ~digits) == 0)
		return noise_series(r, 1, n, d);
	i = (size_t)__builtin_ctzll(fails);
	r->next += i + 1;
	rng_taken(r);
	return ((i + 1) >> 1 & 1) == 0;	/* stopped in round 1 + (i + 1)/2 */
}

#define EACH(c) (UINT64_C(0x0101010101010101) * (c))
#define BYTES(a, b, c, d, e, f, g, h) ((uint64_t)(a) | (uint64_t)(b) << 8 | \
    (uint64_t)(c) << 16 | (uint64_t)(d) << 24 | (uint64_t)(e) << 32 | \
    (uint64_t)(f) << 40 | (uint64_t)(g) << 48 | (uint64_t)(h) << 56)

/*
 * Eight coins at once: byte i decides round k = i + 2, survived if below 256/k.
 * Bit 7 of 128 + t - c, c < 128, says c <= t, and borrows nothing from the next
 * byte.  A byte equal to floor(256/k) is only the first digit of 1/k, unless k
 * is a power of two: then the coin has failed.
 */
static inline bool
bern_exp_one(struct rng *r)
{
	const uint64_t below = EACH(128) | BYTES(127, 84, 63, 50, 41, 35, 31,
	    27), upto = EACH(128) | BYTES(127, 85, 63, 51, 42, 36, 31, 28);
	uint64_t c, low, fails, digits;
	size_t i;

	if (!rng_peek(r, &c))
		return noise_series(r, 1, 1, 1);
	low = c & EACH(127);
	fails = ~((below - low) & ~c) & EACH(128);
	digits = (upto - low) & ~c;
	if ((fails & -fails & ~digits) == 0)
		return noise_series(r, 1, 1, 1);
	i = (size_t)__builtin_ctzll(fails) >> 3;
	r->next += i + 1;
	return i & 1;		/* stopped in round i + 2 */
}

/*
 * [CKS20 Alg 1] exp(-n/d) = e^-1 ... e^-1 (n div d times) e^-((n mod d) / d).
 * The loop ends at the first failure, after less than 1.6 rounds on average,
 * however large n is.
 */
bool
noise_bern_exp(struct rng *r, u128 n, uint64_t d)
{
	u128 i = n >> 64 ? n / d : (uint64_t)n / d;
	uint64_t f = (uint64_t)n - (uint64_t)i * d;	/* mod 2^64 is enough */

	for (; i > 0; i--)
		if (!bern_exp_one(r))
			return false;
	return f == 0 || bern_exp_frac(r, f, d);
}

/*
 * [CKS20 Alg 2] u on 0..s-1 with weight e^(-u/s), and v with weight e^-v, make
 * v s + u geometric with ratio e^(-1/s).  Taking r successive values together
 * gives the ratio e^(-r/s).  v has to be drawn afresh: the count of rejected u
 * has a slightly different law.  A u is accepted with probability (1 - 1/e) /
 * (s (1 - e^(-1/s))) > 0.632.
 */
u128
noise_geometric(struct rng *r, const struct scale *t)
{
	uint64_t u, v = 0;
	u128 x;

	do {
		u = rng_below(r, t->s);
	} while (u != 0 && !bern_exp_frac(r, u, t->s));
	while (bern_exp_one(r))
		v++;
	x = (u128)v * t->s + u;
	if (t->r == 1)
		return x;
	return x >> 64 ? x / t->r : (uint64_t)x / t->r;
}

/*
 * [CKS20 Alg 2] A sign and a geometric magnitude.  Zero would come up with
 * either sign, so -0 is rejected: otherwise 0 had twice its weight.
 */
i128
noise_laplace(struct rng *r, const struct scale *t)
{
	i128 x, minus;

	do {
		minus = -(i128)(rng_byte(r) & 1);
		x = (i128)noise_geometric(r, t);
	} while (x == 0 && minus != 0);
	METER_DREW(t);
	return (x ^ minus) - minus;	/* x or -x, without a lost branch */
}

bool
scale_make(struct scale *t, u128 sens, struct rational eps)
{
	u128 g, s, r;

	if (sens == 0 || eps.num <= 0 || eps.den <= 0 ||
	    !rational_make(&eps, eps.num, eps.den))
		return false;
	g = wide_gcd(sens, (u128)eps.num);
	r = (u128)eps.num / g;
	if (__builtin_mul_overflow(sens / g, (u128)eps.den, &s) ||
	    s > SCALE_MAX || r > SCALE_MAX)
		return false;
	*t = (struct scale){ (uint64_t)s, (uint64_t)r };
	return true;
}

/*
 * With a = e^(-1/t), P[X = x] = (1 - a) / (1 + a) a^|x|, whose tail is a
 * geometric series:
 *	P[|X| > m] = 2 (1 - a) / (1 + a) (a^(m+1) + a^(m+2) + ...)
 *	    = 2 a^(m+1) / (1 + a),
 * at most q = 1 - p exactly from m + 1 >= t L on, where L = ln(2 / (q (1 + a)))
 * > 0 as q, a < 1.  Computed in doubles: exp, log and the quotients have
 * relative errors below 2^-51, and L is below 90 (q > 2^-126), so L is off by
 * less than 2^-43; with the addition the result is certain to be large enough.
 */
double
noise_reach(const struct scale *t, struct rational p)
{
	double scale = (double)t->s / (double)t->r;
	double q = (double)(p.den - p.num) / (double)p.den;
	double l = log(2 / (q * (1 + exp(-1 / scale))));

	return ceil(scale * (l + 0x1p-42)) - 1;
}

double
noise_error95(const struct scale *t)
{
	return noise_reach(t, (struct rational){ 19, 20 });
}
