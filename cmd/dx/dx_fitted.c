/*
 * dx_fitted: strategies tree and cells: noise, least squares, answers.
 *
 * The answers to measured queries get noise, on a decimal grid with room; every
 * later step is post-processing.  Least squares run in doubles; the fitted
 * prefix counts are rounded to the grid, and every answer is worked out from
 * the prefix counts in integers, so that ranges add up.
 */
#include "dx.h"
#include "dx/plan/upward.h"
#include "dx/plan/workload.h"
#include "number/sort.h"
#include "number/taint.h"
#include "random/meter.h"
#include "random/answer/spread.h"
#include "tool/err.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define ALIKE 1e-12	/* scales that count as equal */

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
		r = tree_choose(&d->tree, &d->u.m, tree_aim(&d->u.w));
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

/* Query k; the caller frees the coefficients, if any. */
static struct tree_query
query_of(const struct workload *w, size_t k)
{
	double unit = (double)fixed_pow10(workload_digits(w, k));
	struct tree_query x = { 0, 0, NULL };

	if (workload_interval(w, k, &x.first, &x.last))
		return x;
	x.q = err_alloc(NULL, w->n, sizeof(*x.q));
	for (size_t i = 0; i < w->n; i++)
		x.q[i] = (double)workload_at(w, k, i) / unit;
	return x;
}

double
dx_fitted_variance(const struct dx *d, size_t k)
{
	struct tree_query x;
	double v;

	if (plan_public(&d->u.m, &d->u.w, k))
		return 0;
	x = query_of(&d->u.w, k);
	v = tree_variance(&d->tree, d->variances, &x);
	free(x.q);
	return v;
}

struct rational
dx_fitted_scale(const struct dx *d, size_t k)
{
	double v = dx_fitted_variance(d, k);
	struct rational c = { 0, 1 };

	if (v > 0 && !upward_double(sqrt(v / 2), &c))
		dx_failed(d, PLAN_RANGE);
	return c;
}

/* How far an answer may be from the exact answer. */
struct error {
	double noise;		/* exceeded with the chance `tail', for epsilon
				   1 */
	double steps;		/* grid steps beyond: noise and prefix counts
				   are whole on the grid */
};

/* The sum of Laplace noises of these scales, which are sorted. */
static double
dx_fitted_reach(double *scale, size_t n, double tail)
{
	struct spread_part *part = err_alloc(NULL, n + 1, sizeof(*part));
	struct spread s = { part, 0, 0 };

	qsort(scale, n, sizeof(*scale), sort_rising);
	for (size_t i = n; i-- > 0 && scale[i] > 0;) {
		if (s.n == 0 || scale[i] < part[s.n - 1].a[0] * (1 - ALIKE))
			part[s.n++] = (struct spread_part){ { scale[i] }, 1, 2,
			    0 };
		part[s.n - 1].times++;
	}
	tail = s.n > 0 ? spread_reach(s, tail) : 0;
	free(part);
	return tail;
}

/*
 * Discrete Laplace noise is within a step of continuous noise with this scale
 * (as functions of one uniform number), and a rounded prefix within half a
 * step; a query turns the bounds into the sums of |weight| and |q_i - q_(i+1)|.
 */
static struct error
answer_error(const struct dx *d, const struct tree_query *x, double tail)
{
	size_t n = d->measures, i;
	double *b = err_alloc(NULL, n + 1, sizeof(*b));
	struct error e = { 0, 2 };

	tree_weights(&d->tree, d->variances, x, b);
	for (i = 0; i < n; i++) {
		if (d->measured[i].num == 0)
			b[i] = 0;
		e.steps += fabs(b[i]);
		b[i] = fabs(b[i]) * rational_real(d->measured[i]);
	}
	if (x->q != NULL)
		for (i = 0; i + 1 < d->u.n; i++)
			e.steps += fabs(x->q[i] - x->q[i + 1]);
	if (x->q != NULL && d->u.hidden)	/* and the total */
		e.steps += fabs(x->q[i]);
	e.noise = dx_fitted_reach(b, n, tail);
	free(b);
	return e;
}

