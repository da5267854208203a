/*
 * ceiling: a sum without a bound, in two steps.
 *
 * Let t_0 < t_1 < ... be the public ceilings, t_i = 2^i t_0, and N_i the
 * number of terms above t_i.
 *
 * (1) The ceiling is chosen by permute-and-flip [MS20] with the weights
 *	exp(-eps1 N_i - STEP i).
 * Between neighbours no N_i moves by more than 1, and all that move do so in
 * one direction: a term that comes raises the N_i with t_i < x, one that goes
 * lowers them, and one that becomes x' > x raises those with x <= t_i < x'.
 * So the choice is eps1-differentially private, without the factor 1/2 of
 * other scores, under add-remove and under swap.  For permute-and-flip takes
 * the i with the largest E_i - a_i, a_i = eps1 N_i + STEP i and E_i
 * exponential of mean 1 [Ding and others 2021], that is, where E_i is at
 * least b = a_i + max over j /= i of (E_j - a_j).  Given the other E_j, b
 * moves by at most eps1, as all a_j move by 0 to eps1 in one direction;
 * and P[E_i >= b'] >= exp(-eps1) P[E_i >= b] when b' <= b + eps1.
 * STEP i is public and prefers low ceilings: without it those above all terms
 * would be alike, however far.  Twice the ceiling is twice the noise, but has
 * exp(-STEP) < 1/2 of the chance, so that the mean error is finite.  STEP is
 * 3/2; but few terms pay for few steps, and under swap, where their number n
 * is public, it is 1 up to eps1 n = FEW.
 *
 * (2) The sum of all terms, none counted for more than t_i, moves by at most
 * t_i between neighbours, under swap too as all lie in 0..t_i; with discrete
 * Laplace noise of a scale of at least t_i/eps2 it is eps2-differentially
 * private for every i.  Both together: eps1 + eps2.
 *
 * Where t_i/eps2 does not fit the 63 bits of a scale it is rounded up to a
 * whole number of steps; where that does not fit either the list ends.
 *
 * Sizes: what is gathered about one ceiling stops at 2^56 terms and at a sum of
 * 2^120.  Neither moves by more than without the stop; a term that comes or
 * goes is in one place, and of one that is replaced the two moves go in
 * opposite directions.  So all stays below 2^127 whatever the weights, and
 * nothing depends on the order of terms.
 */
#include "ceiling.h"

#include "random/select_runs.h"

/* The gaps' unit is half a STEP of 1. */
#define HALVES 2
#define STEEP 3
#define FEW 48

#define COUNT_MOST ((u128)1 << 56)
#define SUM_MOST ((i128)1 << 120)

/*
 * Of a sum that moves by t; false where it fits no scale.  The parts of eps
 * are below 2^63, see asym_split.
 */
static bool
noise_of(struct scale *s, int64_t t, struct rational eps)
{
	u128 up;

	if (scale_make(s, (u128)t, eps))
		return true;
	up = ((u128)t * (u128)eps.den + (u128)eps.num - 1) / (u128)eps.num;
	*s = (struct scale){ (uint64_t)up, 1 };
	return up <= INT64_MAX;
}

bool
ceilings_make(struct ceilings *c, const int64_t ends[2],
    const struct rational eps[2], bool swap)
{
	int64_t t = ends[0], most = ends[1];

	if (eps[0].num >= (i128)(SELECT_SCALE / HALVES) ||
	    eps[0].den >= (i128)(SELECT_SCALE / STEEP))
		return false;
	c->swap = swap;
	c->each = HALVES * (uint64_t)eps[0].num;
	c->choice = (struct scale){ HALVES * (uint64_t)eps[0].den, 1 };
	for (c->n = 0; noise_of(&c->noise[c->n], t, eps[1]);
	    t = t > most / 2 ? most : 2 * t) {
		c->at[c->n++] = t;
		if (t == most)
			break;
	}
	return c->n > 0;
}

void
ceiling_add(const struct ceilings *c, struct under *u, int64_t x, uint64_t w)
{
	size_t below = 0, i = c->n - 1, mid;

	if (x > c->at[i])
		x = c->at[i];
	while (below < i) {
		mid = below + (i - below) / 2;
		if (x > c->at[mid])
			below = mid + 1;
		else
			i = mid;
	}
	u->count[i] += w;
	if (u->count[i] > COUNT_MOST)
		u->count[i] = COUNT_MOST;
	u->sum[i] += (i128)x * (i128)w;
	if (u->sum[i] > SUM_MOST)
		u->sum[i] = SUM_MOST;
}

/*
 * The gap of one step.  Where a count has stopped, all neighbours have more
 * than half of COUNT_MOST.
 */
static u128
step_of(const struct ceilings *c, const struct under *u)
{
	u128 half = c->choice.s / HALVES, all = 0;

	for (size_t i = 0; i < c->n; i++)
		all += u->count[i];
	all = all < COUNT_MOST / 2 ? all : COUNT_MOST / 2;
	return c->swap && c->each * all <= half * HALVES * FEW ? half * HALVES :
	    STEEP * half;
}

void
ceiling_gaps(const struct ceilings *c, const struct under *u, u128 *gap)
{
	u128 above = 0, step = step_of(c, u), least;
	size_t i;

	for (i = c->n; i-- > 0; above += u->count[i])
		gap[i] = c->each * above + step * i;
	/* NOLINTNEXTLINE(clang-analyzer-*): there is a ceiling */
	for (i = 1, least = gap[0]; i < c->n; i++)
		least = gap[i] < least ? gap[i] : least;
	for (i = 0; i < c->n; i++)
		gap[i] -= least;
}

i128
ceiling_sum(const struct ceilings *c, const struct under *u, size_t i)
{
	i128 sum = 0;

	for (size_t k = 0; k < c->n; k++)
		sum += k <= i ? u->sum[k] : (i128)u->count[k] * c->at[i];
	return sum;
}

/* Step (1). */
static bool
choose(const struct ceilings *c, const struct under *u, struct rng *r,
    size_t *i)
{
	struct select_run run[CEILINGS];
	struct select_runs s = { .run = run, .n = c->n, .t = c->choice };
	struct select_place at;
	u128 gap[CEILINGS];
	bool ok;

	ceiling_gaps(c, u, gap);
	for (*i = 0; *i < c->n; (*i)++)
		run[*i] = (struct select_run){ .gap = gap[*i],
		    .count = 1 };
	if (!select_runs_init(&s))
		return false;
	ok = permute_and_flip(&s, r, &at);
	select_runs_free(&s);
	if (ok)
		*i = at.run;
	return ok;
}

bool
ceiling_draw(const struct ceilings *c, const struct under *u, struct rng *r,
    int64_t *value)
{
	i128 x;
	size_t i;

	if (!choose(c, u, r, &i))
		return false;
	x = ceiling_sum(c, u, i) + noise_laplace(r, &c->noise[i]);
	*value = x < 0 ? 0 : x > FIXED_MAX ? FIXED_MAX : (int64_t)x;
	return true;
}
