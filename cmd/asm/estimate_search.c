/*
 * estimate_search: the public span of an estimate's outputs, the bounds for a
 * group's data, and the releases.
 */
#include <math.h>

#include "ceiling.h"
#include "estimate.h"
#include "input/column.h"
#include "inverse.h"
#include "output_bounds.h"
#include "asm/plan/outputs.h"
#include "number/taint.h"
#include "random/select.h"
#include "tally.h"
#include "tool/err.h"

#define CEILING_RANGE 1024

/*
 * The public span of the outputs.  Under swap n is public, and a sum of n
 * bounded terms is bounded.
 */
static struct output_span
span_of(const struct estimate *e, const struct estimate_group *g, size_t t)
{
	bool swap = e->opts.neighbors == NEIGHBORS_SWAP;
	struct output_span s = { 0, FIXED_MAX, e->queries };
	u128 width = (u128)((i128)e->cell.most - e->cell.least), unit;
	uint64_t n = g->tally[t].n;

	taint_public_if(swap, n);
	switch (e->metric->target[t]) {
	case TARGET_VARIANCE:
		if (!e->cell.has_most)
			break;
		unit = 4 * estimate_unit(e, 2);
		s.hi = fixed_clamp_wide((i128)((width * width + unit - 1) /
		    unit), 0, FIXED_MAX);
		break;
	case TARGET_QUANTILE:
		s.lo = -FIXED_MAX;
		if (e->cell.has_least)
			s.lo = e->cell.least;
		if (e->cell.has_most)
			s.hi = e->cell.most;
		break;
	case TARGET_SUM:
		if (e->term.has_most && swap)
			s.hi = fixed_clamp_wide((i128)n * e->term.most, 0,
			    FIXED_MAX);
		break;
	case TARGET_MEAN:
		if (e->term.has_most)
			s.hi = e->term.most;
		break;
	}
	return s;
}

/*
 * The unit of beta^i - 1: the finest, so that an unexpectedly small result is
 * resolved; outputs far below the result stop hardly any search.  For a
 * quantile many outputs near 0 would stop a search, so the unit is 1, or a
 * thousandth of the range's end, if less.
 */
static int
unit_digits(const struct estimate *e, bool quantile, int64_t hi)
{
	int digits = e->report.digits;

	if (!quantile && !e->paper)
		return 0;
	while (!e->paper && digits > 0 && fixed_pow10(digits) > hi / 1000)
		digits--;
	return digits;
}

/*
 * Quantiles in a range: powers as without a range, but never further apart than
 * equal steps; with --queries equal steps alone.
 */
static void
quantile_steps(const struct estimate *e, uint64_t n, struct output_steps *s,
    struct output_span *span)
{
	i128 width = (i128)span->hi - span->lo;

	s->origin = span->lo;
	if (e->start.den == 0)
		s->origin = fixed_clamp(0, span->lo, span->hi);
	if (!e->cell.has_least)
		return;
	s->gap = (int64_t)fixed_ceil_div(width,
	    (i128)estimate_points(e, n) - 1);
	s->gap = FIXED_MOST(s->gap, 1);
	if (!e->has_queries)
		return;
	s->beta = (struct rational){ 0, 1 };
	s->origin = span->lo;
	span->most = estimate_points(e, n);
}

void
estimate_outputs(const struct estimate *e, const struct estimate_group *g,
    size_t t, struct outputs *o)
{
	bool quantile = e->metric->target[t] == TARGET_QUANTILE;
	uint64_t n = g->tally[t].n;
	struct output_span span = span_of(e, g, t);
	struct output_steps s = { .digits = unit_digits(e, quantile, span.hi) };

	if (quantile)
		n = COLUMN_WEIGHT - column_room(&g->column);
	taint_public_if(e->opts.neighbors == NEIGHBORS_SWAP, n);
	s.beta = estimate_beta(e, t, n);
	if (e->start.den > 0)
		span.lo = fixed_clamp(e->from, span.lo, span.hi);
	if (quantile)
		quantile_steps(e, n, &s, &span);
	outputs_make(o, &s, &span);
}

