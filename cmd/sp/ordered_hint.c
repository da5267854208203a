/*
 * ordered_hint: where to look for g first.
 *
 * The walks just above and just below g part at some window, whose payoff is g.
 * For a large S the window is the whole data, for a small S the empty window at
 * center.  Neither need be right, so the payoff is only a hint; two walks
 * confirm a right hint.
 */
#include "number/sort.h"
#include "ordered_runs.h"

void
ordered_hints(const struct ordered_data *d, i128 hint[ORDERED_HINTS])
{
	uint64_t n = ordered_before(d, d->n);
	i128 below = ordered_before(d, sort_find(d->x, d->n,
	    d->f->center));
	struct run_walk w = run_walk_make(d, 0, 0);
	i128 den, f2;

	run_walk_place(&w, 0, n);
	f2 = run_walk_twice(&w, &den);
	hint[0] = fixed_floor_div(f2 + den, 2 * den);
	hint[1] = d->f->center + ((i128)n - 2 * below) * d->f->sens;
}