/* The queries' errors, to be freed. */
static struct error *
errors(const struct dx *d, double tail)
{
	struct error *e = err_alloc(NULL, d->u.w.k + 1, sizeof(*e));
	struct tree_query x;
	size_t k;

	if (d->u.w.k > DX_LAWS)
		err_die(STATUS_USAGE, "--interval and --within work out the "
		    "law of at most %zu fitted answers", DX_LAWS);
	for (k = 0; k < d->u.w.k; k++) {
		if (plan_public(&d->u.m, &d->u.w, k))
			continue;
		x = query_of(&d->u.w, k);
		e[k] = answer_error(d, &x, tail);
		free(x.q);
	}
	return e;
}

/* The measured queries' smallest scale above 0, for epsilon 1; or 0. */
static struct rational
least_scale(const struct dx *d)
{
	const struct rational *c = d->measured;
	struct rational least = { 0, 1 };

	for (size_t i = 0; i < d->measures; i++)
		if (c[i].num > 0 && (least.num == 0 ||
		    rational_cmp(c[i], least) < 0))
			least = c[i];
	return least;
}

/* The grid is a thousandth of the smallest scale, or finer. */
double
dx_fitted_error95(const struct dx *d)
{
	struct error *e = errors(d, 0.05);
	double grid = rational_real(least_scale(d)) / 1000, most = 0;

	for (size_t k = 0; k < d->u.w.k; k++)
		most = fmax(most, e[k].noise + e[k].steps * grid);
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
	for (k = 0; k < d->u.w.k; k++) {
		d->reach[k] = 0;
		if (e[k].noise > 0)
			d->reach[k] = e[k].noise * (double)d->eps.den /
			    (double)d->eps.num + e[k].steps /
			    (double)fixed_pow10(d->fine[0]);
	}
	free(e);
}

/* The measured queries' noise; false where the noise does not fit. */
static bool
fitted_noise(struct dx *d, int digits)
{
	struct rational c;
	size_t i;

	for (i = 0; i < d->measures; i++) {
		c = d->measured[i];
		d->t[i] = (struct scale){ 0, 1 };
		if (!upward_div(&c, c, d->eps) || (c.num > 0 && !plan_noise(c,
		    digits, &d->t[i])))
			return false;
	}
	return true;
}

/* The grid where the smallest measured scale has a thousand steps. */
static int
noise_grid(const struct dx *d)
{
	struct rational least = least_scale(d);

	if (least.num == 0)
		return 0;
	if (!upward_div(&least, least, d->eps))
		dx_failed(d, PLAN_RANGE);
	return dx_scale_digits(least);
}

/*
 * The printed decimals of query k: a sum over an interval has the noise's grid,
 * so that sums add up, and any other the grid of its scale, no finer than is
 * worked out.  False where the scale does not fit.
 */
static bool
print_grid(struct dx *d, size_t k, int own)
{
	int finest = d->fine[0] + workload_digits(&d->u.w, k);
	struct rational c;
	size_t end;

	d->digits[k] = d->opts.digits >= 0 ? d->opts.digits : own;
	if (d->opts.digits >= 0 || workload_interval(&d->u.w, k, &end, &end))
		return true;
	c = dx_fitted_scale(d, k);
	if (!upward_div(&c, c, d->eps))
		return false;
	if (c.num > 0) {
		d->digits[k] = dx_scale_digits(c);
		d->digits[k] = FIXED_LEAST(d->digits[k], finest);
	}
	return true;
}

bool
dx_fitted_settle(struct dx *d)
{
	int own = noise_grid(d);

	dx_room(d, d->measures);
	for (size_t k = 0; k < d->u.w.k; k++) {
		d->fine[k] = FIXED_MOST(d->opts.digits, own);
		if (!print_grid(d, k, own))
			return false;
	}
	if (d->opts.interval.den > 0)
		half_widths(d);
	return fitted_noise(d, d->fine[0]);
}