/*
 * Ceilings begin at --start, without --start at a 1024th of the range, without
 * a range at 1: a range tells the size of the largest terms, and fewer steps to
 * climb leave the choice more epsilon.
 */
void
estimate_ceilings(struct estimate *e)
{
	const struct rational eps[] = { [CEILING_CHOICE] = e->clamp.eps1,
	    [CEILING_NOISE] = e->clamp.eps2, [CEILING_FLOOR] = e->floor };
	struct ceilings *c = &e->ceilings;
	const struct limits *l = &e->term;
	int64_t top, first = fixed_pow10(e->report.digits);
	bool made;

	if (e->enough == UINT64_MAX)
		return;
	c->least = FIXED_LEAST(l->least, 0);
	c->most = FIXED_MAX;
	if (l->has_most)
		c->most = FIXED_MOST(l->most, 0);
	top = FIXED_MOST(c->most, -c->least);
	top = FIXED_MOST(top, 1);
	if (e->start.den > 0)
		first = e->from;
	else if (l->has_most)
		first = (top - 1) / CEILING_RANGE + 1;
	c->first = fixed_clamp(first, 1, top);
	c->swap = e->opts.neighbors == NEIGHBORS_SWAP;
	c->fine = c->swap && e->start.den == 0;
	c->ask = estimate_asks(e);
	e->brackets.first = c->first;
	e->brackets.most = top;
	e->brackets.swap = c->swap;
	if (e->mechanism == MECHANISM_BRACKET)
		made = brackets_make(&e->brackets, eps[CEILING_CHOICE],
		    eps[CEILING_NOISE]);
	else
		made = ceilings_make(c, eps);
	if (!made)
		err_die(STATUS_USAGE, "epsilon is too small, or it and --split "
		    "have too many digits, for --mechanism clamp");
}

/* Without data a quantile is the middle of the range, or 0. */
static int64_t
empty_quantile(const struct estimate *e)
{
	if (!e->cell.has_least)
		return 0;
	return (int64_t)fixed_floor_div((i128)e->cell.least + e->cell.most, 2);
}

static void
bounds_of(const struct estimate *e, const struct estimate_group *g, size_t t,
    struct output_bounds *b)
{
	enum neighbors relation = e->opts.neighbors;
	const struct tally *tally = &g->tally[t];

	b->room = TALLY_RECORDS - tally->n;
	if (e->metric->target[t] == TARGET_QUANTILE)
		b->room = column_room(&g->column);
	if (b->room == 0)
		return;		/* too many records: no distance counts */
	switch (e->metric->target[t]) {
	case TARGET_VARIANCE:
		output_bounds_variance(b, tally, estimate_unit(e, 2),
		    &e->cell, relation);
		break;
	case TARGET_QUANTILE:
		output_bounds_quantile(b, &(struct ranks){ g->column.x,
		    g->column.w, COLUMN_WEIGHT - b->room }, e->quantile,
		    empty_quantile(e), relation);
		break;
	case TARGET_SUM:
		output_bounds_sum(b, tally, &e->term, relation, 1);
		break;
	case TARGET_MEAN:
		output_bounds_mean(b, tally, &e->term, relation);
		break;
	}
}

static void
search_list(struct estimate *e, const struct estimate_group *g, size_t t,
    const struct output_bounds *b, struct answer *a)
{
	struct outputs o;

	estimate_outputs(e, g, t, &o);
	for (uint64_t i = 0; i < e->opts.repeat; i++)
		a[i].value = o.t[asym_search(&e->asym[t], b, &o, &e->rng)];
	outputs_free(&o);
}

static void
choose_point(struct estimate *e, const struct estimate_group *g, size_t t,
    struct output_bounds *b, struct answer *a)
{
	struct output_span s = span_of(e, g, t);
	enum select_kind kind = SELECT_FLIP;
	struct inverse v;

	if (e->mechanism == MECHANISM_ISM)
		kind = SELECT_EXPONENTIAL;
	inverse_init(&v, b, s.lo, s.hi);
	for (uint64_t i = 0; i < e->opts.repeat; i++) {
		if (e->asymmetry)
			a[i].value = (int64_t)(1e6 * inverse_asymmetry(&v, b,
			    rational_real(e->eps)) + 0.5);
		else
			a[i].value = inverse_draw(&v, e->eps, kind, &e->rng);
	}
	inverse_free(&v);
}

