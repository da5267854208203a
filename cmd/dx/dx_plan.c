/* dx_plan: the strategies, and what all share: grids, room, words. */
#include "dx.h"
#include "dx/plan/plan_joint.h"
#include "dx/plan/slope.h"
#include "dx/plan/workload.h"
#include "tool/err.h"
#include "tool/text.h"

#include <math.h>
#include <stdlib.h>

#define ERROR_PARTS 1000	/* grid steps in a scale */
#define GAIN 0.99	/* of squared errors: a smaller gain is not worth
			   cells; a judgement, not a measurement */

enum dx_strategy
dx_chosen(const struct dx *d)
{
	int s = 0;

	while (!d->strategy[s])
		s++;
	return (enum dx_strategy)s;
}

void
dx_failed(const struct dx *d, enum plan_result r)
{
	const struct pair *at = &d->plan.worst;

	if (dx_is_fitted(d->fitted))
		at = &d->tree.worst;
	if (r == PLAN_INFINITE && at->i == at->j)
		err_die(STATUS_INPUT, "two records of the universe have "
		    "distance 0: no finite noise on the count of each is "
		    "private");
	if (r == PLAN_INFINITE)
		err_die(STATUS_INPUT, "records %zu and %zu of the universe "
		    "have distance 0 but unequal coefficients: no finite noise "
		    "is private", FIXED_LEAST(at->i, at->j) + 1,
		    FIXED_MOST(at->i, at->j) + 1);
	if (r == PLAN_RANGE)
		err_die(STATUS_INPUT, "a scale is out of range");
}

int
dx_scale_digits(struct rational c)
{
	int digits = 0;

	grid_limit(&digits, c, ERROR_PARTS);
	return digits < 0 ? FIXED_DIGITS : digits;
}

void
dx_room(struct dx *d, size_t noises)
{
	d->digits = err_alloc(d->digits, d->u.w.k, sizeof(*d->digits));
	d->fine = err_alloc(d->fine, d->u.w.k, sizeof(*d->fine));
	d->t = err_alloc(d->t, noises, sizeof(*d->t));
}

void
dx_begin(struct dx *d, enum dx_strategy which)
{
	const char *hint = "";

	if (dx_is_fitted(which)) {
		dx_failed(d, dx_fitted_choose(d, which));
		return;
	}
	if (d->u.workload != NULL && d->u.order == 0)
		hint = " (--strategy tree takes them)";
	if (d->u.w.k > 0 && d->u.n > DX_CELLS / d->u.w.k)
		err_die(STATUS_INPUT, "%zu queries are too many for a universe "
		    "of %zu%s", d->u.w.k, d->u.n, hint);
	dx_failed(d, plan_open(&d->plan, &d->u.m, &d->u.w));
}

/*
 * Bent queries replace the workload's but in a plan.
 */
static enum plan_result
joint(struct dx *d, struct dx_scales *s)
{
	struct joint_plan j;
	struct label name;
	enum plan_result r;

	if (d->u.n > JOINT_ELEMENTS || d->u.n * d->u.w.k > JOINT_CELLS)
		err_die(STATUS_INPUT, "--strategy joint takes at most %zu "
		    "elements, and %zu coefficients (elements times queries, "
		    "here %zu x %zu); opt and cells take more",
		    JOINT_ELEMENTS, JOINT_CELLS, d->u.n, d->u.w.k);
	r = plan_joint(&j, &d->u.m, &d->u.w, rational_real(d->eps),
	    dx_joint_loss(d), (double)d->total);
	if (r != PLAN_OK)
		return r;
	s->bias = err_alloc(NULL, d->u.w.k + 1, sizeof(*s->bias));
	for (size_t k = 0; k < d->u.w.k; k++) {
		s->c[k] = j.c[k];
		s->bias[k] = j.bias[k];
		name = universe_name(&d->u, k);
		j.w.block[k].name = err_copy(name.text, name.len);
	}
	if (!d->plan_only) {
		struct workload w = d->u.w;

		d->u.w = j.w;
		j.w = w;
	}
	plan_joint_free(&j);
	return PLAN_OK;
}

void
dx_strategy(struct dx *d, enum dx_strategy which, struct dx_scales *s)
{
	struct plan *p = &d->plan;
	enum plan_result r;

	*s = (struct dx_scales){ .gap = -1 };
	s->c = err_alloc(NULL, d->u.w.k + 1, sizeof(*s->c));
	switch (which) {
	case DX_1: r = plan_split(p, s->c); break;
	case DX_2: r = plan_equal(p, s->c); break;
	case DX_3: r = plan_share(p, s->c); break;
	case DX_OPT: r = plan_best(p, d->loss, s->c, &s->gap); break;
	case DX_JOINT: r = joint(d, s); break;
	default: r = dx_fitted_choose(d, which);
	}
	dx_failed(d, r);
	if (dx_is_fitted(which))
		for (size_t k = 0; k < d->u.w.k; k++)
			s->c[k] = dx_fitted_scale(d, k);
}

/* The sum of the answers' variances by a fitted strategy, or infinity. */
static double
fitted_sum(struct dx *d, enum dx_strategy which)
{
	double sum = 0;

	if (dx_fitted_choose(d, which) != PLAN_OK)
		return HUGE_VAL;
	for (size_t k = 0; k < d->u.w.k; k++)
		sum += dx_fitted_variance(d, k);
	return sum;
}

void
dx_prefer(struct dx *d)
{
	static const enum dx_strategy others[] = { DX_SINGLE, DX_TREE };
	enum dx_strategy best = DX_OPT;
	double least = 0, c;	/* sums of variances */
	struct dx_scales opt;

	if (d->given_strategy || d->given_loss || !d->strategy[DX_OPT] ||
	    d->u.w.k < 2)
		return;
	dx_begin(d, DX_OPT);
	dx_strategy(d, DX_OPT, &opt);
	plan_close(&d->plan);
	for (size_t k = 0; k < d->u.w.k; k++) {
		c = rational_real(opt.c[k]);
		least += 2 * c * c;
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if ((c = fitted_sum(d, others[i])) < GAIN * least) {
			best = others[i];
			least = c;
		}
	d->strategy[DX_OPT] = false;
	d->strategy[best] = true;
	dx_free_scales(&opt);
	d->fitted = DX_1;
}

void
dx_free_scales(struct dx_scales *s)
{
	free(s->c);
	free(s->bias);
	*s = (struct dx_scales){ .gap = -1 };
}
