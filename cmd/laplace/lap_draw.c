/*
 * lap_draw: a group's totals with noise.
 *
 * knorm.c has the law of one draw for all, and the proof.  A record that comes
 * or goes is in one group, and moves this group's totals within the body;
 * groups are disjoint.  Where the count has a part of E, the box has the rest:
 * E together.
 */
#include <stdlib.h>

#include "lap.h"
#include "random/meter.h"
#include "random/noise.h"
#include "tool/err.h"

i128
lap_noisy(struct lap *l, i128 exact, size_t i)
{
	const struct lap_noise *n = &l->plan.noise[i];

	exact = fixed_round(exact, n->cell, n->grid, FIXED_NEAREST);
	if (l->opts.non_private)
		return exact;
	return METER_NOISY(fixed_add_sat(exact, noise_laplace(&l->rng, &n->t)),
	    exact, &n->t);
}

struct answer
lap_answer(struct lap *l, i128 exact, size_t i)
{
	return lap_answer_noisy(l, lap_noisy(l, exact, i), i);
}

/*
 * The rows of a person have weights that add up to w: x / w, an answer in
 * persons, is on a grid three decimals finer than the printed grid.
 */
struct answer
lap_answer_noisy(const struct lap *l, i128 x, size_t i)
{
	const struct lap_noise *n = &l->plan.noise[i];
	i128 w = (i128)l->opts.unit.whole, reach;
	int fine = n->digits + 3;

	if (w == 1)
		return answer_make(x, n->reach, n->grid, n->digits);
	if (fine > FIXED_DIGITS)
		fine = FIXED_DIGITS;
	if (fine < n->grid)
		fine = n->grid;
	x = fixed_round(x, n->grid, fine, FIXED_NEAREST);
	reach = fixed_round(n->reach, n->grid, fine, FIXED_NEAREST);
	return answer_make(fixed_floor_div(x, w), fixed_floor_div(reach, w) + 2,
	    fine, n->digits);
}

/* By one draw: times the box's m, the number of records last. */
static void
draw_box(struct lap *l, const struct total *t, i128 *x)
{
	const struct knorm *k = &l->plan.box;
	const struct scale *count = &l->plan.count;
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
	if (!k->counted && noise != NULL && count->s != 0)
		x[k->d] = METER_NOISY(fixed_add_sat(n, noise_laplace(&l->rng,
		    count)), n, count);
	free(exact);
}

/* The one place that asks which noise it is; returns the parts of a step. */
static i128
draw_totals(struct lap *l, size_t group, size_t n, i128 *x)
{
	const struct lap_plan *p = &l->plan;
	const struct total *t = l->total + group * p->m;

	if (p->box.d > 0) {
		draw_box(l, t, x);
		return (i128)p->box.m;
	}
	for (size_t i = 0; i < n; i++)
		x[i] = lap_noisy(l, total_value(&t[i]), i / p->alike);
	return 1;
}

void
lap_numbers(struct lap *l, size_t group, size_t n, i128 *x)
{
	i128 parts = draw_totals(l, group, n, x);

	for (size_t i = 0; i < n; i++)
		x[i] = fixed_div(x[i], parts, FIXED_NEAREST);
}

void
lap_totals(struct lap *l, size_t group, size_t n, long double *x)
{
	i128 *y = err_alloc(NULL, l->plan.m, sizeof(*y));
	long double parts = (long double)draw_totals(l, group, n, y) *
	    (long double)l->opts.unit.whole;

	for (size_t i = 0; i < n; i++)
		x[i] = (long double)y[i] / parts;
	free(y);
}
