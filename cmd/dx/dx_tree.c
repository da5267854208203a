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

#include "dx/plan/laplace_sum.h"
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

/* Query k; q: room for its coefficients. */
static struct tree_query
query(const struct workload *w, size_t k, double *q)
{
	double unit = (double)fixed_pow10(workload_digits(w, k));
	struct tree_query x = { 0, 0, NULL };
	size_t i;

	if (interval(w, k, &x.first, &x.last))
		return x;
	for (i = 0; i < w->n; i++)
		q[i] = (double)workload_at(w, k, i) / unit;
	x.q = q;
	return x;
}

void
dx_tree_scales(struct dx *d, struct dx_scales *s)
{
	double *q = err_alloc(NULL, d->u.n, sizeof(*q)), v;
	double *variances = tree_variances(&d->tree);
	struct tree_query x;
	size_t k;

	if (variances == NULL)
		die(STATUS_INPUT, "out of memory");
	for (k = 0; k < d->u.w.k; k++) {
		x = query(&d->u.w, k, q);
		v = tree_variance(&d->tree, variances, &x);
		s->c[k] = (struct rational){ 0, 1 };
		if (v > 0 && !workload_constant(&d->u.w, k) &&
		    !upward_double(sqrt(v / 2), &s->c[k]))
			dx_failed(d, PLAN_RANGE);
	}
	free(variances);
	free(q);
}

/* How far the answer of a query may be from the exact one. */
struct error {
	double noise;		/* in 1 of so many cases it is more, for
				   epsilon 1 */
	double steps;		/* of the grid beyond: noise and counts of
				   prefixes are whole there */
};

/*
 * Discrete Laplace noise is within a step of a continuous one of the same
 * scale (both as functions of one uniform number), and a rounded prefix within
 * half of one; a query turns that into the sums of |weight| and of
 * |q_i - q_(i+1)|.
 */
static struct error
error_of(const struct dx *d, const double *variances,
    const struct tree_query *x, double tail)
{
	const struct tree *t = &d->tree;
	double *b = err_alloc(NULL, t->nodes + 1, sizeof(*b));
	double unit = (double)t->unit.num / (double)t->unit.den;
	struct error e = { 0, 2 };
	size_t i;

	tree_weights(t, variances, x, b);
	for (i = 0; i < t->nodes; i++) {
		b[i] = t->node[i].part == 0 ? 0 : fabs(b[i]);
		e.steps += b[i];
		if (b[i] > 0)
			b[i] *= unit * (double)t->whole /
			    (double)t->node[i].part;
	}
	for (i = 0; x->q != NULL && i + 1 < t->n; i++)
		e.steps += fabs(x->q[i] - x->q[i + 1]);
	e.noise = laplace_sum_reach(b, t->nodes, tail);
	if (e.noise < 0)
		die(STATUS_INPUT, "out of memory");
	free(b);
	return e;
}

/* Errors of all queries, to be freed. */
static struct error *
errors(const struct dx *d, double tail)
{
	double *q = err_alloc(NULL, d->u.n, sizeof(*q));
	double *variances = tree_variances(&d->tree);
	struct error *e = err_alloc(NULL, d->u.w.k + 1, sizeof(*e));
	struct tree_query x;
	size_t k;

	if (d->u.w.k > DX_LAWS)
		die(STATUS_USAGE, "--interval and --within work out the law "
		    "of at most %zu answers of a tree", DX_LAWS);
	if (variances == NULL)
		die(STATUS_INPUT, "out of memory");
	for (k = 0; k < d->u.w.k; k++) {
		x = query(&d->u.w, k, q);
		e[k] = workload_constant(&d->u.w, k) ? (struct error){ 0, 0 } :
		    error_of(d, variances, &x, tail);
	}
	free(variances);
	free(q);
	return e;
}

/* The grid is a thousandth of the smallest scale, or finer. */
double
dx_tree_error95(const struct dx *d)
{
	struct error *e = errors(d, 0.05);
	double most = 0, step = 0;
	uint64_t part = 1;
	size_t i;

	for (i = 0; i < d->tree.nodes; i++)
		if (d->tree.node[i].part > part)
			part = d->tree.node[i].part;
	step = (double)d->tree.unit.num / (double)d->tree.unit.den *
	    (double)d->tree.whole / (double)part / 1000;
	for (i = 0; i < d->u.w.k; i++)
		most = fmax(most, e[i].noise + e[i].steps * step);
	free(e);
	return most;
}

/* Half widths of the intervals, for d->eps and the grid. */
static void
half_widths(struct dx *d)
{
	const struct rational *p = &d->opts.interval;
	double tail = (double)(p->den - p->num) / (double)p->den;
	struct error *e = errors(d, tail);
	size_t k;

	d->reach = err_alloc(d->reach, d->u.w.k + 1, sizeof(*d->reach));
	for (k = 0; k < d->u.w.k; k++)
		d->reach[k] = d->tree.unit.num == 0 ||
		    workload_constant(&d->u.w, k) ? 0 :
		    e[k].noise * (double)d->eps.den / (double)d->eps.num +
		    e[k].steps / (double)fixed_pow10(d->fine[0]);
	free(e);
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
	if (d->opts.has_interval)
		half_widths(d);
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

/* x on a grid of `from` decimals with its interval, on that of d->digits. */
static struct answer
make_answer(const struct dx *d, size_t k, i128 x, int from)
{
	double half = d->reach == NULL ? 0 : d->reach[k];
	i128 reach = (i128)fmin(ceil(half * (double)fixed_pow10(d->fine[0])),
	    0x1p60) * fixed_pow10(from - d->fine[0]);
	int to = d->digits[k] + FIXED_DIGITS;
	i128 low = fixed_add_sat(x, -reach), high = fixed_add_sat(x, reach);

	if (from > to) {	/* in two steps; the last stays exact */
		x = fixed_round(x, from, to, FIXED_FLOOR);
		low = fixed_round(low, from, to, FIXED_FLOOR);
		high = fixed_round(high, from, to, FIXED_CEIL);
		from = to;
	}
	return (struct answer){
		fixed_round(x, from, d->digits[k], FIXED_NEAREST),
		fixed_round(low, from, d->digits[k], FIXED_FLOOR),
		fixed_round(high, from, d->digits[k], FIXED_CEIL),
	};
}

struct answer
dx_tree_answer(const struct dx *d, size_t k, const i128 *prefix)
{
	int fine = d->fine[0], digits = d->digits[k];
	const struct workload *w = &d->u.w;
	size_t first, last, i;
	struct answer a;
	i128 sum = 0, part;

	if (interval(w, k, &first, &last)) {
		a = make_answer(d, k, prefix[last + 1] - prefix[first], fine);
		a.value = fixed_round(prefix[last + 1], fine, digits,
		    FIXED_NEAREST) - fixed_round(prefix[first], fine, digits,
		    FIXED_NEAREST);
		return a;
	}
	for (i = 0; i < w->n; i++)
		if (!__builtin_mul_overflow(prefix[i + 1] - prefix[i],
		    (i128)workload_at(w, k, i), &part))
			sum = fixed_add_sat(sum, part);
	return make_answer(d, k, sum, fine + workload_digits(w, k));
}
