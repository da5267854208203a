/*
 * lap_norm: sums, means and covariances for columns that are bounded together.
 *
 * plan/cut.c has the noise.  Every step after the noise is post-processing.
 */
#include <math.h>
#include <stdlib.h>

#include "lap.h"
#include "number/taint.h"
#include "tool/err.h"

struct norms {
	long double *sum, *product;
};

static void
lap_norm_opened(struct lap *l)
{
	struct norms *v = l->own;

	v->sum = err_alloc(NULL, l->plan.d, sizeof(*v->sum));
	v->product = err_alloc(NULL, l->plan.m, sizeof(*v->product));
}

static void
lap_norm_take(void *arg, size_t group, const int64_t *x, uint64_t w)
{
	const struct lap *l = arg;
	const struct norm *n = &l->plan.norm;
	const struct sums_column *c = l->plan.column;
	struct total *total = l->total + group * l->plan.m;
	int64_t y[LAP_MANY];

	for (size_t i = 0; i < n->d; i++)
		y[i] = norm_cell(n, fixed_clamp(x[i], c[i].lo, c[i].hi),
		    lap_norm_end(&c[i]));
	norm_shrink(n, y);
	norm_add(n, y, w, total);
	total_add(&total[l->plan.m - 1], 1, w);
}

static void
lap_norm_declare(struct lap *l)
{
	double error = lap_norm_error(&l->plan, 0);

	l->out.n = l->plan.op->prints & LAP_SUMS ? 1 : error;
	if (l->plan.op->prints & LAP_PAIRS) {
		lap_pairs(l, error, error);
		return;
	}
	for (size_t c = 0; c < l->plan.d; c++) {
		long double unit = lap_norm_unit(&l->plan, c);

		lap_norm_describe(&l->plan, c);
		if (l->in.groups > 1 && (l->plan.op->prints & LAP_MEANS))
			lap_hide(&l->plan);
		lap_column_of(l, lap_name(l, c), l->plan.op->name,
		    lap_real_digits(&l->plan, unit), (double)unit *
		    lap_norm_error(&l->plan, c));
	}
}

/* A group's sums and products; returns n. */
static long double
norm_group(struct lap *l, size_t g)
{
	struct norms *v = l->own;
	const struct lap_plan *p = &l->plan;
	bool box = p->box.d > 0, joint = box && lap_quotient(p);
	long double *x = err_alloc(NULL, p->m, sizeof(*x)), count = 1;
	i128 n;

	lap_totals(l, g, p->m - !joint, x);
	for (size_t i = 0; !box && i < p->m - 1; i++)
		if (lap_norm_empty(p, i))
			x[i] = 0;
	norm_decode(&p->norm, x, v->sum, v->product, &count);
	if (joint)
		count = x[p->d];
	free(x);
	if (l->opts.neighbors == NEIGHBORS_SWAP) {	/* it is public */
		n = total_value(&l->total[g * p->m + p->m - 1]);
		taint_public(&n, sizeof(n));
		count = (long double)n / (long double)l->opts.unit.whole;
	}
	if ((l->plan.op->prints & LAP_SUMS) == 0)
		l->out.n = fmax(l->out.n, (double)count);
	return fmaxl(count, 1);
}

/* The covariances, from sums in the columns' units. */
static void
norm_products(struct lap *l, long double n, struct answer *a)
{
	const struct norms *v = l->own;
	const struct lap_plan *p = &l->plan;
	const struct release_column *column = l->out.column + l->out.labels;
	const long double *product = v->product;

	for (size_t x = 0; x < p->d; x++)
		for (size_t y = x; y < p->d; y++) {
			long double most = lap_length(p, x) *
			    lap_length(p, y) / 4;
			long double c = *product++ / n * lap_norm_unit(p, x) *
			    lap_norm_unit(p, y) - v->sum[x] * v->sum[y];

			*a++ = lap_real(sums_within(c, x == y ? 0 : -most,
			    most), 0, 0, column++->digits);
		}
}

/* Sums and means, or with products the covariances. */
static void
lap_norm_answers(struct lap *l, size_t g, struct answer *a)
{
	const struct norms *v = l->own;
	const struct lap_plan *p = &l->plan;
	const struct release_column *column = l->out.column + l->out.labels;
	long double n = norm_group(l, g);

	for (size_t c = 0; c < p->d; c++) {
		long double cell = (long double)fixed_pow10(p->cell[c]);

		v->sum[c] *= lap_norm_unit(p, c);
		if ((p->op->prints & LAP_SUMS) == 0)
			v->sum[c] = sums_within(v->sum[c] / n, (long double)
			    p->column[c].lo / cell, (long double)
			    p->column[c].hi / cell);
		if ((p->op->prints & LAP_PAIRS) == 0)
			a[c] = lap_real(v->sum[c], 0, 0, column[c].digits);
	}
	if (p->op->prints & LAP_PAIRS)
		norm_products(l, n, a);
}

static const struct lap_body norm_totals_body = {
	.noise = "discrete Laplace, exact, on totals of bounded norm",
	.plan = lap_norm_totals, .take = lap_norm_take
}, norm_cut_body = {
	.noise = "K-norm of the box of the ranges, cut by the norm, discrete, "
	    "exact: one draw for all columns, so they depend on each other",
	.plan = lap_norm_cut, .take = lap_norm_take
};

const struct lap_way lap_norm = {
	.body = { &norm_totals_body, &norm_cut_body }, .fit = lap_norm_fit,
	.facts = lap_norm_note, .open = lap_norm_opened,
	.declare = lap_norm_declare, .describe = lap_norm_describe,
	.answers = lap_norm_answers, .own = sizeof(struct norms)
};
