/*
 * ceiling: a sum without a bound, in two steps.
 *
 * Let t_0 < t_1 < ... be the public ceilings, each about twice the last, and
 * N_i the number of terms x with |x| > t_i.
 *
 * (1) The ceiling is chosen by permute-and-flip [MS20] with the weights
 *	exp(-eps1 N_i - STEP i).
 * Between neighbours no N_i moves by more than 1, and the moves have one
 * direction: a new term raises N_i for t_i < |x|, a removed term lowers N_i
 * there, and a term that becomes x', |x'| > |x|, raises N_i for |x| <= t_i <
 * |x'|.  So the choice is eps1-differentially private, without the usual factor
 * 1/2, under add-remove and under swap.  For permute-and-flip takes the i with
 * the largest E_i - a_i, a_i = eps1 N_i + STEP i and E_i exponential with mean
 * 1 [Ding and others 2021]: where E_i is at least b = a_i + max over j /= i of
 * (E_j - a_j).  Given E_j, j /= i, b moves by at most eps1, as every a_j moves
 * by 0 to eps1 in one direction; and P[E_i >= b'] >= exp(-eps1) P[E_i >= b]
 * when b' <= b + eps1.  STEP i is public and prefers low ceilings: without STEP
 * the ceilings above every term would be alike, however far.  Twice the ceiling
 * is twice the noise, but has less than half the chance, exp(-STEP), so that
 * the mean error is finite.  STEP is 3/2; but few terms pay for few steps, and
 * under swap, where the number n of terms is public, STEP is 1 up to eps1 n =
 * FEW.
 *
 * The list begins at `first`.  Terms far below `first` get noise made for
 * `first`.  Under swap n is public, and so is a list that begins k = eps1 n /
 * DEEP ceilings further down: k steps cost at most 3/20 of the weight eps1 n
 * that keeps large terms from being cut.  Under add-remove nothing public says
 * how many steps the terms pay for, and the list begins at `first`.
 *
 * (2) Let the terms lie in least..most, least <= 0 <= most.  Terms cut to the
 * size t lie in -min(t, -least)..min(t, most).  The sum of cut terms moves by
 * at most the interval's width under swap, and by the larger end under
 * add-remove.  With discrete Laplace noise, scale at least this bound over
 * eps2, the sum is eps2-differentially private for every i.
 *
 * (3) So terms of both signs cost nothing under add-remove, and twice the noise
 * under swap.  Where nobody says whether terms are below 0, a choice as in (1)
 * decides: counting M terms below 0 as 0 has the weight exp(-eps0 M), summing
 * the terms exp(-ASK).  M moves by at most 1, so the choice costs eps0.  The
 * total: eps0 + eps1 + eps2.  [D24 Appendix B.2] makes a search for each sign,
 * with half of epsilon each under swap.
 *
 * A scale beyond 63 bits is rounded up to a whole number of steps; if the steps
 * do not fit either, the list ends.
 *
 * Codes.  Terms may be as large as 2^126 (code.h).  A term under a ceiling of
 * more than 61 binary digits loses those after: a look at this term alone.
 * The sum of cut terms is exact in 256 bits, and it loses the ceiling's digits
 * after the first 44: where a sum moves by at most m, its quotient by 2^k,
 * rounded down, moves by at most m / 2^k rounded up, for which the noise is
 * made.
 *
 * Sizes: the count for a ceiling and sign stops at 2^56 terms, the sum at
 * 2^120.  Neither moves by more than without the stop; a term that comes or
 * goes is in one place, and a replaced term moves two places in opposite
 * directions, or two signs.  So every number stays below 2^127 whatever the
 * weights, and nothing depends on the order of terms.
 */
#include "ceiling.h"

#include <stdlib.h>

#include "asm/size/code.h"
#include "number/memory.h"
#include "number/taint.h"
#include "random/meter.h"
#include "random/select_runs.h"

/* The gaps' unit is half a STEP of 1. */
#define HALVES 2
#define STEEP 3
#define FEW 48
#define DEEP 10
#define ASK 2

#define TERM_DIGITS 61
#define SUM_DIGITS 44

#define COUNT_MOST ((u128)1 << 56)
#define SUM_MOST ((i128)1 << 120)

bool
ceiling_noise(struct scale *s, u128 sens, struct rational eps)
{
	u128 up;

	if (scale_make(s, sens, eps))
		return true;
	up = (sens * (u128)eps.den + (u128)eps.num - 1) / (u128)eps.num;
	*s = (struct scale){ (uint64_t)up, 1 };
	return up <= INT64_MAX;
}

