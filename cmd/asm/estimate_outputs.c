/* estimate_outputs: where outputs of an estimate may lie: public sizes. */
#include "estimate.h"
#include "tool/err.h"

static int64_t
cut(i128 x)
{
	return x > FIXED_MAX ? FIXED_MAX : (int64_t)x;
}

/*
 * Where outputs lie: public.  n is public under swap, where the sum of n
 * bounded terms is bounded.
 */
struct span
estimate_span(const struct estimate *e, const struct group *g, size_t t)
{
	bool swap = e->opts.neighbors == NEIGHBORS_SWAP;
	struct span s = { 0, FIXED_MAX, e->queries };
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
unit_digits(const struct estimate *e, const struct span *s)
{
	int digits = e->unit_digits;

	while (!e->has_unit && !e->paper && digits > 0 &&
	    fixed_pow10(digits) > s->hi / 1000)
		digits--;
	return digits;
}

void
estimate_outputs(const struct estimate *e, const struct group *g, size_t t,
    struct outputs *o)
{
	struct span s = estimate_span(e, g, t);
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
