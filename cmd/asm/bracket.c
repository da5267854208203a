/*
 * bracket: a mean without a range, in two steps.
 *
 * U is the public first; p_0 is a quarter of it, where that is whole, and U
 * under swap; p_1 = 2 p_0, p_2 = 2 p_1, ...  Intervals go from i p_k to j p_k,
 * |i| and |j| at most 32, and are 3, 4 or 5 p_k wide; those of p_0 1 to 5.  So
 * widths grow by a fourth to a third, and where values are far from 0 the
 * interval may be, too.  In place of those from -i p_k to i p_k the list has
 * 3, 4 and 5 p_k to both sides of 0.
 *
 * (1) An interval is chosen by permute-and-flip [MS20] with the weights
 *	exp(-eps1 N - STEP log2(width / p_0)),
 * N the number of terms above the interval or of those below, whichever is
 * larger: terms that are cut on both sides pull the mean in opposite
 * directions, so that no more than N times the distance is lost.  Under
 * add-remove a new term raises one of the two numbers by 1, or none, in every
 * interval.  So no N moves by more than 1, and all that move have one
 * direction: as in ceiling.c the choice is eps1-differentially private.  Under
 * swap a term leaves one place for another.  Each of the two numbers moves by 1
 * at most, and so does the larger; but N may rise for one interval and fall for
 * another, so half of eps1 is in the weights.  The widths are public; a wider
 * interval has more noise.
 *
 * Around 0 the terms above and below are often alike: there eps1 N counts from
 * FREE on, as max(eps1 N - FREE, 0).  This rises where N does, and by no more:
 * all moves keep their bound and their direction, and the argument stands.
 *
 * STEP is 31/8 from 3 p_0 on, and less below; 3 under swap, where a term
 * has less weight.  Many data begin at 0, so an interval that does has the
 * advantage ANCHOR over the many others, of which some fit by chance.  From 0
 * to U is the range of flags and of shares, so it counts as hardly wider than
 * p_0.  Weights without terms are public, so any are private.
 *
 * (2) Terms are cut to the interval A..B, the width being C.  A term at x is
 * x - A above A and B - x below B: it moves the two sums by C together, in l1
 * norm, exactly.  So discrete Laplace noise of scale C/eps2 on both is
 * eps2-differentially private under add-remove: a partition of unity.  They
 * tell the number of terms, (T_0 + T_1)/C, and the mean, A + C T_0/(T_0 + T_1):
 * no part of epsilon is for a count.  Under swap the number n of terms is
 * public, the sum above A moves by C at most, and the mean is A + T_0/n.
 *
 * Sizes.  Between two edges the terms are kept as their number and the sum of
 * what is above the lower edge, both exact in 128 and 256 bits, for fewer than
 * 2^64 records of less than 2^63 terms.  T_0 and T_1 are exact, and stop at
 * 2^126, each by itself: neither moves by more than without the stop.
 *
 * STEP, the list and the shares of epsilon were found by trials:
 * scripts/figure/means has the errors, also for shapes of which no trial knew.
 */
#include "bracket.h"

#include <math.h>
#include <stdlib.h>

#include "ceiling.h"
#include "number/memory.h"
#include "number/sort.h"
#include "number/taint.h"
#include "random/meter.h"
#include "random/select_runs.h"

#define REACH 32		/* of i and j */
#define CELLS (REACH / 2)	/* edges of a power of two */
#define NARROW 3		/* j - i, but of p_0 */
#define WIDEST 5
#define OCTAVE 93		/* STEP; parts, UNIT being 1, here and below */
#define ANCHOR 30
#define FLAGS 30		/* of 0 to U */
#define AROUND 24		/* of an interval around 0 */
#define FREE 96
#define UNIT 24
#define UNIT_SWAP 31
#define COUNT_MOST ((u128)1 << 56)	/* terms above or below an interval */
#define FAR ((u128)1 << 126)
#define ALL 0x1p1000L	/* beyond all sums */

/* Of 1 to 5: STEP log2, under add-remove from 3 on; with room for ANCHOR. */
static const unsigned steps[2][WIDEST + 1] = { { 0, 30, 60, 78, 117, 147 },
    { 0, 30, 123, 177, 216, 246 } };

/* The edges up to the one that no term is beyond. */
static void
bracket_edges(struct brackets *b)
{
	int64_t up[BRACKET_EDGES + 1] = { 0 }, p = b->least;
	int i = 1;
	size_t n = 0;

	while (n == 0 || (up[n] < b->most && p <= FIXED_MAX / REACH)) {
		up[++n] = i++ * p;
		if (i > REACH) {
			p *= 2;
			i = REACH / 2 + 1;
		}
	}
	for (size_t e = 0; e <= n; e++) {
		b->at[n + e] = up[e];
		b->at[n - e] = -up[e];
	}
	b->n = n;
}

