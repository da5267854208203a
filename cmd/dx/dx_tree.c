/*
 * dx_tree: strategy tree: noise on nodes, least squares, answers.
 *
 * What gets noise are whole counts on the decimal grid d->fine[0]; from then
 * on all is post-processing.  Least squares run in doubles; the counts of
 * prefixes that they give are rounded to the grid, and every answer is worked
 * out from those in integers, so that ranges add up.
 */
#include "dx.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "dx/plan/upward.h"
#include "tool/err.h"

/* Are all queries prefixes?  Else the tree is made for ranges. */
static enum tree_aim
aim(const struct workload *w)
{
	size_t b;

	for (b = 0; b < w->blocks; b++)
		if (w->block[b].kind != WORKLOAD_PREFIX)
			return TREE_RANGES;
	return TREE_PREFIXES;
}

void
dx_tree_choose(struct dx *d)
{
	if (d->u.w.k > DX_ANSWERS)
		die(STATUS_INPUT, "%zu queries are too many (%zu at most)",
		    d->u.w.k, DX_ANSWERS);
	dx_failed(d, tree_choose(&d->tree, &d->u.m, aim(&d->u.w)));
}

/* Is query k the sum over elements first..last? */
static bool
interval(const struct workload *w, size_t k, size_t *first, size_t *last)
{
	const struct block *b = workload_find(w, &k);

	*first = 0;
	*last = k;
	if (b->kind == WORKLOAD_RANGE)
		workload_bounds(w->n, k, first, last);
	return b->kind == WORKLOAD_RANGE || b->kind == WORKLOAD_PREFIX;
}

/* Variance of query k; q: room for its coefficients. */
static double
variance(const struct dx *d, const double *variances, size_t k, double *q)
{
	const struct workload *w = &d->u.w;
	double unit = (double)fixed_pow10(workload_digits(w, k));
	size_t first, last, i;

	if (interval(w, k, &first, &last))
		return tree_variance(&d->tree, variances, first, last, NULL);
	for (i = 0; i < w->n; i++)
		q[i] = (double)workload_at(w, k, i) / unit;
	return tree_variance(&d->tree, variances, 0, w->n - 1, q);
}

void
dx_tree_scales(struct dx *d, struct dx_scales *s)
{
	double *q = err_alloc(NULL, d->u.n, sizeof(*q)), v;
	double *variances = tree_variances(&d->tree);
	size_t k;

	if (variances == NULL)
		die(STATUS_INPUT, "out of memory");
	for (k = 0; k < d->u.w.k; k++) {
		v = variance(d, variances, k, q);
		s->c[k] = (struct rational){ 0, 1 };
		if (v > 0 && !upward_double(sqrt(v / 2), &s->c[k]))
			dx_failed(d, PLAN_RANGE);
	}
	free(variances);
	free(q);
}

/* The noise of all nodes on the grid; false where one does not fit. */
static bool
scales(struct dx *d, int digits)
{
	const struct tree *t = &d->tree;
	struct rational c;
	size_t i;

	for (i = 0; i < t->nodes; i++) {
		d->t[i] = (struct scale){ 0, 1 };
		if (!tree_scale(t, &t->node[i], &c) ||
		    !plan_divide(&c, d->eps) ||
		    (c.num > 0 && !plan_noise(c, digits, &d->t[i])))
			return false;
	}
	return true;
}

/* The grid on which the smallest scale of a node has a thousand steps. */
static int
grid(const struct dx *d)
{
	const struct tree *t = &d->tree;
	size_t i, at = 0;
	struct rational c;

	if (t->unit.num == 0)
		return 0;
	for (i = 0; i < t->nodes; i++)
		if (t->node[i].part > t->node[at].part)
			at = i;
	if (!tree_scale(t, &t->node[at], &c) || !plan_divide(&c, d->eps))
		dx_failed(d, PLAN_RANGE);
	return dx_scale_digits(c);
}

