/* dx_tree: strategies tree and cells, whose counts form a tree of one level. */
#include "dx.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "dx/plan/single.h"
#include "tool/err.h"

/* Unless every query is a prefix the tree is made for ranges. */
static enum tree_aim
aim(const struct dx *d)
{
	const struct workload *w = &d->u.w;

	return w->blocks == 1 && w->block[0].kind == WORKLOAD_PREFIX ?
	    TREE_PREFIXES : TREE_RANGES;
}

/*
 * The sum of squares over an element's coefficients; less the means if n is
 * public, as multiples of n are.
 */
static double *
importance(const struct dx *d)
{
	const struct workload *w = &d->u.w;
	double *to = err_alloc(NULL, w->n, sizeof(*to)), mean, unit, q;

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

enum plan_result
dx_fitted_choose(struct dx *d, enum dx_strategy which)
{
	const struct tree *t = &d->tree;
	enum plan_result r;
	double *weight;

	tree_free(&d->tree);
	free(d->variances);
	d->variances = NULL;
	d->fitted = which;
	if (which == DX_SINGLE) {
		weight = importance(d);
		r = single_choose(&d->tree, &d->u.m, weight);
		free(weight);
	} else
		r = tree_choose(&d->tree, &d->u.m, aim(d));
	if (r != PLAN_OK)
		return r;
	d->variances = tree_variances(t);
	d->measures = t->nodes;
	d->measured = err_alloc(d->measured, t->nodes, sizeof(*d->measured));
	for (size_t i = 0; i < t->nodes; i++)
		if (!tree_scale(t, &t->node[i], &d->measured[i]))
			r = PLAN_RANGE;
	return r;
}

/* The expected error of all answers, from public numbers. */
static void
describe_cells(const struct dx *d, char *buf, size_t size)
{
	int n = snprintf(buf, size, "%zu elements measured", d->u.n);
	double sum = 0;

	for (size_t k = 0; k < d->u.w.k && !d->plan_only; k++)
		sum += dx_fitted_variance(d, k) / (double)d->u.w.k;
	if (!d->plan_only)
		snprintf(buf + n, size - (size_t)n, "; the rms error of all "
		    "answers is %.4g", sqrt(sum) / rational_real(d->eps));
}

void
dx_fitted_describe(const struct dx *d, char *buf, size_t size)
{
	const struct tree *t = &d->tree;
	double eps = rational_real(d->eps);
	const char *what = aim(d) == TREE_PREFIXES ? "prefix" : "range";
	int n;

	if (d->fitted == DX_SINGLE) {
		describe_cells(d, buf, size);
		return;
	}
	n = t->branching == 0 ? snprintf(buf, size, "each prefix by itself") :
	    snprintf(buf, size, "branching %zu, levels %zu", t->branching,
	    t->levels);
	snprintf(buf + n, size - (size_t)n, "; a random %s has an rms error "
	    "of %.4g", what, t->rms / eps);
}
