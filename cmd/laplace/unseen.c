/*
 * unseen: noise on the counts for a huge public set of keys, most counts 0.
 *
 * With a = e^(-1/t), the noise X has P[X = x] = (1 - a)/(1 + a) a^|x|, so for
 * T >= 1
 *	P[X >= T] = a^T / (1 + a),	P[X = T + j | X >= T] = (1 - a) a^j.
 *
 * Method.  With x = T/t and a whole number k <= x,
 *	a^T / (1 + a) = (1/2)^k (2/e)^k e^-(x - k) 1/(1 + a):
 * a key reaches T if the key passes k coins 1/2, k coins 2/e and two more,
 * independent.  The coins 1/2 are thrown for every key at once, by drawing the
 * gaps between the keys that pass k coins, which are geometric with parameter
 * 2^-k; only those keys throw the rest.  With T/t about ln U, U^0.31 keys
 * remain instead of U: 5,000 of 10^15.
 *
 * Guarantee: with uniform bytes, the found ranks have exactly the law of U
 * independent events with probability P[X >= T], and the noise there is exact,
 * too.  A caller leaves out the ranks of keys with records, which draw separate
 * noise; as the events are independent, the ranks left have the law for keys
 * without records.  Hence the output has the law of U noisy counts cut at T.
 * Integers only.
 */
#include "unseen.h"

#include "random/personal.h"

#define LOG 56		/* fraction bits in logarithms */
#define HALVES 62	/* k at most */
#define LN2 UINT64_C(0x58b90bfbe8e7bcd5)	/* floor(2^63 ln 2) */

/*
 * Lower (or upper) bound of log2(n) 2^LOG: bit by bit, by squaring.  Every step
 * is rounded in one direction, and squaring and halving are monotonic, so the
 * result is on that side of the logarithm; roundings of y, with relative size
 * 2^-63 each, move the result by less than 2^-60 together.
 */
static i128
log2_bound(u128 n, unsigned up)
{
	int e = 127 - (n >> 64 ? __builtin_clzll((uint64_t)(n >> 64)) :
	    64 + __builtin_clzll((uint64_t)n));
	u128 y = e <= 63 ? n << (63 - e) : n >> (e - 63), square;
	i128 log = e;

	if (e > 63 && y << (e - 63) != n)
		y += up;
	for (int i = 0; i < LOG; i++) {
		unsigned bit, shift;

		if (y >> 64) {		/* rounded up to 2 */
			y >>= 1;
			log++;
		}
		square = y * y;
		bit = (unsigned)(square >> 127);
		shift = 63 + bit;
		y = square >> shift;
		if (y << shift != square)
			y += up;
		log = 2 * log + bit;
	}
	return log + up;
}

/*
 * keys a^T / (1 + a) <= most says T/t >= ln(keys / (most (1 + a))), and the
 * code takes an upper bound.
 */
u128
unseen_threshold(uint64_t keys, struct rational most, const struct scale *t)
{
	u128 one = PERSONAL_ONE, part = (u128)t->r << LOG, n, threshold;
	i128 log = log2_bound((u128)keys * (u128)most.den, 1) -
	    log2_bound((u128)most.num, 0) -
	    (log2_bound(one + personal_fade((struct rational){ t->r, t->s },
	    FIXED_FLOOR), 0) - log2_bound(one, 0));

	if (log <= 0)
		return 1;
	n = (((u128)log * (LN2 + 1)) >> 63) + 1;
	threshold = n * t->s / part + (n * t->s % part != 0);
	return threshold > 0 ? threshold : 1;
}

void
unseen_start(struct unseen *u, uint64_t keys, u128 threshold,
    const struct scale *t)
{
	u128 halves = threshold * t->r / t->s;

	*u = (struct unseen){ .keys = keys, .t = *t, .threshold = threshold,
	    .halves = halves < HALVES ? (unsigned)halves : HALVES };
}

/*
 * (1 - q)^m for q = 2^-k and m <= 2^k.  Round j is survived with probability
 * (m - j + 1) q / j, rounds 1 to j with C(m, j) q^j, so the chance to stop in
 * an odd round is 1 - m q + C(m, 2) q^2 - ... = (1 - q)^m.
 */
static bool
none_of(struct rng *r, uint64_t m, unsigned k)
{
	uint64_t j = 1;

	while (j <= m && rng_bernoulli(r, 1, j) &&
	    rng_bernoulli(r, m - j + 1, (uint64_t)1 << k))
		j++;
	return j & 1;
}

/*
 * Keys that fail before the next key that passes k coins 1/2: geometric with
 * ratio 1 - q, made from blocks of 2^k and the rest as in [CKS20 Alg 2].  Ends
 * when `room` blocks have failed.
 */
static u128
gap(struct rng *r, unsigned k, uint64_t room)
{
	uint64_t u, v = 0;

	do {
		u = rng_below(r, (uint64_t)1 << k);
	} while (!none_of(r, u, k));
	while (v <= room && none_of(r, (uint64_t)1 << k, k))
		v++;
	return ((u128)v << k) + u;
}

/* 1/(1 + a): the noise is not negative, as drawn by noise_laplace. */
static bool
not_below(struct rng *r, const struct scale *t)
{
	while (!rng_bernoulli(r, 1, 2))
		if (noise_bern_exp(r, t->r, t->s))
			return false;
	return true;
}

/* Does a key that has passed the coins 1/2 reach the threshold? */
static bool
reaches(const struct unseen *u, struct rng *r)
{
	for (unsigned i = 0; i < u->halves; i++)
		if (!noise_series(r, 3, 1, 1))	/* 2/e */
			return false;
	return noise_bern_exp(r, u->threshold * u->t.r -
	    (u128)u->halves * u->t.s, u->t.s) && not_below(r, &u->t);
}

bool
unseen_next(struct unseen *u, struct rng *r, uint64_t *rank)
{
	for (;;) {
		u->next += gap(r, u->halves, u->keys >> u->halves);
		if (u->next >= u->keys)
			return false;
		*rank = (uint64_t)u->next++;
		if (reaches(u, r))
			return true;
	}
}

u128
unseen_noise(const struct unseen *u, struct rng *r)
{
	return u->threshold + noise_geometric(r, &u->t);
}