/* What was chosen, for the report: it follows from public numbers. */
void
dx_tree_describe(const struct dx *d, char *buf, size_t size)
{
	const struct tree *t = &d->tree;
	double eps = (double)d->eps.num / (double)d->eps.den;
	const char *what = aim(&d->u.w) == TREE_PREFIXES ? "prefix" : "range";
	int n;

	n = t->branching == 0 ? snprintf(buf, size, "each prefix by itself") :
	    snprintf(buf, size, "branching %zu, levels %zu", t->branching,
	    t->levels);
	snprintf(buf + n, size - (size_t)n, "; a random %s has an rms error "
	    "of %.4g", what, t->rms / eps);
}

bool
dx_tree_settle(struct dx *d)
{
	int fine = d->opts.non_private ? 0 : grid(d), own = fine, own_grid;
	size_t k, first, last;
	struct rational c;

	if (d->opts.digits > fine)
		fine = d->opts.digits;
	d->fine[0] = fine;
	for (k = 0; k < d->u.w.k; k++) {
		c = d->s.c[k];
		d->fine[k] = fine;
		d->digits[k] = own;
		if (d->opts.non_private)
			d->fine[k] = d->digits[k] =
			    workload_digits(&d->u.w, k);
		else if (!interval(&d->u.w, k, &first, &last) && c.num > 0) {
			if (!plan_divide(&c, d->eps))
				return false;
			d->digits[k] = dx_scale_digits(c);
			own_grid = fine + workload_digits(&d->u.w, k);
			if (d->digits[k] > own_grid)
				d->digits[k] = own_grid;
		}
		if (d->opts.digits >= 0)
			d->digits[k] = d->opts.digits;
	}
	d->t = err_alloc(d->t, d->tree.nodes + 1, sizeof(*d->t));
	return scales(d, fine);
}

/* Noisy counts of the nodes that are measured, in steps of the grid. */
static double *
measure(const struct dx *d, uint64_t rel, const i128 *prefix)
{
	const struct tree *t = &d->tree;
	const i128 *noise = d->noise + (rel - 1) * t->nodes;
	double *y = err_alloc(NULL, t->nodes + 1, sizeof(*y));
	size_t i, to = 0;

	for (i = 0; i < t->nodes; i++)
		if (t->node[i].part > 0)
			y[to++] = (double)fixed_add_sat(
			    prefix[t->node[i].hi] - prefix[t->node[i].lo],
			    noise[i]);
	return y;
}

i128 *
dx_tree_fit(const struct dx *d, uint64_t rel)
{
	const struct tree *t = &d->tree;
	i128 *prefix = err_alloc(NULL, t->n + 1, sizeof(*prefix));
	double *fitted = err_alloc(NULL, t->n + 1, sizeof(*fitted)), *y;
	i128 step = fixed_pow10(d->fine[0]);
	size_t i;

	prefix[0] = 0;
	for (i = 0; i < t->n; i++)
		prefix[i + 1] = prefix[i] + (i128)d->u.count[i] * step;
	y = measure(d, rel, prefix);
	if (!tree_fit(t, y, (double)prefix[t->n], fitted))
		die(STATUS_INPUT, "out of memory");
	for (i = 1; i < t->n; i++)
		prefix[i] = (i128)floor(fitted[i] + 0.5);
	free(fitted);
	free(y);
	return prefix;
}

i128
dx_tree_answer(const struct dx *d, size_t k, const i128 *prefix)
{
	int fine = d->fine[0], digits = d->digits[k], from;
	const struct workload *w = &d->u.w;
	size_t first, last, i;
	i128 sum = 0, part;

	if (interval(w, k, &first, &last))
		return fixed_round(prefix[last + 1], fine, digits,
		    FIXED_NEAREST) - fixed_round(prefix[first], fine, digits,
		    FIXED_NEAREST);
	for (i = 0; i < w->n; i++)
		if (!__builtin_mul_overflow(prefix[i + 1] - prefix[i],
		    (i128)workload_at(w, k, i), &part))
			sum = fixed_add_sat(sum, part);
	from = fine + workload_digits(w, k);
	if (from > digits + FIXED_DIGITS) {	/* the rounding stays exact */
		sum = fixed_round(sum, from, digits + FIXED_DIGITS,
		    FIXED_FLOOR);
		from = digits + FIXED_DIGITS;
	}
	return fixed_round(sum, from, digits, FIXED_NEAREST);
}