/* From i p_k to j p_k, where there are such edges, and room for noise. */
static void
bracket_list(struct brackets *b, int i, int j, size_t k, u128 parts,
    struct rational noise)
{
	i128 p = (i128)b->least << k, lo = i * p, hi = j * p;
	struct bracket *new = &b->list[b->listed];

	if (lo < b->at[0] || hi > b->at[2 * b->n])
		return;
	new->lo = sort_find(b->at, 2 * b->n + 1, lo);
	new->hi = sort_find(b->at, 2 * b->n + 1, hi);
	if (lo == 0 || hi == 0)
		parts -= ANCHOR;
	if (lo == 0 && hi == b->first)
		parts = FIXED_LEAST(parts, FLAGS);
	new->gap = parts * b->part;
	new->free = lo == -hi ? FREE * b->part : 0;
	b->listed += ceiling_noise(&new->noise, (u128)(hi - lo), noise);
}

/* All of p_k that are w wide, and w to both sides of 0. */
static void
bracket_widths(struct brackets *b, int w, size_t k, struct rational noise)
{
	u128 parts = steps[b->swap][w] + k * OCTAVE;

	for (int i = -REACH; i + w <= REACH; i++)
		if (2 * i + w != 0)
			bracket_list(b, i, i + w, k, parts, noise);
	bracket_list(b, -w, w, k, parts + OCTAVE + AROUND, noise);
}

bool
brackets_make(struct brackets *b, struct rational choice,
    struct rational noise)
{
	u128 unit = b->swap ? UNIT_SWAP : UNIT;

	b->part = (b->swap ? 2 : 1) * (u128)choice.den;
	if (b->part * unit >= SELECT_SCALE || (u128)choice.num >= SELECT_SCALE /
	    unit)
		return false;
	b->choice = (struct scale){ (uint64_t)(b->part * unit), 1 };
	b->each = unit * (u128)choice.num;
	b->least = b->first;
	for (int k = 0; !b->swap && k < 2 && b->least % 2 == 0; k++)
		b->least /= 2;
	bracket_edges(b);
	b->list = err_alloc(NULL, (b->n / 8 + 4) * 2 * REACH * WIDEST,
	    sizeof(*b->list));
	for (size_t k = 0; (i128)b->least << k <= b->at[2 * b->n]; k++)
		for (int w = k == 0 ? 1 : NARROW; w <= WIDEST; w++)
			bracket_widths(b, w, k, noise);
	return b->listed > 0;
}

struct bracket_terms *
bracket_none(const struct brackets *b)
{
	return err_alloc(NULL, 2 * b->n / CELLS + 1,
	    sizeof(struct bracket_terms));
}

/* Many groups have few powers of two each: what is empty takes no memory. */
static struct bracket_cell *
bracket_open(struct bracket_terms *t, size_t i)
{
	t += i / CELLS;
	if (t->cell == NULL)
		t->cell = err_alloc(NULL, CELLS, sizeof(*t->cell));
	return &t->cell[i % CELLS];
}

void
bracket_add(const struct brackets *b, struct bracket_terms *t, int64_t x,
    uint64_t w)
{
	struct bracket_cell *c;
	size_t top = 2 * b->n, i;

	x = fixed_clamp(x, b->at[0], b->at[top]);
	i = sort_find(b->at, top + 1, x);
	if (b->at[i] == x) {
		bracket_open(t, i)->edge += w;
		return;
	}
	c = bracket_open(t, i - 1);
	c->count += w;
	c->above = wide_add(c->above, wide_mul((u128)((i128)x -
	    b->at[i - 1]), w));
}

static struct bracket_cell
bracket_cell(const struct bracket_terms *t, size_t i)
{
	if (t[i / CELLS].cell == NULL)
		return (struct bracket_cell){ 0 };
	return t[i / CELLS].cell[i % CELLS];
}

/* Terms of a place. */
static u128
bracket_count(const struct bracket_terms *t, size_t i)
{
	struct bracket_cell c = bracket_cell(t, i);

	return c.edge + c.count;
}

/* How many terms are below place i. */
static u128
bracket_below(const struct bracket_terms *t, size_t i)
{
	u128 n = 0;

	while (i-- > 0)
		n += bracket_count(t, i);
	return n;
}