static u128
ceiling_size(const struct ceilings *c, int64_t t)
{
	return c->coded ? code_size(t) : (u128)t;
}

static int64_t
ceiling_of(const struct ceilings *c, u128 size)
{
	return c->coded ? code_of(size, false) : (int64_t)size;
}

/* The binary digits of x. */
static int
ceiling_digits(u128 x)
{
	uint64_t high = (uint64_t)(x >> 64);

	if (high > 0)
		return 128 - __builtin_clzll(high);
	return 64 - __builtin_clzll((uint64_t)x | 1);
}

/* How far the sum of terms cut to the size t moves: (2) above. */
static u128
moves(const struct ceilings *c, int64_t t, bool minus)
{
	u128 up = ceiling_size(c, FIXED_LEAST(t, c->most));
	u128 down = ceiling_size(c, FIXED_LEAST(t, -c->least));

	if (!minus)
		return up;
	return c->swap ? up + down : FIXED_MOST(up, down);
}

/* False where the list ends before t. */
static bool
add_ceiling(struct ceilings *c, int64_t t, struct rational eps)
{
	int digits = c->coded ? ceiling_digits(ceiling_size(c, t)) : 0;
	int shift = FIXED_MOST(digits - SUM_DIGITS, 0);
	u128 up = ((u128)1 << shift) - 1;

	c->terms[c->n] = FIXED_MOST(digits - TERM_DIGITS, 0);
	c->shift[c->n] = shift;
	if (!ceiling_noise(&c->noise[0][c->n], (moves(c, t, false) + up) >>
	    shift, eps) || !ceiling_noise(&c->noise[1][c->n], (moves(c, t,
	    true) + up) >> shift, eps))
		return false;
	c->at[c->n++] = t;
	return true;
}

/* The ceiling after t: up to `first' its halves, from there on its doubles. */
static int64_t
next_ceiling(const struct ceilings *c, int64_t t, int64_t top)
{
	if (c->n <= c->down)
		return ceiling_of(c, ceiling_size(c, c->first) >> (c->down -
		    c->n));
	if (ceiling_size(c, t) > ceiling_size(c, top) / 2)
		return top;
	return ceiling_of(c, 2 * ceiling_size(c, t));
}

bool
ceilings_make(struct ceilings *c, const struct rational eps[CEILING_PARTS])
{
	int64_t top = FIXED_MOST(-c->least, c->most), t;
	u128 first = ceiling_size(c, c->first);

	for (size_t i = 0; i < CEILING_PARTS; i++)
		if (eps[i].num >= (i128)(SELECT_SCALE / HALVES) ||
		    eps[i].den >= (i128)(SELECT_SCALE / STEEP))
			return false;
	c->each = HALVES * (uint64_t)eps[CEILING_CHOICE].num;
	c->choice = (struct scale){ HALVES *
	    (uint64_t)eps[CEILING_CHOICE].den, 1 };
	c->below = (uint64_t)eps[CEILING_FLOOR].num;
	c->floor = (struct scale){ (uint64_t)eps[CEILING_FLOOR].den, 1 };
	c->down = 0;
	while (c->fine && first >> c->down > 1)
		c->down++;
	t = ceiling_of(c, first >> c->down);
	for (c->n = 0; add_ceiling(c, t, eps[CEILING_NOISE]) && t < top;)
		t = next_ceiling(c, t, top);
	if (c->n == 0)
		return false;
	c->down = FIXED_LEAST(c->down, c->n - 1);
	return true;
}

/*
 * A ceiling has one binary digit more than the ceiling before, but perhaps the
 * last, so x is under the ceiling with as many digits, or under the next.
 */
void
ceiling_add(const struct ceilings *c, struct under *u, int64_t x, uint64_t w)
{
	bool minus = x < 0;
	size_t i;
	u128 size;
	int up;

	x = FIXED_MOST(x, -x);
	x = FIXED_LEAST(x, c->at[c->n - 1]);
	size = ceiling_size(c, x);
	up = ceiling_digits(size) - ceiling_digits(ceiling_size(c, c->at[0]));
	i = (size_t)FIXED_MOST(up, 0);
	i += x > c->at[i];
	u->count[minus][i] += w;
	if (u->count[minus][i] > COUNT_MOST)
		u->count[minus][i] = COUNT_MOST;
	u->sum[minus][i] += (i128)(size >> c->terms[i]) * (i128)w;
	if (u->sum[minus][i] > SUM_MOST)
		u->sum[minus][i] = SUM_MOST;
}

