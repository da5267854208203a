/* dx_tree: strategy tree, for dx_fitted. */
#include "dx.h"

#include <stdio.h>
#include <stdlib.h>

#include "tool/err.h"

/* Unless every query is a prefix the tree is made for ranges. */
static enum tree_aim
aim(const struct dx *d)
{
	const struct workload *w = &d->u.w;

	return w->blocks == 1 && w->block[0].kind == WORKLOAD_PREFIX ?
	    TREE_PREFIXES : TREE_RANGES;
}

static enum plan_result
choose(struct dx *d)
{
	const struct tree *t = &d->tree;
	enum plan_result r = tree_choose(&d->tree, &d->u.m, aim(d));

	if (r != PLAN_OK)
		return r;
	d->variances = tree_variances(t);
	dx_measure(d, t->nodes);
	for (size_t i = 0; i < t->nodes; i++)
		if (!tree_scale(t, &t->node[i], &d->measured[i]))
			r = PLAN_RANGE;
	return r;
}

static double
respond(const struct dx *d, const struct tree_query *q, double *weight)
{
	if (weight == NULL)
		return tree_variance(&d->tree, d->variances, q);
	tree_weights(&d->tree, d->variances, q, weight);
	return 0;
}

/* The measured nodes' noisy counts. */
static double *
measure(const struct dx *d, const i128 *noise, const i128 *prefix)
{
	const struct tree *t = &d->tree;
	double *y = err_alloc(NULL, t->nodes + 1, sizeof(*y));
	size_t i, to = 0;

	for (i = 0; i < t->nodes; i++)
		if (t->node[i].part > 0)
			y[to++] = (double)fixed_add_sat(
			    prefix[t->node[i].hi] - prefix[t->node[i].lo],
			    noise[i]);
	return y;
}

static void
fit(const struct dx *d, const i128 *noise, double *fitted)
{
	const struct tree *t = &d->tree;
	i128 *prefix = err_alloc(NULL, t->n + 1, sizeof(*prefix));
	i128 step = fixed_pow10(d->fine[0]);
	double *y;
	size_t i;

	prefix[0] = 0;
	for (i = 0; i < t->n; i++)
		prefix[i + 1] = prefix[i] + (i128)d->u.count[i] * step;
	y = measure(d, noise, prefix);
	tree_fit(t, y, (double)prefix[t->n], fitted);
	free(prefix);
	free(y);
}

/* The description follows from public numbers. */
static void
describe(const struct dx *d, char *buf, size_t size)
{
	const struct tree *t = &d->tree;
	double eps = rational_real(d->eps);
	const char *what = aim(d) == TREE_PREFIXES ? "prefix" : "range";
	int n;

	n = t->branching == 0 ? snprintf(buf, size, "each prefix by itself") :
	    snprintf(buf, size, "branching %zu, levels %zu", t->branching,
	    t->levels);
	snprintf(buf + n, size - (size_t)n, "; a random %s has an rms error "
	    "of %.4g", what, t->rms / eps);
}

const struct dx_fitting dx_tree = {
	choose, respond, fit, describe
};
