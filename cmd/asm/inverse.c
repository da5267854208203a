/*
 * inverse: the exponential mechanism over inverse sensitivities, exactly.
 *
 * len(t) changes by at most one between neighbours [D24 Lemma A.6], so both
 * mechanisms with scores -len(t) and the factor 1/2 are eps-differentially
 * private when their laws are exact.  A run of M points with the same x =
 * eps (len - least len) / 2 has p = exp(-x) for each point.
 *
 * Domination.  p <= 2^-j for j = floor(10 x / 7), because 0.7 > ln 2, and
 * what is left is a coin that integers can throw:
 *	2^j p = (2 exp(-0.7))^j exp(-(x - 0.7 j)).
 * 2 exp(-0.7) = exp(-d), d = 0.7 - ln 2, follows from a coin of chance d by
 * von Neumann's series.  ln 2 = sum of 1/(k 2^k) over k >= 1, so d is 1/30
 * less the sum over k >= 4: a coin of 1/30 and not another of chance
 * 30 sum over k >= 4 of 1/(k 2^k), which is that of drawing k with chance
 * 2^(3-k) and throwing 15/(4 k).  So j halvings cost a factor of 0.993^j only.
 * j is cut at J = 62, which makes the coin that is left rarer, no more.
 *
 * Exponential mechanism.  Draw a run with weight M 2^(J-j), an integer, and
 * accept with the coin 2^j p: then P[run] is proportional to M p.  The point
 * in it is uniform.  All M together are at most 2^63 + 1, so the weights stay
 * below 2^126.
 */
#include "inverse.h"

#include <math.h>
#include <stdlib.h>

#include "inverse_impl.h"
#include "random/noise.h"

bool
inverse_init(struct inverse *v, const struct outbound *b, int64_t lo,
    int64_t hi)
{
	int64_t left, right, from, to;
	size_t l;

	v->n = 0;
	v->run = malloc((2 * b->c + 5) * sizeof(*v->run));
	if (v->run == NULL)
		return false;
	if (b->lo[0] == b->hi[0] && b->lo[0] >= lo && b->lo[0] <= hi)
		v->run[v->n++] = (struct run){ b->lo[0], 1, 0 };
	/* left and right: the ends of what has been listed */
	left = b->lo[0];
	right = b->hi[0];
	for (l = 1; l <= b->c + 1; l++) {
		from = l <= b->c ? b->lo[l] : -OUTBOUND_INF;
		from = from < lo ? lo : from;
		to = left - 1 > hi ? hi : left - 1;
		if (from <= to)
			v->run[v->n++] = (struct run){ from,
			    (uint64_t)to - (uint64_t)from + 1, l };
		left = from < left ? from : left;
		to = l <= b->c ? b->hi[l] : OUTBOUND_INF;
		to = to > hi ? hi : to;
		from = right + 1 < lo ? lo : right + 1;
		if (from <= to)
			v->run[v->n++] = (struct run){ from,
			    (uint64_t)to - (uint64_t)from + 1, l };
		right = to > right ? to : right;
	}
	return true;
}

void
inverse_free(struct inverse *v)
{
	free(v->run);
	v->run = NULL;
}

struct law
inverse_law(const struct inverse *v, struct rational eps)
{
	struct law law = { UINT64_MAX, (uint64_t)eps.num,
	    2 * (uint64_t)eps.den };
	size_t i;

	for (i = 0; i < v->n; i++)
		if (v->run[i].len < law.least)
			law.least = v->run[i].len;
	return law;
}

u128
inverse_exponent(const struct law *law, const struct run *run)
{
	return (u128)(run->len - law->least) * law->num;
}

unsigned
inverse_halvings(const struct law *law, const struct run *run)
{
	u128 j = 10 * inverse_exponent(law, run) / (7 * (u128)law->den);

	return j > INVERSE_J ? INVERSE_J : (unsigned)j;
}

/* The coin 0.7 - ln 2, see above. */
static bool
gap_coin(struct rng *r)
{
	uint64_t k = 4;

	if (!rng_bernoulli(r, 1, 30))
		return false;
	while (inverse_heads(r, 1))
		k++;
	return !rng_bernoulli(r, 15, 4 * k);
}

/* The coin 2^j exp(-x). */
bool
inverse_rest(const struct law *law, const struct run *run, struct rng *r)
{
	unsigned j = inverse_halvings(law, run), i;
	uint64_t k;

	for (i = 0; i < j; i++) {
		for (k = 1; rng_bernoulli(r, 1, k) && gap_coin(r); k++)
			;
		if ((k & 1) == 0)
			return false;
	}
	return noise_bern_exp(r, 10 * inverse_exponent(law, run) -
	    7 * (u128)j * law->den, 10 * law->den);
}

bool
inverse_heads(struct rng *r, uint64_t coins)
{
	for (; coins >= 8; coins -= 8)
		if (rng_byte(r) != 0)
			return false;
	return coins == 0 || (rng_byte(r) & ((1u << coins) - 1)) == 0;
}

/* Uniform on 0..2^bits - 1. */
u128
inverse_bits(struct rng *r, unsigned bits)
{
	u128 x = 0;
	unsigned i;

	for (i = 0; i < bits; i += 8)
		x = x << 8 | rng_byte(r);
	return x & (((u128)1 << bits) - 1);
}

u128
inverse_weight(const struct law *law, const struct run *run)
{
	return (u128)run->count << (INVERSE_J - inverse_halvings(law, run));
}

u128
inverse_total(const struct law *law, const struct inverse *v)
{
	u128 sum = 0;
	size_t i;

	for (i = 0; i < v->n; i++)
		sum += inverse_weight(law, &v->run[i]);
	return sum;
}

/* The run that x < total weight falls in. */
size_t
inverse_locate(const struct law *law, const struct inverse *v, u128 x)
{
	size_t i = 0;
	u128 w;

	while (x >= (w = inverse_weight(law, &v->run[i]))) {
		x -= w;
		i++;
	}
	return i;
}

/* [D24 (M.1), Proposition 2.7] */
int64_t
inverse_exponential(const struct inverse *v, struct rational eps,
    struct rng *r)
{
	struct law law = inverse_law(v, eps);
	u128 total = inverse_total(&law, v), x;
	unsigned bits = 0;
	const struct run *run;

	while (total >> bits > 0)
		bits++;
	do {
		do {
			x = inverse_bits(r, bits);
		} while (x >= total);
		run = &v->run[inverse_locate(&law, v, x)];
	} while (!inverse_rest(&law, run, r));
	return (int64_t)((uint64_t)run->lo + rng_below(r, run->count));
}

/* [D24 Definition C.1] */
double
inverse_asymmetry(const struct inverse *v, const struct outbound *b,
    double eps)
{
	double all = 0, above = 0, mass;
	size_t i;

	for (i = 0; i < v->n; i++) {
		mass = (double)v->run[i].count *
		    exp(-eps * (double)v->run[i].len / 2);
		all += mass;
		above += v->run[i].lo > b->hi[0] ? mass : 0;
	}
	return fabs(above / all - 0.5);
}
