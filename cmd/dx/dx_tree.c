/* dx_tree: strategies tree and cells, whose counts form a tree of one level. */
#include "dx.h"
#include "dx/plan/single.h"
#include "dx/universe/workload.h"
#include "tool/err.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>


enum tree_aim
dx_fitted_aim(const struct dx *d)
{
	const struct workload *w = &d->u.w;

	if (w->blocks == 1 && w->block[0].kind == WORKLOAD_PREFIX)
		return TREE_PREFIXES;
	return TREE_RANGES;
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
		if (!d->u.hidden)
			for (size_t i = 0; i < w->n; i++)
				mean += (double)workload_at(w, k, i) /
				    (double)w->n;
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
		r = tree_choose(&d->tree, &d->u.m, dx_fitted_aim(d));
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
