/*
 * select_runs: the exponential mechanism over runs of equal scores, exactly.
 *
 * A candidate whose score lies g below the best one has the weight p =
 * exp(-x), x = g / t, t = s/r the scale of select.h.
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
 * Exponential mechanism [DMNS06 Section 3.3].  Draw a run with the integer
 * weight M 2^(J-j), M its count, then a uniform candidate of it, and accept
 * with the coin 2^j p; else begin again.  Then P[candidate] is proportional
 * to 2^(J-j) 2^j p, that is to p, exactly.  All M together are at most
 * 2^63 + 1, so the weights stay below 2^126.
 *
 * A far run holds candidates with j >= J, whatever their gaps: its weight is
 * M, and the gap of a candidate is asked for when a draw enters the run, so
 * that the values far from a quantile need not be looked at.
 *
 * Time: a round succeeds with the chance (sum of p) / (sum of 2^-j).  The
 * best candidate has p = 1, candidates with j < J have p > 0.32 2^-j, the
 * others together have at most (2^63 + 1) 2^-J: little more than 5 rounds are
 * expected, whatever the sizes.
 *
 * Hazards: s, r < 2^59, so 10 s < 2^63 as noise_bern_exp wants; the gap of a
 * far candidate may have 128 bits, so its exponent is thrown in parts.
 */
#include "select_runs.h"

#include <stdlib.h>

unsigned
select_halvings(const struct select_runs *s, size_t run)
{
	const struct select_run *a = &s->run[run];

	if (a->far || a->gap >= select_far(&s->t))
		return SELECT_HALVINGS;
	return (unsigned)(10 * a->gap * s->t.r / (7 * (u128)s->t.s));
}

bool
select_runs_init(struct select_runs *s)
{
	u128 sum = 0;

	s->upto = s->n > SIZE_MAX / sizeof(*s->upto) ? NULL :
	    malloc(s->n * sizeof(*s->upto));
	if (s->upto == NULL)
		return false;
	for (size_t i = 0; i < s->n; i++) {
		sum += (u128)s->run[i].count <<
		    (SELECT_HALVINGS - select_halvings(s, i));
		s->upto[i] = sum;
	}
	return true;
}

void
select_runs_free(struct select_runs *s)
{
	free(s->upto);
	s->upto = NULL;
}

u128
select_total(const struct select_runs *s)
{
	return s->upto[s->n - 1];
}

size_t
select_locate(const struct select_runs *s, u128 x)
{
	size_t lo = 0, hi = s->n - 1, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (x < s->upto[mid])
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

static u128
gap_of(const struct select_runs *s, struct select_place at)
{
	const struct select_run *a = &s->run[at.run];

	return a->far ? s->gap(s->arg, at) : a->gap;
}

/* exp(-(10 r gap - less) / (10 s)), 10 r gap >= less, less < 2^70. */
static bool
decay(const struct scale *t, u128 gap, u128 less, struct rng *r)
{
	u128 part, most = ((u128)1 << 126) / (10 * (u128)t->r);

	do {
		part = gap < most ? gap : most;
		if (!noise_bern_exp(r, 10 * part * t->r - less, 10 * t->s))
			return false;
		gap -= part;
		less = 0;
	} while (gap > 0);
	return true;
}

bool
select_coin(const struct select_runs *s, struct select_place at,
    struct rng *r)
{
	u128 gap = gap_of(s, at);

	return gap == 0 || decay(&s->t, gap, 0, r);
}

/* The coin 0.7 - ln 2, see above. */
static bool
excess_coin(struct rng *r)
{
	uint64_t k = 4;

	if (!rng_bernoulli(r, 1, 30))
		return false;
	while (rng_byte(r) & 1)
		k++;
	return !rng_bernoulli(r, 15, 4 * k);
}

/* The coin 2 exp(-0.7): exp(-d) by the series of noise.c. */
static bool
halving_coin(struct rng *r)
{
	uint64_t k = 1;

	while (rng_bernoulli(r, 1, k) && excess_coin(r))
		k++;
	return k & 1;
}

bool
select_rest(const struct select_runs *s, struct select_place at,
    struct rng *r)
{
	unsigned j = select_halvings(s, at.run);
	u128 gap = gap_of(s, at);

	for (unsigned i = 0; i < j; i++)
		if (!halving_coin(r))
			return false;
	return gap == 0 || decay(&s->t, gap, 7 * (u128)j * s->t.s, r);
}

u128
select_bits(struct rng *r, unsigned bits)
{
	u128 x = 0;

	for (unsigned i = 0; i < bits; i += 8)
		x = x << 8 | rng_byte(r);
	return x & (((u128)1 << bits) - 1);
}

/* Uniform below n >= 1. */
static u128
below(struct rng *r, u128 n)
{
	unsigned bits = 0;
	u128 x;

	while ((n - 1) >> bits > 0)
		bits++;
	do {
		x = select_bits(r, bits);
	} while (x >= n);
	return x;
}

/* [DMNS06 Section 3.3] */
struct select_place
select_runs_draw(const struct select_runs *s, struct rng *r)
{
	struct select_place at;

	do {
		at.run = select_locate(s, below(r, select_total(s)));
		at.place = rng_below(r, s->run[at.run].count);
	} while (!select_rest(s, at, r));
	return at;
}
