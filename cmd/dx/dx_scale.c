/* dx_scale: from the scales of a plan to noise on grids. */
#include "dx_impl.h"
#include "number/grid.h"
#include "release/within.h"
#include "tool/err.h"

#define ERROR_PARTS 1000	/* grid steps in a scale */

/* Digits in which a scale has a thousand steps. */
static int
scale_digits(struct rational c)
{
	struct grid g = GRID_INIT;

	grid_limit(&g, c, ERROR_PARTS);
	return g.digits < 0 ? FIXED_DIGITS : g.digits;
}

/* Grids and noise of query k for eps; false where it does not fit. */
static bool
settle(struct dx *d, size_t k, struct rational eps)
{
	int coarse = workload_digits(&d->u.w, k), asked = d->opts.digits;
	struct rational c = d->s.c[k];

	d->t[k] = (struct scale){ 0, 1 };
	d->fine[k] = coarse;
	d->digits[k] = asked >= 0 ? asked : coarse;
	if (c.num == 0 || d->opts.non_private)
		return true;
	if (!plan_divide(&c, eps))
		return false;
	if (asked < 0)
		d->digits[k] = scale_digits(c);
	if (scale_digits(c) > coarse)
		d->fine[k] = scale_digits(c);
	if (d->fine[k] < d->digits[k])
		d->fine[k] = d->digits[k];
	return plan_noise(c, d->fine[k], &d->t[k]);
}

static bool
settle_all(struct dx *d, struct rational eps)
{
	size_t k;

	for (k = 0; k < d->u.w.k; k++)
		if (!settle(d, k, eps))
			return false;
	return true;
}

void
dx_describe(struct dx *d, size_t k)
{
	struct report *r = &d->report;

	r->digits = d->fine[k];
	r->has_scale = r->has_error = !d->opts.non_private;
	r->scale = r->error95 = (struct rational){ 0, 1 };
	if (d->t[k].s > 0)
		report_scale(r, &d->t[k], r->digits);
	r->digits = d->digits[k];
}

/* The largest 95 % error of all queries. */
static bool
error_at(void *arg, struct rational eps, struct rational *error95)
{
	struct dx *d = arg;
	size_t k;

	*error95 = (struct rational){ 0, 1 };
	if (!settle_all(d, eps))
		return false;
	for (k = 0; k < d->u.w.k; k++) {
		dx_describe(d, k);
		if (!d->report.has_error)
			return false;
		if (rational_cmp(d->report.error95, *error95) > 0)
			*error95 = d->report.error95;
	}
	return true;
}

static enum dx_strategy
chosen(const struct dx *d)
{
	int s = 0;

	while (!d->strategy[s])
		s++;
	return (enum dx_strategy)s;
}

/*
 * Noise on the grid of the coefficients may not fit 63 bits where these have
 * many digits: then the last of them are dropped, which everybody may know.
 */
void
dx_fit(struct dx *d)
{
	int64_t most = WORKLOAD_MOST;
	struct opts *o = &d->opts;

	for (;; most /= 1000) {
		if (most < 1000000)
			die(STATUS_USAGE, "the scales do not fit 64 bits on "
			    "their grids; give fewer --digits");
		universe_queries(&d->u, most);
		dx_open_plan(d);
		dx_strategy(d, chosen(d), &d->s);
		if (o->has_within) {
			o->eps = within_epsilon(o->within, error_at, d);
			d->report.has_eps = o->has_eps = true;
			d->report.eps = o->eps;
		}
		if (settle_all(d, o->eps))
			return;
		dx_free_scales(&d->s);
		plan_close(&d->plan);
	}
}