i128 *
dx_fitted_counts(struct dx *d)
{
	size_t n = d->u.n, i;
	i128 *prefix = err_alloc(NULL, n + 1, sizeof(*prefix));
	double *fitted = err_alloc(NULL, n + 1, sizeof(*fitted));
	double *y = err_alloc(NULL, d->measures, sizeof(*y));
	i128 x;

	for (i = 0; i < n; i++)
		prefix[i + 1] = prefix[i] + (i128)d->u.count[i] *
		    fixed_pow10(d->fine[0]);
	for (i = 0; i < d->measures; i++) {
		x = prefix[d->tree.node[i].hi] - prefix[d->tree.node[i].lo];
		y[i] = (double)x;
		if (d->t[i].s > 0)	/* others are not looked at */
			y[i] = (double)METER_NOISY(fixed_add_sat(x,
			    noise_laplace(&d->rng, &d->t[i])), x, &d->t[i]);
	}
	taint_public_if(!d->u.hidden, prefix[n]);
	tree_fit(&d->tree, y, (double)prefix[n], fitted);
	for (i = 1; i < n + d->u.hidden; i++)	/* a public total stays */
		prefix[i] = (i128)floor(fitted[i] + 0.5);
	free(y);
	free(fitted);
	return prefix;
}

/*
 * x on a grid with `from` decimals, or only FIXED_DIGITS more than are printed,
 * and the interval.
 */
static struct answer
make_answer(const struct dx *d, size_t k, i128 x, int from)
{
	double half = d->reach == NULL ? 0 : d->reach[k];
	int to = d->digits[k], cut = FIXED_LEAST(to + FIXED_DIGITS, from);
	i128 reach = (i128)fmin(ceil(half * (double)fixed_pow10(d->fine[0])),
	    0x1p60) * fixed_pow10(cut - d->fine[0]) + (cut < from);

	x = fixed_round(x, from, cut, FIXED_FLOOR);
	return answer_make(x, reach, cut, to);
}

struct answer
dx_fitted_answer(const struct dx *d, size_t k, const i128 *prefix)
{
	int fine = d->fine[0], digits = d->digits[k];
	const struct workload *w = &d->u.w;
	size_t first, last, i;
	struct answer a;
	i128 sum = 0, part;

	if (workload_interval(w, k, &first, &last)) {
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

/* The expected error of all answers, from public numbers. */
static void
describe_answers(const struct dx *d, char *buf, size_t size)
{
	double sum = 0;

	for (size_t k = 0; k < d->u.w.k && !d->plan_only; k++)
		sum += dx_fitted_variance(d, k) / (double)d->u.w.k;
	if (!d->plan_only)
		snprintf(buf, size, "; the rms error of all answers is %.4g",
		    sqrt(sum) / rational_real(d->eps));
}

void
dx_fitted_describe(const struct dx *d, char *buf, size_t size)
{
	const struct tree *t = &d->tree;
	const char *what = "range";
	int n;

	if (d->fitted == DX_SINGLE)
		n = snprintf(buf, size, "%zu elements measured", d->u.n);
	else if (t->branching == 0)
		n = snprintf(buf, size, "each prefix by itself");
	else
		n = snprintf(buf, size, "branching %zu, levels %zu",
		    t->branching, t->levels);
	buf += n;
	size -= (size_t)n;
	if (d->fitted == DX_SINGLE || !workload_is_runs(&d->u.w)) {
		describe_answers(d, buf, size);
		return;
	}
	if (tree_aim(&d->u.w) == TREE_PREFIXES)
		what = "prefix";
	snprintf(buf, size, "; a random %s has an rms error of %.4g", what,
	    t->rms / rational_real(d->eps));
}
