/*
 * plan_rates: budget per unit of each query, r_k = 1 / c_k, in doubles.
 *
 * A pair's remaining budget, d(i,j) - sum_k r_k |q_ki - q_kj|, follows from the
 * rates spent so far and is not stored.
 */
#include "plan_rates.h"

#include <math.h>
#include <stdlib.h>

#include "number/memory.h"

bool
rates_lower(struct plan *p, const double *rate, double *out)
{
	struct steep a = { .rate = rate, .need = SLOPE_NONE, .keep = 1 };

	slope_search(&p->s, &a);
	for (size_t k = 0; k < p->k; k++)
		out[k] = rate[k] / (a.load * (1 + 4 * p->s.error));
	return a.count > 0;
}

/* A rate's scale in metric units and steps of 10^-digits. */
static bool
inverse(const struct plan *p, double rate, int digits, struct rational *c)
{
	const struct rational step = { 1, fixed_pow10(digits) };
	struct rational x;

	return upward_double(rate, &x) &&
	    upward_div(c, step, x) && upward_div(c, *c, p->m->unit);
}

enum plan_result
rates_finish(struct plan *p, const double *rate, struct rational *c)
{
	double *r = err_alloc(NULL, p->k, sizeof(*r));
	enum plan_result result = PLAN_OK;

	for (size_t k = 0; k < p->w->k; k++)
		c[k] = (struct rational){ 0, 1 };
	if (p->k > 0 && rates_lower(p, rate, r))
		for (size_t k = 0; k < p->k && result == PLAN_OK; k++)
			if (!inverse(p, r[k], p->query[k].digits,
			    &c[p->query[k].number]))
				result = PLAN_RANGE;
	free(r);
	return result;
}

void
rates_keep(struct plan *p, struct pair pair)
{
	for (size_t i = p->pairs; i-- > 0;)
		if (p->pool[i].i == pair.i && p->pool[i].j == pair.j)
			return;
	p->pool = err_grow(p->pool, p->pairs, &p->room, sizeof(pair));
	p->pool[p->pairs++] = pair;
}

/* The step that a pair allows; HUGE_VAL: any. */
static double
allows(struct plan *p, const struct ray *ray, struct pair at)
{
	double d, spent = 0, more = 0;

	slope_row(&p->s, at, p->row, &d);
	if (ray->need != SLOPE_NONE && !(p->row[ray->need] > 0))
		return HUGE_VAL;
	for (size_t k = 0; k < p->k; k++) {
		spent += ray->base[k] * p->row[k];
		more += ray->dir[k] * p->row[k];
	}
	if (!(more > 0))
		return HUGE_VAL;
	return d > spent ? (d - spent) / more : 0;
}

/* The smallest step that a list of pairs allows. */
static double
least(struct plan *p, const struct ray *ray, const struct pair *pair,
    size_t n, struct pair *at)
{
	double t = HUGE_VAL, one;

	for (size_t i = 0; i < n; i++) {
		one = allows(p, ray, pair[i]);
		if (one < t) {
			t = one;
			*at = pair[i];
		}
	}
	return t;
}

double
rates_kept(struct plan *p, const struct ray *ray, struct pair *at)
{
	return least(p, ray, p->pool, p->pairs, at);
}

/* The rates at t, for an infinite t their direction; returns the load there. */
static double
set_rates(const struct plan *p, const struct ray *ray, double t, double *rate)
{
	if (!(t < HUGE_VAL)) {
		memcpy(rate, ray->dir, p->k * sizeof(*rate));
		return 0;
	}
	for (size_t k = 0; k < p->k; k++)
		rate[k] = ray->base[k] + t * ray->dir[k];
	return 1 + p->s.error;
}

/*
 * Newton's method on the largest load as a convex function of t: the step
 * that the kept pairs allow is never too short, and shrinks until no pair is
 * too steep.
 */
double
rates_step(struct plan *p, const struct ray *ray, struct pair *at)
{
	double *rate = err_alloc(NULL, p->k, sizeof(*rate)), t, next;
	struct steep a = { .rate = rate, .need = ray->need, .keep = 1 };

	for (t = rates_kept(p, ray, at);; t = next) {
		a.floor = set_rates(p, ray, t, rate);
		slope_search(&p->s, &a);
		if (a.count == 0)
			break;
		for (size_t i = 0; i < a.count; i++)
			rates_keep(p, a.pair[i]);
		next = least(p, ray, a.pair, a.count, at);
		if (!(next < t))
			break;
	}
	free(rate);
	return t;
}
