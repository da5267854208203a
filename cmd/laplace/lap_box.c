/*
 * lap_box: K-norm noise for the totals of all columns, one draw for a group.
 *
 * knorm.c has the law and the proof.  A record that comes or goes is in one
 * group, and moves this group's totals within the box; groups are disjoint.
 * Where the count has a part of E, the box has the rest: E together.
 */
#include <math.h>
#include <stdlib.h>

#include "cover.h"
#include "lap.h"
#include "random/meter.h"
#include "tool/err.h"

/* A side of no step would be a number that a record never moves. */
bool
lap_box_plan(struct lap *l, size_t n, bool counted, u128 records,
    unsigned count)
{
	struct knorm *k = &l->plan.box;
	struct rational own = { count, LAP_COUNT }, eps = lap_epsilon(l);
	struct rational rest = { LAP_COUNT - (i128)count, LAP_COUNT };

	records *= l->opts.unit.records;
	for (size_t c = 0; c < n; c++)
		if (l->plan.side[c].up + l->plan.side[c].down == 0)
			l->plan.side[c] = (struct knorm_side){ 1, 1 };
	*k = (struct knorm){ .d = n, .counted = counted,
	    .side = l->plan.side };
	l->plan.count = (struct scale){ 0, 1 };
	if (!rational_mul(&own, own, eps) || !rational_mul(&rest, rest, eps) ||
	    !knorm_make(k, records, rest))
		return false;
	return count == 0 || scale_make(&l->plan.count, k->m * records, own);
}

struct cover_noise
lap_box_cover(const struct lap *l)
{
	const struct scale *t = &l->plan.count;
	const struct knorm *k = &l->plan.box;
	double record = (double)k->m * (double)l->opts.unit.whole;
	const struct spread_part part = knorm_part(k, 0, 2 /
	    (double)l->opts.unit.whole);

	return (struct cover_noise){ .scale = (double)t->s / (double)t->r /
	    record, .step = 2 * KNORM_BLUR / record, .alpha = lap_alpha(l),
	    .times = 1, .pairs = 1, .shape = part.shape, .radius = part.a[0],
	    .counted = k->counted };
}

void
lap_box_draw(struct lap *l, size_t group, i128 *x)
{
	const struct knorm *k = &l->plan.box;
	const struct total *t = l->total + group * l->m;
	i128 *exact = err_alloc(NULL, 2 * (k->d + 1), sizeof(*exact));
	i128 *noise = l->opts.non_private ? NULL : exact + k->d + 1;
	i128 n = 0;

	for (size_t i = 0; i <= k->d; i++)
		exact[i] = total_value(&t[i]);
	if (noise != NULL)
		knorm_draw(&l->rng, k, noise);
	knorm_add(k, exact, noise, x);
	if (!k->counted)
		n = x[k->d] = exact[k->d] * (i128)k->m;
	if (!k->counted && noise != NULL && l->plan.count.s != 0)
		x[k->d] = METER_NOISY(fixed_add_sat(n, noise_laplace(&l->rng,
		    &l->plan.count)), n, &l->plan.count);
	free(exact);
}