static int64_t
exact(const struct estimate *e, const struct estimate_group *g, size_t t,
    const struct output_bounds *b)
{
	switch (e->metric->target[t]) {
	case TARGET_VARIANCE:
		return output_bounds_variance_value(&g->tally[t],
		    estimate_unit(e, 2));
	case TARGET_MEAN:
		return output_bounds_mean_value(&g->tally[t]);
	default:
		return b->hi[0];
	}
}

/*
 * sum / n and the interval, within the possible sums: all of these where none
 * of them is within reach.
 */
static struct answer
clamped_answer(const struct estimate *e, i128 sum, i128 reach, i128 n)
{
	const struct limits *l = &e->term;
	int64_t lo = -FIXED_MAX, hi = FIXED_MAX;
	struct answer a;
	i128 *const x[] = { &a.value, &a.lower, &a.upper };

	if (l->has_least && l->least >= 0)
		lo = 0;
	if (n > 0 && l->has_most)
		hi = l->most;
	n = FIXED_MOST(n, 1);
	a = (struct answer){ fixed_floor_div(2 * sum + n, 2 * n),
	    fixed_floor_div(sum - reach, n), fixed_ceil_div(sum + reach, n) };
	if (reach > 0 && (a.upper <= lo || a.lower >= hi)) {
		a.lower = lo;
		a.upper = hi;
	}
	for (size_t i = 0; i < 3; i++)
		*x[i] = fixed_clamp_wide(*x[i], lo, hi);
	return a;
}

/*
 * A group's releases by clamp; without noise the sum at the highest ceiling.
 * The ceiling is released with the sum, so an interval costs nothing.
 */
static void
clamped(struct estimate *e, const struct under *u, struct answer *a)
{
	const struct ceilings *c = &e->ceilings;
	i128 reach = 0, n = 0;
	struct ceiling_draw d = { .at = c->n - 1 };

	if (e->metric->target[0] == TARGET_MEAN)
		n = (i128)ceiling_terms(c, u);
	for (uint64_t i = 0; i < e->opts.repeat; i++) {
		if (e->opts.non_private)
			d.sum = ceiling_side(c, u, d.at, 0) -
			    ceiling_side(c, u, d.at, 1);
		else
			d = ceiling_draw(c, u, &e->rng);
		if (e->opts.interval.den > 0)
			reach = (i128)noise_reach(&c->noise[d.minus][d.at],
			    e->opts.interval);
		a[i] = clamped_answer(e, d.sum, reach, n);
	}
}

/* A group's means within an interval. */
static void
bracketed(struct estimate *e, const struct bracket_terms *t, struct answer *a)
{
	const struct brackets *b = &e->brackets;

	for (uint64_t i = 0; i < e->opts.repeat; i++) {
		struct bracket_mean m = bracket_draw(b, t, e->opts.interval,
		    e->opts.non_private ? NULL : &e->rng);

		a[i] = (struct answer){ (i128)floorl(m.mean + 0.5L),
		    (i128)floorl(m.lower), (i128)ceill(m.upper) };
	}
}

void
estimate_answer(struct estimate *e, const struct estimate_group *g, size_t t,
    struct answer *a)
{
	struct output_bounds b;

	if (g->terms != NULL) {
		bracketed(e, g->terms, a);
		return;
	}
	if (g->tally[0].n >= e->enough) {
		clamped(e, g->under, a);
		return;
	}
	output_bounds_init(&b, e->steps);
	bounds_of(e, g, t, &b);
	if (e->asymmetry || (e->mechanism != MECHANISM_ASM &&
	    !e->opts.non_private))
		choose_point(e, g, t, &b, a);
	else if (!e->opts.non_private)
		search_list(e, g, t, &b, a);
	else
		for (uint64_t i = 0; i < e->opts.repeat; i++)
			a[i].value = exact(e, g, t, &b);
	output_bounds_free(&b);
}
