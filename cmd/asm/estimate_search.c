/*
 * estimate_search: the public span of an estimate's outputs, the bounds for a
 * group's data, and the releases.
 */
#include <math.h>

#include "asm/size/code.h"
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
#define CELLS_FAR 108	/* a mean of squares of 2^62 steps in 2^16 cells */

/*
 * The public span of the outputs.  Under swap n is public, and a sum of n
 * bounded terms is bounded.
 */
static struct output_span
span_of(const struct estimate *e, const struct estimate_group *g, size_t t)
{
	bool swap = e->opts.neighbors == NEIGHBORS_SWAP;
	struct output_span s = { 0, estimate_most(e), e->queries };
	u128 width = (u128)((i128)e->cell.most - e->cell.least), unit;
	uint64_t n = g->tally[t].n;

	taint_public_if(swap, n);
	switch (e->metric->target[t]) {
	case TARGET_VARIANCE:
		if (!e->cell.has_most)
			break;
		unit = 4 * estimate_unit(e, 2);
		s.hi = output_bounds_step((struct wide){ 0, (width * width +
		    unit - 1) / unit }, e->coded, true);
		s.hi = FIXED_LEAST(s.hi, estimate_most(e));
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
 * The unit of beta^i - 1: the finest that is printed, or of squares behind a
 * root or a quotient the finest of all, so that an unexpectedly small result is
 * resolved; outputs far below the result stop hardly any search.  For a
 * quantile many outputs near 0 would stop a search, so the unit is 1, or a
 * thousandth of the range's end, if less.
 */
static int
unit_digits(const struct estimate *e, bool quantile, int64_t hi)
{
	int digits = e->report.digits, finer = e->step_digits - digits;
	bool part = e->metric->term == TERM_FIT || e->root;

	if (e->paper)
		return FIXED_LEAST(e->step_digits, FIXED_DIGITS);
	if (!quantile)
		return part ? 0 : finer;
	while (digits > 0 && fixed_pow10(digits) > hi / 1000)
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
	struct output_steps s = { .digits = unit_digits(e, quantile, span.hi),
	    .coded = e->coded };

	if (quantile)
		n = COLUMN_WEIGHT - column_room(&g->column);
	taint_public_if(e->opts.neighbors == NEIGHBORS_SWAP, n);
	s.beta = estimate_beta(e, t, n);
	if (e->start.den > 0)
		span.lo = fixed_clamp(estimate_step(e, e->from), span.lo,
		    span.hi);
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
	int64_t top, first = estimate_step(e, fixed_pow10(e->report.digits));
	bool made;

	if (e->enough == UINT64_MAX)
		return;
	c->coded = e->coded;
	c->least = FIXED_LEAST(l->least, 0);
	c->most = estimate_most(e);
	if (l->has_most)
		c->most = FIXED_MOST(l->most, 0);
	top = FIXED_MOST(c->most, -c->least);
	top = FIXED_MOST(top, 1);
	if (e->start.den > 0)
		first = estimate_step(e, e->from);
	else if (l->has_most && e->coded)
		first = code_of((code_size(top) - 1) / CEILING_RANGE + 1,
		    false);
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

	b->coded = e->coded;
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

static i128
search_value(const struct estimate *e, int64_t t)
{
	return e->coded ? (i128)code_size(t) : t;
}

static void
search_list(struct estimate *e, const struct estimate_group *g, size_t t,
    const struct output_bounds *b, struct answer *a)
{
	struct outputs o;

	estimate_outputs(e, g, t, &o);
	for (uint64_t i = 0; i < e->opts.repeat; i++) {
		size_t at = asym_search(&e->asym[t], b, &o, &e->rng);

		a[i].value = search_value(e, o.t[at]);
		e->ends.first |= at == 0 || o.t[at - 1] == 0;
		e->ends.last |= at + 1 == o.n;
		e->ends.cells |= e->coded && !e->cell.has_most &&
		    a[i].value >> CELLS_FAR > 0;
	}
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
		e->ends.first |= a[i].value == s.lo;
		e->ends.last |= a[i].value == s.hi;
	}
	inverse_free(&v);
}

static i128
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

/* sum 2^shift / n, rounded down or up, cut at +-2^125 but for the rest. */
static i128
part_of(i128 sum, i128 n, int shift, bool up)
{
	i128 whole = fixed_floor_div(sum, n), rest = sum - whole * n;
	i128 most = (i128)1 << (125 - shift), one = (i128)1 << shift;

	whole = FIXED_MOST(-most, FIXED_LEAST(whole, most));
	return whole * one + (up ? fixed_ceil_div(rest * one, n) :
	    fixed_floor_div(rest * one, n));
}

/*
 * sum / n and the interval, within the possible sums: all of these where none
 * of them is within reach.
 */
static struct answer
clamped_answer(const struct estimate *e, const struct ceiling_draw *d,
    i128 reach, i128 n)
{
	const struct limits *l = &e->term;
	int shift = e->ceilings.shift[d->at];
	i128 lo = -FIXED_MAX, hi = search_value(e, estimate_most(e));
	struct answer a;
	i128 *const x[] = { &a.value, &a.lower, &a.upper };

	if (l->has_least && l->least >= 0)
		lo = 0;
	if (n > 0 && l->has_most)
		hi = search_value(e, l->most);
	n = FIXED_MOST(n, 1);
	a = (struct answer){ part_of(2 * d->sum + n, 2 * n, shift, false),
	    part_of(d->sum - reach, n, shift, false),
	    part_of(d->sum + reach, n, shift, true) };
	if (reach > 0 && (a.upper <= lo || a.lower >= hi)) {
		a.lower = lo;
		a.upper = hi;
	}
	for (size_t i = 0; i < 3; i++)
		*x[i] = FIXED_MOST(lo, FIXED_LEAST(*x[i], hi));
	return a;
}

/* Without noise the least ceiling that cuts nothing. */
static struct ceiling_draw
unclamped(const struct ceilings *c, const struct under *u)
{
	struct ceiling_draw d = { .at = c->n - 1 };

	while (d.at > 0 && u->count[0][d.at] + u->count[1][d.at] == 0)
		d.at--;
	d.sum = ceiling_side(c, u, d.at, 0) - ceiling_side(c, u, d.at, 1);
	return d;
}

/*
 * A group's releases by clamp.  The ceiling is released with the sum, so an
 * interval costs nothing.
 */
static void
clamped(struct estimate *e, const struct under *u, struct answer *a)
{
	const struct ceilings *c = &e->ceilings;
	i128 reach = 0, n = 0;
	struct ceiling_draw d;

	if (e->metric->target[0] == TARGET_MEAN)
		n = (i128)ceiling_terms(c, u);
	for (uint64_t i = 0; i < e->opts.repeat; i++) {
		if (e->opts.non_private)
			d = unclamped(c, u);
		else
			d = ceiling_draw(c, u, &e->rng);
		if (e->opts.interval.den > 0)
			reach = (i128)noise_reach(&c->noise[d.minus][d.at],
			    e->opts.interval) + (c->shift[d.at] > 0);
		a[i] = clamped_answer(e, &d, reach, n);
		e->ends.last |= !e->cell.has_most && ((d.at == c->n - 1 &&
		    !e->opts.non_private) || fixed_size(a[i].value) >=
		    (u128)search_value(e, estimate_most(e)));
		e->ends.cells |= e->coded && !e->cell.has_most &&
		    a[i].value >> CELLS_FAR > 0;
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

		e->ends.last |= m.last && !e->cell.has_most;
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
