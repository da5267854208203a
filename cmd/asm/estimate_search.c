/*
 * estimate_search: the public span of an estimate's outputs, the bounds for a
 * group's data, and the releases.
 */

#include "estimate.h"
#include "inverse.h"
#include "tool/err.h"

#define CEILING_RANGE 1024

static int64_t
cut(i128 x)
{
	return x > FIXED_MAX ? FIXED_MAX : (int64_t)x;
}

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

	switch (e->metric->target[t]) {
	case TARGET_VARIANCE:
		if (!e->cell.has_most)
			break;
		unit = 4 * estimate_unit(e, true);
		s.hi = cut((i128)((width * width + unit - 1) / unit));
		break;
	case TARGET_QUANTILE:
		s.lo = e->cell.has_least ? e->cell.least : -FIXED_MAX;
		s.hi = e->cell.has_most ? e->cell.most : FIXED_MAX;
		break;
	case TARGET_SUM:
		if (e->term.has_most && swap)
			s.hi = cut((i128)g->tally[t].n * e->term.most);
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

	s->origin = e->start.den > 0 ? span->lo : fixed_clamp(0, span->lo,
	    span->hi);
	if (!e->cell.has_least)
		return;
	s->gap = (int64_t)fixed_ceil_div(width,
	    (i128)estimate_points(e, n) - 1);
	s->gap = s->gap < 1 ? 1 : s->gap;
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
	uint64_t n = quantile ? COLUMN_WEIGHT - column_room(&g->column) :
	    g->tally[t].n;
	struct output_span span = span_of(e, g, t);
	struct output_steps s = { .beta = estimate_beta(e, t, n),
	    .digits = unit_digits(e, quantile, span.hi) };

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
	struct rational eps[] = { { 1, 1 }, { 1, 1 }, { 1, 1 } };
	struct ceilings *c = &e->ceilings;
	const struct limits *l = &e->term;
	int64_t top;

	if (e->enough == UINT64_MAX)
		return;
	c->least = l->has_least && l->least > 0 ? 0 : l->least;
	c->most = !l->has_most ? FIXED_MAX : l->most > 0 ? l->most : 0;
	top = c->most > -c->least ? c->most : -c->least;
	top = top > 1 ? top : 1;
	c->first = fixed_clamp(e->start.den > 0 ? e->from : l->has_most ?
	    (top - 1) / CEILING_RANGE + 1 : fixed_pow10(e->report.digits), 1,
	    top);
	c->swap = e->opts.neighbors == NEIGHBORS_SWAP;
	c->fine = c->swap && e->start.den == 0;
	c->ask = estimate_asks(e);
	if (e->opts.eps.den > 0) {
		eps[CEILING_CHOICE] = e->clamp.eps1;
		eps[CEILING_NOISE] = e->clamp.eps2;
		eps[CEILING_FLOOR] = e->floor;
	}
	if (!ceilings_make(c, eps))
		die(STATUS_USAGE, "epsilon is too small, or it and --split "
		    "have too many digits, for --mechanism clamp");
}

/* Without data a quantile is the middle of the range, or 0. */
static int64_t
empty_quantile(const struct estimate *e)
{
	if (!e->cell.has_least)
		return 0;
	return (int64_t)fixed_floor_div((i128)e->cell.least + e->cell.most,
	    2);
}

static void
bounds_of(const struct estimate *e, const struct estimate_group *g, size_t t,
    struct output_bounds *b)
{
	enum neighbors relation = e->opts.neighbors;
	const struct tally *tally = &g->tally[t];

	b->room = e->metric->target[t] == TARGET_QUANTILE ?
	    column_room(&g->column) : TALLY_RECORDS - tally->n;
	if (b->room == 0)
		return;		/* too many records: no distance counts */
	switch (e->metric->target[t]) {
	case TARGET_VARIANCE:
		output_bounds_variance(b, tally, estimate_unit(e, true),
		    &e->cell, relation);
		break;
	case TARGET_QUANTILE:
		output_bounds_quantile(b, &(struct ranks){ g->column.x,
		    g->column.w, COLUMN_WEIGHT - b->room }, e->quantile,
		    empty_quantile(e), relation);
		break;
	case TARGET_SUM:
		output_bounds_sum(b, tally, &e->term, relation);
		break;
	case TARGET_MEAN:
		output_bounds_mean(b, tally, &e->term, relation);
		break;
	}
}

