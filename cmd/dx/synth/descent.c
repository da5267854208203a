/*
 * descent: a table from a few counts, for columns that are mostly one value.
 *
 * The tree's levels get their budget by public numbers alone.  With few records
 * wide intervals get everything, and a value of 953 in 1,000 people is spread
 * over its whole interval.  So a small part of the budget looks first.  Where
 * most records are in a sixteenth of the universe, intervals are halved as far
 * as records are there, and the ends are counted [PrivTree, Zhang, Xiao, Xie
 * 2016; here in integers].  Elsewhere the ladder has the rest of the budget.
 *
 * Privacy.  Let E be the budget of a record that comes or goes, with p of P
 * parts for the look, and R = E (P - p) / P.  A move is a going and a coming.
 *
 * The look is 2 max - n with noise, max the largest count of a sixteenth.  A
 * record changes n by 1 and max by 0 or 1, so the look by 1: E p / P.
 *
 * Halves.  A node at depth k with c records has b = max(c - k d, -d), and is
 * halved if b + X > 0, with X discrete Laplace of scale L and d >= L ln 2, all
 * public.  A record more raises c along one path, whose nodes have fewer and
 * fewer records.  With a = e^(-1/L) a halving has the chance a^(1-b) / (1 + a)
 * for b <= 0, whose logarithm b + 1 raises by 1/L, and 1 - a^b / (1 + a) above.
 * There, with x = a^b and 1 - a <= (1 + a) / 2L, the rise is at most
 *
 *	x (1 - a) / (1 + a - x) <= x / (2 - 2 x / (1 + a)) / L <= 1/L.
 *
 * Only nodes with c - k d >= -d change, and from one of these to the next b
 * falls by d or more.  So at most two have b <= 0, and then these are 0 and -d
 * and the others d, 2 d, ... at least; if one has, the others are 1, 1 + d, ...
 * at least.  Two nodes raise by 2/L, and of the others x is at most 1/2, 1/4,
 * ..., and at most a, a^2, ...: these raise by (3/8 + 3/20 + 3/44 + ...) / L at
 * most, which they reach at a = 1/2, and which is less than 2/3 L.  No halving
 * becomes less likely.  The end of the path goes the other way, by 1/L at most.
 * So a record costs 8 / 3 L, which is h tenths of R for L = 80 / (3 h R).  L is
 * in steps of a record, and a part of a record takes fewer steps.
 *
 * The ends are disjoint, and their counts get noise for the other tenths.  All
 * parts are E.  The fit looks at noisy counts only.
 *
 * The look costs E / (n E) three times, so it errs once in twenty times where
 * nearly all or hardly any records are in a sixteenth.  The numbers below are
 * the best of a few tries on columns of scripts/figure/skewed and on others.
 */
#include "descent.h"

#include <math.h>
#include <stdlib.h>

#include "counts.h"
#include "dx/plan/plan.h"
#include "dx/plan/upward.h"
#include "random/meter.h"
#include "tool/err.h"

#define BLOCKS 16		/* the look's */
#define WORTH 3			/* of n E, for the look */
#define DENSE 4			/* n E for a cell: trees are good */
#define SPARSE 100		/* n E: halving needs a larger part */

bool
descent_scale(struct rational c, unsigned shift, unsigned thirds,
    struct rational part, struct scale *t)
{
	struct rational steps = { (part.den * thirds) << shift, 3 * part.num };

	return upward_mul(&c, c, steps) && plan_noise(c, 0, t);
}

/* For a part of all. */
static struct rational
descent_part(unsigned part)
{
	return (struct rational){ part, 10 * DESCENT_PARTS };
}

bool
descent_open(struct descent *d, struct rational c)
{
	double worth = d->total / rational_real(c);
	double part = ceil(WORTH * DESCENT_PARTS / worth);
	unsigned rest, tenths = 3;

	if (worth > DENSE * (double)d->n || !(part <= DESCENT_PARTS / 10.0))
		return false;
	if (worth < SPARSE)
		tenths = 4;
	d->part = (unsigned)part;
	rest = DESCENT_PARTS - d->part;
	return descent_scale(c, d->shift, 3, descent_part(10 * d->part),
	    &d->look) &&
	    descent_scale(c, d->shift, 8, descent_part(tenths * rest),
	    &d->halve) &&
	    descent_scale(c, d->shift, 3, descent_part((10 - tenths) * rest),
	    &d->leaf);
}

/* The largest count of a sixteenth. */
static int64_t
descent_fullest(const struct descent *d, const int64_t *sum)
{
	size_t n = d->n, wide = (n + BLOCKS - 1) / BLOCKS, hi;
	int64_t most = 0;

	for (size_t lo = 0; lo < n; lo = hi) {
		hi = FIXED_LEAST(n, lo + wide);
		most = FIXED_MOST(most, sum[hi] - sum[lo]);
	}
	return most;
}

bool
descent_wanted(const struct descent *d, const int64_t *sum, struct rng *r)
{
	const struct scale *t = &d->look;
	i128 m;

	if (d->part == 0)
		return false;
	m = 2 * (i128)descent_fullest(d, sum) - sum[d->n];
	return METER_NOISY(m + noise_laplace(r, t), m, t) > 0;
}

i128
descent_lead(const struct scale *t, int64_t count, unsigned depth)
{
	/* ln 2 is less than 7 / 10 */
	i128 d = fixed_div((i128)t->s * 7, (i128)t->r * 10, FIXED_CEIL);

	return FIXED_MOST(count - depth * d, -d);
}

bool
descent_halves(const struct scale *t, int64_t count, unsigned depth,
    struct rng *r)
{
	i128 b = descent_lead(t, count, depth);

	return METER_SPLIT(b + noise_laplace(r, t) > 0, b, t);
}

/* On the way down; ends: after the last cell of each leaf. */
struct walk {
	const struct descent *d;
	const int64_t *sum;
	struct rng *r;
	size_t leaves, *end;
	double *count;
};

static void
walk_down(struct walk *w, size_t lo, size_t hi, unsigned depth)
{
	int64_t count = w->sum[hi] - w->sum[lo];
	size_t mid = lo + (hi - lo + 1) / 2;

	if (hi - lo > 1 && descent_halves(&w->d->halve, count, depth, w->r)) {
		walk_down(w, lo, mid, depth + 1);
		walk_down(w, mid, hi, depth + 1);
		return;
	}
	w->end[w->leaves] = hi;
	w->count[w->leaves++] = counts_noisy(count, &w->d->leaf, w->d->shift,
	    w->r);
}

/* A leaf's cells have equal counts. */
static void
walk_spread(const struct walk *w, double *y)
{
	size_t lo = 0;

	for (size_t k = 0; k < w->leaves; lo = w->end[k++])
		for (size_t i = lo; i < w->end[k]; i++)
			y[i] = w->count[k] / (double)(w->end[k] - lo);
}

void
descent_release(const struct descent *d, const int64_t *sum, struct rng *r,
    double *y)
{
	struct walk w = { .d = d, .sum = sum, .r = r,
	    .end = err_alloc(NULL, d->n, sizeof(*w.end)),
	    .count = err_alloc(NULL, d->n, sizeof(*w.count)) };
	double total = d->total, variance = d->variance;

	walk_down(&w, 0, d->n, 0);
	counts_look(w.count, w.leaves, (double)w.leaves *
	    counts_variance(&d->leaf, d->shift), &total, &variance);
	counts_project(w.count, w.leaves, fmax(0, total));
	walk_spread(&w, y);
	free(w.end);
	free(w.count);
}