u128
ceiling_terms(const struct ceilings *c, const struct under *u)
{
	u128 all = 0;

	for (size_t i = 0; i < c->n; i++)
		all += u->count[0][i] + u->count[1][i];
	taint_public_if(c->swap, all);
	return all;
}

/*
 * eps1 n for a public n, in units of c->choice.  Where a count has stopped,
 * every neighbour has more than half of COUNT_MOST.
 */
static u128
public_weight(const struct ceilings *c, const struct under *u)
{
	u128 all = ceiling_terms(c, u);

	return c->each * FIXED_LEAST(all, COUNT_MOST / 2);
}

size_t
ceiling_lowest(const struct ceilings *c, const struct under *u)
{
	u128 k;

	if (c->down == 0)
		return 0;
	k = public_weight(c, u) / (DEEP * (u128)c->choice.s);
	return k < c->down ? c->down - (size_t)k : 0;
}

/* A step's gap. */
static u128
step_of(const struct ceilings *c, const struct under *u)
{
	u128 half = c->choice.s / HALVES;

	if (c->swap && public_weight(c, u) <= half * HALVES * FEW)
		return half * HALVES;
	return STEEP * half;
}

void
ceiling_gaps(const struct ceilings *c, const struct under *u, u128 *gap)
{
	size_t low = ceiling_lowest(c, u), i;
	u128 above = 0, step = step_of(c, u), best = (u128)-1;

	for (i = c->n; i-- > low; above += u->count[0][i] + u->count[1][i]) {
		gap[i] = c->each * above + step * (i - low);
		best = FIXED_LEAST(gap[i], best);
	}
	for (i = low; i < c->n; i++)
		gap[i] -= best;
}

void
ceiling_floor_gaps(const struct ceilings *c, const struct under *u, u128 gap[2])
{
	u128 least;

	gap[0] = 0;
	gap[1] = ASK * (u128)c->floor.s;
	for (size_t i = 0; i < c->n; i++)
		gap[0] += c->below * u->count[1][i];
	least = FIXED_LEAST(gap[0], gap[1]);
	gap[0] -= least;
	gap[1] -= least;
}

i128
ceiling_side(const struct ceilings *c, const struct under *u, size_t at,
    size_t side)
{
	struct wide sum = { 0, 0 };
	int shift = c->shift[at];

	for (size_t k = 0; k <= at; k++)
		sum = wide_add(sum, wide_mul((u128)u->sum[side][k],
		    (u128)1 << c->terms[k]));
	for (size_t k = at + 1; k < c->n; k++)
		sum = wide_add(sum, wide_mul(u->count[side][k],
		    ceiling_size(c, c->at[at])));
	if (shift == 0)
		return (i128)sum.lo;
	return (i128)(sum.hi << (128 - shift) | sum.lo >> shift);
}

size_t
ceiling_flip(const u128 *gap, size_t n, struct scale t, struct rng *r)
{
	struct select_run *run = err_alloc(NULL, n, sizeof(*run));
	struct select_runs s = { .run = run, .n = n, .t = t };
	struct select_place at;

	for (size_t i = 0; i < n; i++)
		run[i] = (struct select_run){ METER_NAME(i) .gap = gap[i],
		    .count = 1 };
	select_runs_init(&s);
	at = select_runs_flip(&s, r);
	select_runs_free(&s);
	free(run);
	return at.run;
}

/* Steps (1), (3) and (2). */
struct ceiling_draw
ceiling_draw(const struct ceilings *c, const struct under *u, struct rng *r)
{
	size_t low = ceiling_lowest(c, u);
	struct ceiling_draw d = { .minus = c->least < 0 };
	u128 gap[CEILINGS];

	ceiling_gaps(c, u, gap);
	d.at = low + ceiling_flip(gap + low, c->n - low, c->choice, r);
	ceiling_floor_gaps(c, u, gap);
	if (c->ask)
		d.minus = ceiling_flip(gap, 2, c->floor, r) == 1;
	d.sum = ceiling_side(c, u, d.at, 0);
	if (d.minus)
		d.sum -= ceiling_side(c, u, d.at, 1);
	d.sum = METER_NOISY(d.sum + noise_laplace(r, &c->noise[d.minus][d.at]),
	    d.sum, &c->noise[d.minus][d.at]);
	return d;
}