static u128
bracket_all(const struct brackets *b, const struct bracket_terms *t)
{
	u128 n = bracket_below(t, 2 * b->n + 1);

	taint_public_if(b->swap, n);
	return n;
}

void
bracket_gaps(const struct brackets *b, const struct bracket_terms *t,
    u128 *gap)
{
	u128 *below = err_alloc(NULL, 2 * b->n + 2, sizeof(*below));
	u128 least = ~(u128)0;

	for (size_t i = 0; i <= 2 * b->n; i++)
		below[i + 1] = below[i] + bracket_count(t, i);
	for (size_t i = 0; i < b->listed; i++) {
		const struct bracket *a = &b->list[i];
		u128 over = below[2 * b->n + 1] - below[a->hi] -
		    bracket_cell(t, a->hi).edge;
		u128 most = FIXED_MOST(below[a->lo], over);
		u128 cut = b->each * FIXED_LEAST(most, COUNT_MOST);

		gap[i] = cut - FIXED_LEAST(cut, a->free) + a->gap;
		least = FIXED_LEAST(least, gap[i]);
	}
	for (size_t i = 0; i < b->listed; i++)
		gap[i] -= least;
	free(below);
}

static i128
bracket_stop(struct wide x)
{
	return (i128)(x.hi > 0 || x.lo > FAR ? FAR : x.lo);
}

void
bracket_sums(const struct brackets *b, const struct bracket_terms *t,
    const struct bracket *at, i128 sum[2])
{
	u128 lo = (u128)b->at[at->lo], hi = (u128)b->at[at->hi];
	u128 over = bracket_all(b, t) - bracket_below(t, at->hi);
	struct wide above = wide_mul(hi - lo, over);

	for (size_t i = at->lo; i < at->hi; i++)
		above = wide_add(above, wide_add(bracket_cell(t, i).above,
		    wide_mul((u128)b->at[i] - lo, bracket_count(t, i))));
	sum[0] = bracket_stop(above);
	sum[1] = bracket_stop(wide_sub(wide_mul(hi - lo, bracket_all(b, t)),
	    above));
}

/* By the sums above and below, as of one term at least, half of it at each. */
static long double
bracket_quotient(const struct brackets *b, const struct bracket *at,
    long double above, long double below)
{
	long double lo = (long double)b->at[at->lo];
	long double width = (long double)b->at[at->hi] - lo, rest;

	above = fmaxl(above, 0);
	below = fmaxl(below, 0);
	rest = fmaxl(width - above - below, 0);
	return lo + width * (above + rest / 2) / (above + below + rest);
}

static const struct bracket *
bracket_choose(const struct brackets *b, const struct bracket_terms *t,
    struct rng *r)
{
	u128 *gap = err_alloc(NULL, b->listed, sizeof(*gap));
	size_t at;

	bracket_gaps(b, t, gap);
	at = ceiling_flip(gap, b->listed, b->choice, r);
	free(gap);
	return &b->list[at];
}

/* A draw; without noise, r NULL, of all terms. */
struct bracket_mean
bracket_draw(const struct brackets *b, const struct bracket_terms *t,
    struct rational p, struct rng *r)
{
	const struct bracket all = { .hi = 2 * b->n }, *at = &all;
	long double above, below, reach = 0;
	i128 sum[2];

	if (r != NULL)
		at = bracket_choose(b, t, r);
	bracket_sums(b, t, at, sum);
	for (size_t i = 0; r != NULL && i < (b->swap ? 1 : 2); i++)
		sum[i] = METER_NOISY(sum[i] + noise_laplace(r, &at->noise),
		    sum[i], &at->noise);
	above = (long double)sum[0];
	if (b->swap)	/* of a public number of terms */
		below = (long double)((i128)b->at[at->hi] - b->at[at->lo]) *
		    (long double)bracket_all(b, t) - above;
	else
		below = (long double)sum[1];
	/* both noises are in reach if each is with the mean of p and 1 */
	if (p.den > 0)
		reach = (long double)noise_reach(&at->noise, (struct rational){
		    p.num + p.den, 2 * p.den });
	/* all of the interval where no mean of it is within reach */
	if (p.den > 0 && (above + reach <= 0 || below + reach <= 0))
		reach = ALL;
	return (struct bracket_mean){ bracket_quotient(b, at, above, below),
	    bracket_quotient(b, at, above - reach, below + reach),
	    bracket_quotient(b, at, above + reach, below - reach),
	    r != NULL && (at->lo == 0 || at->hi == 2 * b->n) };
}
