/* dx_scale: from a plan's scales to noise on grids. */
#include "dx.h"
#include "dx/plan/upward.h"
#include "dx/plan/workload.h"
#include "release/plan/within.h"
#include "tool/err.h"

#include <math.h>


/*
 * The grids and noise for query k at eps; false where the noise does not
 * fit.
 */
static bool
settle_query(struct dx *d, size_t k, struct rational eps)
{
	int coarse = workload_digits(&d->u.w, k), asked = d->opts.digits;
	struct rational c;

	d->t[k] = (struct scale){ 0, 1 };
	d->fine[k] = coarse;
	d->digits[k] = asked >= 0 ? asked : coarse;
	if (d->opts.non_private || d->s.c[k].num == 0)
		return true;
	c = d->s.c[k];
	if (!upward_div(&c, c, eps))
		return false;
	if (asked < 0)
		d->digits[k] = dx_scale_digits(c);
	d->fine[k] = FIXED_MOST(coarse, dx_scale_digits(c));
	d->fine[k] = FIXED_MOST(d->fine[k], d->digits[k]);
	return plan_noise(c, d->fine[k], &d->t[k]);
}

static bool
settle_all(struct dx *d, struct rational eps)
{
	size_t k;

	dx_room(d, d->u.w.k);
	for (k = 0; k < d->u.w.k; k++)
		if (!settle_query(d, k, eps))
			return false;
	return true;
}

void
dx_describe(struct dx *d, size_t k)
{
	struct report *r = &d->report;
	bool drawn = !d->opts.non_private && !dx_is_fitted(dx_chosen(d));

	r->scale = (struct rational){ 0, drawn };
	r->error95 = (struct rational){ 0, drawn };
	r->half_width = (struct rational){ 0, 1 };
	r->reach = 0;
	if (drawn && d->t[k].s > 0)
		report_scale(r, &d->t[k], d->fine[k]);
	else if (d->reach != NULL && !rational_make(&r->half_width,
	    (i128)ceil(d->reach[k] * (double)fixed_pow10(d->fine[k])),
	    fixed_pow10(d->fine[k])))
		r->half_width = (struct rational){ 0, 0 };
	r->digits = d->digits[k];
}

/* The queries' largest 95 % error; of fitted answers by that for epsilon 1. */
static bool
largest_error95(void *arg, struct rational eps, struct rational *error95)
{
	struct dx *d = arg;
	size_t k;

	*error95 = (struct rational){ 0, 1 };
	if (dx_is_fitted(d->fitted))
		return d->error95 <= 0 || (upward_double(d->error95,
		    error95) && upward_div(error95, *error95, eps));
	if (!settle_all(d, eps))
		return false;
	for (k = 0; k < d->u.w.k; k++) {
		dx_describe(d, k);
		if (d->report.error95.den == 0)
			return false;
		if (rational_cmp(d->report.error95, *error95) > 0)
			*error95 = d->report.error95;
	}
	return true;
}

/*
 * Noise on the coefficients' grid may not fit 63 bits with many digits: then
 * the last digits are dropped, a public step.
 */
void
dx_fit(struct dx *d)
{
	enum dx_strategy which = dx_chosen(d);
	bool fitted = dx_is_fitted(which), fits;
	const struct opts *o = &d->opts;
	int64_t most = WORKLOAD_MOST;

	for (;; most /= 1000) {
		if (most < 1000000)
			err_die(STATUS_USAGE, "the scales do not fit 64 bits "
			    "on their grids; give fewer --digits");
		universe_queries(&d->u, most);
		dx_begin(d, which);
		if (!fitted)
			dx_strategy(d, which, &d->s);
		if (o->within.den > 0) {
			if (fitted)
				d->error95 = dx_fitted_error95(d);
			d->eps = within_epsilon(within_bound(o, 1),
			    largest_error95, d);
			d->report.eps = d->eps;
		}
		if (fitted && !o->non_private)
			fits = dx_fitted_settle(d);
		else
			fits = settle_all(d, d->eps);
		if (fits)
			return;
		dx_free_scales(&d->s);
		plan_close(&d->plan);
	}
}