static void
search(struct estimate *e, const struct estimate_group *g, size_t t,
    const struct output_bounds *b, struct answer *a)
{
	struct outputs o;

	estimate_outputs(e, g, t, &o);
	for (uint64_t i = 0; i < e->opts.repeat; i++)
		a[i].value = o.t[asym_search(&e->asym[t], b, &o, &e->rng)];
	outputs_free(&o);
}

/*
 * With --queries N the choice is between N points lo + i gap: puts the bounds
 * on this grid, rounded inwards, and returns the gap.
 */
static int64_t
coarsen(const struct estimate *e, struct output_bounds *b,
    struct output_span *s)
{
	i128 width = (i128)s->hi - s->lo, parts = (i128)e->queries - 1;
	i128 gap = fixed_ceil_div(width, parts), lo, hi;

	if (!e->has_queries || gap <= 1)
		return 1;
	for (size_t l = 0; l <= b->c; l++) {
		lo = fixed_ceil_div((i128)b->lo[l] - s->lo, gap);
		hi = fixed_floor_div((i128)b->hi[l] - s->lo, gap);
		b->lo[l] = (int64_t)(lo > OUTPUT_INF ? OUTPUT_INF : lo);
		b->hi[l] = (int64_t)(hi > OUTPUT_INF ? OUTPUT_INF : hi);
	}
	s->hi = (int64_t)fixed_floor_div(width, gap);
	return (int64_t)gap;
}

static void
choose(struct estimate *e, const struct estimate_group *g, size_t t,
    struct output_bounds *b, struct answer *a)
{
	struct output_span s = span_of(e, g, t);
	int64_t origin = s.lo, gap = coarsen(e, b, &s), x;
	struct inverse v;

	inverse_init(&v, b, gap > 1 ? 0 : s.lo, s.hi);
	for (uint64_t i = 0; i < e->opts.repeat; i++) {
		if (e->asymmetry)
			x = (int64_t)(1e6 * inverse_asymmetry(&v, b,
			    rational_real(e->eps)) + 0.5);
		else
			x = inverse_draw(&v, e->eps,
			    e->mechanism == MECHANISM_ISM ?
			    SELECT_EXPONENTIAL : SELECT_FLIP, &e->rng);
		a[i].value = gap > 1 && !e->asymmetry ? origin + x * gap : x;
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
		    estimate_unit(e, true));
	case TARGET_MEAN:
		return output_bounds_mean_value(&g->tally[t]);
	default:
		return b->hi[0];
	}
}

/* sum / n and the interval, within the possible sums. */
static struct answer
clamped_answer(const struct estimate *e, i128 sum, i128 reach, i128 n)
{
	const struct limits *l = &e->term;
	i128 lo = l->has_least && l->least >= 0 ? 0 : -(i128)FIXED_MAX;
	i128 hi = n > 0 && l->has_most ? l->most : FIXED_MAX;
	struct answer a;
	i128 *const x[] = { &a.value, &a.lower, &a.upper };

	n = n > 0 ? n : 1;
	a = (struct answer){ fixed_floor_div(2 * sum + n, 2 * n),
	    fixed_floor_div(sum - reach, n), fixed_ceil_div(sum + reach, n) };
	for (size_t i = 0; i < 3; i++)
		*x[i] = *x[i] < lo ? lo : *x[i] > hi ? hi : *x[i];
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
	i128 reach = 0, n = e->metric->target[0] == TARGET_MEAN ?
	    (i128)ceiling_terms(c, u) : 0;
	struct ceiling_draw d = { .at = c->n - 1 };

	for (uint64_t i = 0; i < e->opts.repeat; i++) {
		if (e->opts.non_private)
			d.sum = ceiling_sum(c, u, d.at, true);
		else
			d = ceiling_draw(c, u, &e->rng);
		if (e->opts.interval.den > 0)
			reach = (i128)noise_reach(&c->noise[d.minus][d.at],
			    e->opts.interval);
		a[i] = clamped_answer(e, d.sum, reach, n);
	}
}

void
estimate_answer(struct estimate *e, const struct estimate_group *g, size_t t,
    struct answer *a)
{
	struct output_bounds b;

	if (g->tally[0].n >= e->enough) {
		clamped(e, g->under, a);
		return;
	}
	output_bounds_init(&b, e->steps);
	bounds_of(e, g, t, &b);
	if (e->asymmetry || (e->mechanism != MECHANISM_ASM &&
	    !e->opts.non_private))
		choose(e, g, t, &b, a);
	else if (!e->opts.non_private)
		search(e, g, t, &b, a);
	else
		for (uint64_t i = 0; i < e->opts.repeat; i++)
			a[i].value = exact(e, g, t, &b);
	output_bounds_free(&b);
}
