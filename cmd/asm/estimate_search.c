/*
 * estimate_search: where the outputs of an estimate may lie, which is public,
 * its bounds for the data of one group, and its releases.
 */
#include <stdlib.h>

#include "estimate.h"
#include "inverse.h"
#include "tool/err.h"

#define CEILING_PARTS 1024

static int64_t
cut(i128 x)
{
	return x > FIXED_MAX ? FIXED_MAX : (int64_t)x;
}

/*
 * Where outputs lie: public.  n is public under swap, where the sum of n
 * bounded terms is bounded.
 */
struct output_span
estimate_span(const struct estimate *e, const struct estimate_group *g,
    size_t t)
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
 * The unit of beta^i - 1: at most 1, and a thousandth of the largest output,
 * where the grid has it, so that small results are resolved too.
 */
static int
unit_digits(const struct estimate *e, const struct output_span *s)
{
	int digits = e->report.digits;

	while (!e->paper && digits > 0 &&
	    fixed_pow10(digits) > s->hi / 1000)
		digits--;
	return digits;
}

void
estimate_outputs(const struct estimate *e, const struct estimate_group *g,
    size_t t, struct outputs *o)
{
	struct output_span s = estimate_span(e, g, t);
	bool quantile = e->metric->target[t] == TARGET_QUANTILE, ok;
	int digits = unit_digits(e, &s);
	uint64_t n = quantile ? estimate_ranks(g).n : g->tally[t].n;
	struct rational beta = estimate_beta(e, t, n);

	if (e->has_start)
		s.lo = fixed_clamp(e->from, s.lo, s.hi);
	if (!quantile) {
		ok = outputs_geometric(o, beta, digits, 0, &s);
	} else if (e->cell.has_least) {
		s.most = estimate_points(e, n);
		ok = outputs_uniform(o, &s);
	} else if (e->has_start) {
		ok = outputs_geometric(o, beta, digits, s.lo, &s);
	} else {
		ok = outputs_signed(o, beta, digits, &s);
	}
	if (!ok)
		die(STATUS_INPUT, "out of memory");
}

/*
 * Ceilings begin at 1, at --start, or at a 1024th of the range: who names a
 * range knows the size of the largest terms, and few steps to climb leave
 * more for the choice.
 */
void
estimate_ceilings(struct estimate *e)
{
	struct rational eps[2] = { { 1, 1 }, { 1, 1 } };
	int64_t ends[2] = { 1, FIXED_MAX };

	if (e->mechanism != MECHANISM_CLAMP)
		return;
	if (e->term.has_most)
		ends[1] = e->term.most > 1 ? e->term.most : 1;
	ends[0] = fixed_clamp(e->has_start ? e->from : e->term.has_most ?
	    (ends[1] - 1) / CEILING_PARTS + 1 :
	    fixed_pow10(e->report.digits), 1, ends[1]);
	if (e->opts.has_eps) {
		eps[0] = e->asym[0].eps1;
		eps[1] = e->asym[0].eps2;
	}
	if (!ceilings_make(&e->ceilings, ends, eps,
	    e->opts.neighbors == NEIGHBORS_SWAP))
		die(STATUS_USAGE, "epsilon is too small, or it and --split "
		    "have too many digits, for --mechanism clamp");
}

static noreturn void
no_memory(void)
{
	die(STATUS_INPUT, "out of memory");
}

struct ranks
estimate_ranks(const struct estimate_group *g)
{
	const struct column *c = &g->column;

	return (struct ranks){ c->x, c->w, c->n, COLUMN_WEIGHT -
	    column_room(c) };
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
	enum neighbors relation = e->opts.neighbors == NEIGHBORS_SWAP ?
	    NEIGHBORS_SWAP : NEIGHBORS_ADD_REMOVE;
	const struct tally *tally = &g->tally[t];
	struct ranks r;

	b->room = e->metric->target[t] == TARGET_QUANTILE ?
	    column_room(&g->column) : TALLY_RECORDS - tally->n;
	if (b->room == 0) {
		output_bounds_none(b);
		return;
	}
	switch (e->metric->target[t]) {
	case TARGET_VARIANCE:
		if (!output_bounds_variance(b, tally, estimate_unit(e, true),
		    &e->cell, relation))
			no_memory();
		break;
	case TARGET_QUANTILE:
		r = estimate_ranks(g);
		output_bounds_quantile(b, &r, e->quantile, empty_quantile(e),
		    relation);
		break;
	case TARGET_SUM:
		output_bounds_sum(b, tally, &e->term, relation);
		break;
	case TARGET_MEAN:
		output_bounds_mean(b, tally, &e->term, relation);
		break;
	}
}

/* One draw for each of `repeat` releases into value[0], value[stride], ... */
static void
search(struct estimate *e, const struct estimate_group *g, size_t t,
    const struct output_bounds *b, int64_t *value, size_t stride)
{
	struct outputs o;

	estimate_outputs(e, g, t, &o);
	for (uint64_t i = 0; i < e->opts.repeat; i++)
		value[i * stride] = o.t[asym_search(&e->asym[t], b, &o,
		    &e->rng)];
	outputs_free(&o);
}

/*
 * With --queries the choice is between that many points lo + i gap: bounds
 * are put on this grid, rounded inwards.  gap is returned.
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
    struct output_bounds *b, int64_t *value, size_t stride)
{
	struct output_span s = estimate_span(e, g, t);
	int64_t origin = s.lo, gap = coarsen(e, b, &s);
	struct inverse v;

	if (!inverse_init(&v, b, gap > 1 ? 0 : s.lo, s.hi))
		no_memory();
	for (uint64_t i = 0; i < e->opts.repeat; i++) {
		int64_t *x = &value[i * stride];

		if (e->asymmetry)
			*x = (int64_t)(1e6 * inverse_asymmetry(&v, b,
			    rational_real(e->eps)) + 0.5);
		else if (!inverse_draw(&v, e->eps,
		    e->mechanism == MECHANISM_ISM ? SELECT_EXPONENTIAL :
		    SELECT_FLIP, &e->rng, x))
			no_memory();
		if (gap > 1 && !e->asymmetry)
			*x = origin + *x * gap;
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

/* All releases of one group, or the sum that would get the noise at most. */
static void
clamped(struct estimate *e, const struct under *u, int64_t *value,
    size_t stride)
{
	for (uint64_t i = 0; i < e->opts.repeat; i++)
		if (e->opts.non_private)
			value[i * stride] = cut(ceiling_sum(&e->ceilings, u,
			    e->ceilings.n - 1));
		else if (!ceiling_draw(&e->ceilings, u, &e->rng,
		    &value[i * stride]))
			no_memory();
}

/* All releases of one target of one group. */
void
estimate_answer(struct estimate *e, const struct estimate_group *g, size_t t,
    int64_t *value, size_t stride)
{
	struct output_bounds b;

	if (e->mechanism == MECHANISM_CLAMP) {
		clamped(e, g->under, value, stride);
		return;
	}
	if (!output_bounds_init(&b, e->steps))
		no_memory();
	bounds_of(e, g, t, &b);
	if (e->asymmetry || (e->mechanism != MECHANISM_ASM &&
	    !e->opts.non_private))
		choose(e, g, t, &b, value, stride);
	else if (!e->opts.non_private)
		search(e, g, t, &b, value, stride);
	else
		for (uint64_t i = 0; i < e->opts.repeat; i++)
			value[i * stride] = exact(e, g, t, &b);
	output_bounds_free(&b);
}
