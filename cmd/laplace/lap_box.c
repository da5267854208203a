/*
 * lap_box: K-norm noise for the totals of all columns, one draw for a group.
 *
 * knorm.c has the law and the proof.  A record that comes or goes is in one
 * group, and moves this group's totals within the box; groups are disjoint.
 * Where the count has a part of E, the box has the rest: E together.
 */
#include <math.h>
#include <stdlib.h>

#include "lap.h"
#include "random/meter.h"
#include "tool/err.h"

struct knorm_side *
lap_box_room(struct lap *l, size_t n)
{
	l->plan.side = err_alloc(l->plan.side, n, sizeof(*l->plan.side));
	return l->plan.side;
}

/* E, or 1 if no epsilon is given. */
static struct rational
lap_box_epsilon(const struct lap *l)
{
	const struct rational one = { 1, 1 };

	return l->plan.eps.den > 0 ? l->plan.eps : one;
}

/* A side of no step would be a number that a record never moves. */
bool
lap_box_plan(struct lap *l, size_t n, bool counted, u128 records,
    unsigned count)
{
	struct knorm *k = &l->plan.box;
	struct rational own = { count, LAP_COUNT }, eps = lap_box_epsilon(l);
	struct rational rest = { LAP_COUNT - (i128)count, LAP_COUNT };

	records *= l->opts.unit.records;
	for (size_t c = 0; c < n; c++)
		if (l->plan.side[c].up + l->plan.side[c].down == 0)
			l->plan.side[c] = (struct knorm_side){ 1, 1 };
	*k = (struct knorm){ .d = n, .counted = counted,
	    .side = l->plan.side };
	l->plan.count.s = 0;
	l->plan.reach[0].part = l->plan.reach[1].part = 0;
	if (!rational_mul(&own, own, eps) || !rational_mul(&rest, rest, eps) ||
	    !knorm_make(k, records, rest))
		return false;
	return count == 0 || scale_make(&l->plan.count, k->m * records, own);
}

double
lap_box_error95(const struct lap *l, double z)
{
	return knorm_reach(&l->plan.box, z, 0.05) *
	    rational_real(lap_box_epsilon(l));
}

/*
 * Half an interval in steps, and one for rounding to whole steps.  Columns
 * often have one tilt, and a bound for many numbers takes its time.
 */
static i128
lap_box_reach(struct lap *l, size_t i, struct rational p, int at)
{
	const struct knorm_side *s = &l->plan.side[i];
	struct lap_reach *last = &l->plan.reach[at];
	double w = (double)s->up + (double)s->down;
	double tilt = ((double)s->up - (double)s->down) / w;
	double alpha = (double)(p.den - p.num) / (double)p.den;

	if (last->part <= 0 || last->tilt != tilt)
		*last = (struct lap_reach){ tilt, knorm_reach(&l->plan.box,
		    tilt, alpha) };
	return (i128)ceil(w * last->part) + 1;
}

/* [DMNS06 Theorem 2] The scale is what E is for in the norm: S/E. */
void
lap_box_describe(struct lap *l, size_t i)
{
	struct report *r = &l->report;
	const struct lap_noise *n = &l->plan.noise[i];
	const struct rational grid = { 1, fixed_pow10(n->grid) };
	const struct rational p = { 19, 20 };
	struct rational reach = { lap_box_reach(l, i, p, 0), 1 };

	if (!rational_make(&r->scale, (i128)(n->sens * l->opts.unit.records),
	    grid.den) || !rational_div(&r->scale, r->scale, l->plan.eps))
		r->scale.den = 0;
	if (!rational_mul(&r->error95, reach, grid))
		r->error95.den = 0;
	if (r->opts->interval.den == 0)
		return;
	r->reach = lap_box_reach(l, i, r->opts->interval, 1);
	reach.num = r->reach;
	if (!rational_mul(&r->half_width, reach, grid))
		r->half_width.den = 0;
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
