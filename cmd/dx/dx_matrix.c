/* dx_matrix: strategy matrix, for dx_fitted. */
#include "dx.h"

#include <stdio.h>
#include <stdlib.h>

#include "tool/err.h"

static void
choose(struct dx *d)
{
	if (d->u.hidden)
		die(STATUS_USAGE, "--strategy matrix takes the number of "
		    "records as public: --neighbors swap");
	if (d->u.n > MATRIX_ELEMENTS)
		die(STATUS_INPUT, "--strategy matrix takes at most %zu "
		    "elements", MATRIX_ELEMENTS);
	dx_failed(d, matrix_choose(&d->matrix, &d->u.m, &d->u.w));
}

static size_t
measured(const struct dx *d)
{
	return d->matrix.w.k;
}

static bool
scale(const struct dx *d, size_t i, struct rational *c)
{
	*c = d->matrix.c[i];
	return true;
}

/* The coefficients of a query, to be freed where it is an interval. */
static double *
dense(const struct dx *d, const struct tree_query *q)
{
	double *to;
	size_t i;

	if (q->q != NULL)
		return NULL;
	to = err_alloc(NULL, d->u.n, sizeof(*to));
	for (i = 0; i < d->u.n; i++)
		to[i] = i >= q->first && i <= q->last;
	return to;
}

static double
respond(const struct dx *d, const struct tree_query *q, double *weight)
{
	double *made = dense(d, q);
	double v = matrix_variance(&d->matrix, made != NULL ? made : q->q,
	    weight);

	if (v < 0)
		die(STATUS_INPUT, "out of memory");
	free(made);
	return v;
}

static double
variance(const struct dx *d, const struct tree_query *q)
{
	return respond(d, q, NULL);
}

static void
weights(const struct dx *d, const struct tree_query *q, double *weight)
{
	respond(d, q, weight);
}

/*
 * Exact answers on the grid of the noise, which is not coarser than that of
 * the coefficients, so that nothing is rounded before the noise.
 */
static double *
measure(const struct dx *d, const i128 *noise)
{
	const struct workload *w = &d->matrix.w;
	i128 *exact = err_alloc(NULL, w->k + 1, sizeof(*exact));
	double *y = err_alloc(NULL, w->k + 1, sizeof(*y));
	size_t k;

	if (!workload_answer(w, d->u.count, exact))
		die(STATUS_INPUT, "out of memory");
	for (k = 0; k < w->k; k++)
		y[k] = (double)fixed_add_sat(fixed_round(exact[k],
		    workload_digits(w, k), d->fine[0], FIXED_NEAREST),
		    noise[k]);
	free(exact);
	return y;
}

static void
fit(const struct dx *d, const i128 *noise, double *prefix)
{
	double *y = measure(d, noise), total = 0;
	double *count = err_alloc(NULL, d->u.n, sizeof(*count));
	size_t i;

	for (i = 0; i < d->u.n; i++)
		total += (double)d->u.count[i];
	total *= (double)fixed_pow10(d->fine[0]);
	if (!matrix_fit(&d->matrix, y, total, count))
		die(STATUS_INPUT, "out of memory");
	for (prefix[0] = 0, i = 0; i < d->u.n; i++)
		prefix[i + 1] = prefix[i] + count[i];
	free(count);
	free(y);
}

static void
describe(const struct dx *d, char *buf, size_t size)
{
	size_t k = d->matrix.w.k, n = k > 0 ? d->u.n : 0;
	double eps = rational_real(d->eps);

	snprintf(buf, size, "%zu elements and %zu other queries measured; "
	    "the rms error of all answers is %.4g", n, k - n,
	    d->matrix.rms / eps);
}

const struct dx_fitting dx_matrix = {
	choose, measured, scale, variance, weights, fit, describe,
	MATRIX_DIGITS
};
