/* estimate_search: bounds of one target of one group, and its releases. */
#include <stdlib.h>

#include "estimate.h"
#include "inverse.h"
#include "tool/err.h"

static noreturn void
no_memory(void)
{
	die(STATUS_INPUT, "out of memory");
}

struct ranks
estimate_ranks(const struct group *g)
{
	const struct column *c = &g->column;
	struct ranks r = { c->x, c->w, c->n, c->n };
	size_t i;

	for (r.n = c->w == NULL ? c->n : 0, i = 0; c->w != NULL && i < c->n;
	    i++)
		r.n += c->w[i];
	return r;
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
bounds_of(const struct estimate *e, const struct group *g, size_t t,
    struct outbound *b)
{
	enum relation relation = e->opts.neighbors == NEIGHBORS_SWAP ?
	    RELATION_SWAP : RELATION_ADD_REMOVE;
	const struct tally *tally = &g->tally[t];
	struct ranks r;

	switch (e->metric->target[t]) {
	case TARGET_VARIANCE:
		if (!outbound_variance(b, tally, estimate_unit(e, true),
		    &e->cell, relation))
			no_memory();
		break;
	case TARGET_QUANTILE:
		r = estimate_ranks(g);
		outbound_quantile(b, &r, e->quantile, empty_quantile(e),
		    relation);
		break;
	case TARGET_SUM:
		outbound_sum(b, tally, &e->term, relation);
		break;
	case TARGET_MEAN:
		outbound_mean(b, tally, &e->term, relation);
		break;
	}
}

/* One draw for each of `repeat` releases into value[0], value[stride], ... */
static void
search(struct estimate *e, const struct group *g, size_t t,
    const struct outbound *b, int64_t *value, size_t stride)
{
	struct outputs o;
	uint64_t i;

	estimate_outputs(e, g, t, &o);
	for (i = 0; i < e->opts.repeat; i++)
		value[i * stride] = o.t[asym_search(&e->asym[t], b, &o,
		    &e->rng)];
	outputs_free(&o);
}

/*
 * With --queries the choice is between that many points lo + i gap: bounds
 * are put on this grid, rounded inwards.  gap is returned.
 */
static int64_t
coarsen(const struct estimate *e, struct outbound *b, struct span *s)
{
	i128 width = (i128)s->hi - s->lo, parts = (i128)e->queries - 1;
	i128 gap = fixed_ceil_div(width, parts), lo, hi;
	size_t l;

	if (!e->has_queries || gap <= 1)
		return 1;
	for (l = 0; l <= b->c; l++) {
		lo = fixed_ceil_div((i128)b->lo[l] - s->lo, gap);
		hi = fixed_floor_div((i128)b->hi[l] - s->lo, gap);
		b->lo[l] = (int64_t)(lo > OUTBOUND_INF ? OUTBOUND_INF : lo);
		b->hi[l] = (int64_t)(hi > OUTBOUND_INF ? OUTBOUND_INF : hi);
	}
	s->hi = (int64_t)fixed_floor_div(width, gap);
	return (int64_t)gap;
}

static void
choose(struct estimate *e, const struct group *g, size_t t,
    struct outbound *b, int64_t *value, size_t stride)
{
	struct span s = estimate_span(e, g, t);
	int64_t origin = s.lo, gap = coarsen(e, b, &s);
	struct inverse v;
	uint64_t i;

	if (!inverse_init(&v, b, gap > 1 ? 0 : s.lo, s.hi))
		no_memory();
	for (i = 0; i < e->opts.repeat; i++) {
		int64_t *x = &value[i * stride];

		if (e->asymmetry)
			*x = (int64_t)(1e6 * inverse_asymmetry(&v, b,
			    (double)e->eps.num / (double)e->eps.den) + 0.5);
		else if (e->mechanism == MECHANISM_ISM)
			*x = inverse_exponential(&v, e->eps, &e->rng);
		else if (!inverse_flip(&v, e->eps, &e->rng, x))
			no_memory();
		if (gap > 1 && !e->asymmetry)
			*x = origin + *x * gap;
	}
	inverse_free(&v);
}

static int64_t
exact(const struct estimate *e, const struct group *g, size_t t,
    const struct outbound *b)
{
	switch (e->metric->target[t]) {
	case TARGET_VARIANCE:
		return outbound_variance_value(&g->tally[t],
		    estimate_unit(e, true));
	case TARGET_MEAN:
		return outbound_mean_value(&g->tally[t]);
	default:
		return b->hi[0];
	}
}

/* All releases of one target of one group. */
void
estimate_answer(struct estimate *e, const struct group *g, size_t t,
    int64_t *value, size_t stride)
{
	struct outbound b;
	uint64_t i;

	if (!outbound_init(&b, e->steps))
		no_memory();
	bounds_of(e, g, t, &b);
	if (e->asymmetry || (e->mechanism != MECHANISM_ASM &&
	    !e->opts.non_private))
		choose(e, g, t, &b, value, stride);
	else if (!e->opts.non_private)
		search(e, g, t, &b, value, stride);
	else
		for (i = 0; i < e->opts.repeat; i++)
			value[i * stride] = exact(e, g, t, &b);
	outbound_free(&b);
}
