/* dx_tree: strategies tree and cells, whose counts form a tree of one level. */
#include "dx.h"
#include "dx/plan/tree.h"
#include "dx/plan/workload.h"
#include "tool/err.h"

#include <stdlib.h>

enum tree_aim
dx_fitted_aim(const struct dx *d)
{
	const struct workload *w = &d->u.w;

	if (w->blocks == 1 && w->block[0].kind == WORKLOAD_PREFIX)
		return TREE_PREFIXES;
	return TREE_RANGES;
}

enum plan_result
dx_fitted_choose(struct dx *d, enum dx_strategy which)
{
	const struct tree *t = &d->tree;
	enum plan_result r;

	tree_free(&d->tree);
	free(d->variances);
	d->variances = NULL;
	d->fitted = which;
	if (which == DX_SINGLE)
		r = single_choose(&d->tree, &d->u.m);
	else
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
