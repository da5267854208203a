/* dx_cells: strategy cells, for dx_fitted. */
#include "dx.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/err.h"

/*
 * The sum of squares over an element's coefficients; less the means if n is
 * public, as multiples of n are.
 */
static double *
importance(const struct dx *d)
{
	const struct workload *w = &d->u.w;
	double *to = err_alloc(NULL, w->n + 1, sizeof(*to)), mean, unit, q;

	for (size_t i = 0; i < w->n; i++)
		to[i] = 0;
	for (size_t k = 0; k < w->k; k++) {
		unit = (double)fixed_pow10(workload_digits(w, k));
		mean = 0;
		for (size_t i = 0; i < w->n && !d->u.hidden; i++)
			mean += (double)workload_at(w, k, i) / (double)w->n;
		for (size_t i = 0; i < w->n; i++) {
			q = ((double)workload_at(w, k, i) - mean) / unit;
			to[i] += q * q;
		}
	}
	return to;
}

static enum plan_result
choose(struct dx *d)
{
	double *weight = importance(d);
	enum plan_result r = single_choose(&d->single, &d->u.m, weight);

	free(weight);
	dx_measure(d, d->single.n);
	memcpy(d->measured, d->single.c, d->measures * sizeof(*d->measured));
	return r;
}

static double
respond(const struct dx *d, const struct tree_query *q, double *weight)
{
	double *one = NULL, v;

	if (q->q == NULL) {
		one = err_alloc(NULL, d->u.n, sizeof(*one));
		for (size_t i = 0; i < d->u.n; i++)
			one[i] = i >= q->first && i <= q->last;
	}
	v = single_respond(&d->single, one != NULL ? one : q->q, weight);
	free(one);
	return v;
}

/* Counts that do not add up to a public n share the difference. */
static void
fit(const struct dx *d, const i128 *noise, double *prefix)
{
	const struct single *x = &d->single;
	i128 step = fixed_pow10(d->fine[0]), missed = 0;
	double part = 0;

	for (size_t i = 0; i < x->n; i++)
		missed -= noise[i];
	if (!x->open && x->sum > 0)
		part = (double)missed / x->sum;
	prefix[0] = 0;
	for (size_t i = 0; i < x->n; i++)
		prefix[i + 1] = prefix[i] + (double)fixed_add_sat(
		    (i128)d->u.count[i] * step, noise[i]) + part * x->v[i];
}

static void
describe(const struct dx *d, char *buf, size_t size)
{
	int n = snprintf(buf, size, "%zu elements measured", d->single.n);
	double sum = 0;

	for (size_t k = 0; k < d->u.w.k && !d->plan_only; k++)
		sum += dx_fitted_variance(d, k) / (double)d->u.w.k;
	if (!d->plan_only)
		snprintf(buf + n, size - (size_t)n, "; the rms error of all "
		    "answers is %.4g", sqrt(sum) / rational_real(d->eps));
}

const struct dx_fitting dx_cells = {
	choose, respond, fit, describe
};
