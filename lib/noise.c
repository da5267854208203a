/*
 * noise: the exact samplers of [CKS20], sections 5.1 and 5.2, in integers.
 *
 * Method.  A coin with probability n/d gives one with exp(-n/d), by von
 * Neumann's series; that one gives the geometric law and, with a sign, the
 * discrete Laplace law with scale t = s/r.
 *
 * Guarantee: with uniform bytes every law is exact; no rounding, no cut-off,
 * no floating point (noise_error95 apart, which draws nothing).  Added to an
 * integer of sensitivity D, the Laplace draw of scale D/eps satisfies
 * P[y | x] / P[y | x'] <= e^(|x - x'| r/s) <= e^eps for every y: pure
 * eps-differential privacy, no delta.
 *
 * Departure from [CKS20]: their series flips one coin of probability
 * n / (d k) in round k, whose modulus grows with k; here it is two coins, 1/k
 * and n/d, so nothing overflows in any round.
 *
 * Hazards: s, r, d < 2^63 (rng_bernoulli); v s + u < 2^127 in
 * geometric.  The time of a draw depends on its result: tools draw
 * before they read.
 */
#include "noise.h"

#include <math.h>

#define SCALE_MAX (UINT64_MAX >> 1)

/*
 * exp(-x) for x = n/d in [0, 1].  Round k is reached with probability
 * x^(k-1) / (k-1)! and survived with x/k, so the chance to stop in an odd
 * round is 1 - x + x^2/2! - x^3/3! + ... = e^-x.  The starting round is a
 * parameter because the coins of the first one are sure where x = 1.
 */
static bool
bern_exp_frac(struct rng *r, uint64_t n, uint64_t d)
{
	uint64_t k = 1;

	while (rng_coin(r, 1, k) && rng_coin(r, n, d))
		k++;
	return k & 1;
}

/* exp(-1): x = 1, where the first round is always survived. */
static bool
bern_exp_one(struct rng *r)
{
	uint64_t k = 2;

	while (rng_coin(r, 1, k))
		k++;
	return k & 1;
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
 * [CKS20 Alg 2] u on 0..s-1 with weight e^(-u/s), and v with weight e^-v,
 * make v s + u geometric of ratio e^(-1/s).  Taking r successive values
 * together gives the ratio e^(-r/s).  v has to be drawn afresh: the number of
 * rejected u has a slightly different law.  A u is accepted with probability
 * (1 - 1/e) / (s (1 - e^(-1/s))) > 0.632.
 */
static inline u128
geometric(struct rng *r, const struct scale *t)
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

u128
noise_geometric(struct rng *r, const struct scale *t)
{
	return geometric(r, t);
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
		x = (i128)geometric(r, t);
	} while (x == 0 && minus != 0);
	return (x ^ minus) - minus;	/* x or -x, without a lost branch */
}

static u128
gcd(u128 a, u128 b)
{
	while (b != 0) {
		u128 c = a % b;

		a = b;
		b = c;
	}
	return a;
}

bool
scale_make(struct scale *t, u128 sens, struct rational eps)
{
	struct rational e;
	u128 g, s, r;

	if (sens == 0 || eps.num <= 0 || eps.den <= 0 ||
	    !rational_make(&e, eps.num, eps.den))
		return false;
	g = gcd(sens, (u128)e.num);
	r = (u128)e.num / g;
	if (__builtin_mul_overflow(sens / g, (u128)e.den, &s) ||
	    s > SCALE_MAX || r > SCALE_MAX)
		return false;
	*t = (struct scale){ (uint64_t)s, (uint64_t)r };
	return true;
}

/*
 * P[|X| > m] = 2 a^(m+1) / (1 + a) with a = e^(-1/t), at most 1/20 from
 * m + 1 >= t ln(40 / (1 + a)) on.
 */
double
noise_error95(const struct scale *t)
{
	double scale = (double)t->s / (double)t->r;

	return ceil(scale * log(40 / (1 + exp(-1 / scale)))) - 1;
}
