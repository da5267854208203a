/*
 * matrix: strategy matrix: measured queries that are not the asked ones.
 *
 * Privacy.  What the search finds in doubles is rounded to queries with
 * decimal coefficients and to rates; their scales are those of a plan whose
 * queries are the measured ones (rates_finish), for which the load of every
 * pair is at most 1 exactly.  Answers are worked out from the noisy values
 * and public numbers.
 */
#include "matrix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "matrix_search.h"
#include "plan_rates.h"

#define REFINEMENTS 2

/* A measured query; q has one coefficient for each element. */
static bool
add_measured(struct matrix *x, const int64_t *q, int digits)
{
	return workload_dense(&x->w, q, digits, "measured");
}

/*
 * Row k of coefficients, from 0 to 1 in steps of 10^-MATRIX_DIGITS, and its
 * rate in such steps.  A row that says next to nothing is left out.
 */
static bool
add_row(struct matrix *x, const struct found *f, size_t k, double *rate)
{
	double low = HUGE_VAL, high = -HUGE_VAL, v, most = 0;
	int64_t *q = calloc(x->n + 1, sizeof(*q));
	double steps = (double)fixed_pow10(MATRIX_DIGITS);
	bool ok = q != NULL;
	size_t i;

	for (i = 0; i < x->n; i++) {
		v = f->b[i * f->rows + k];
		low = fmin(low, v);
		high = fmax(high, v);
		most = fmax(most, f->r[i]);
	}
	if (ok && high - low > 1e-6 * most) {
		for (i = 0; i < x->n; i++)
			q[i] = (int64_t)floor((f->b[i * f->rows + k] - low) /
			    (high - low) * steps + 0.5);
		rate[x->w.k] = (high - low) / steps;
		ok = add_measured(x, q, MATRIX_DIGITS);
	}
	free(q);
	return ok;
}

/* The measured queries of what was found, and their rates. */
static bool
measure(struct matrix *x, const struct found *f, double *rate)
{
	int64_t *q = calloc(x->n + 1, sizeof(*q));
	bool ok = q != NULL;
	size_t i, k;

	for (i = 0; i < x->n && ok; i++) {
		q[i] = 1;
		rate[i] = f->r[i];
		ok = add_measured(x, q, 0);
		q[i] = 0;
	}
	for (k = 0; k < f->rows && ok; k++)
		ok = add_row(x, f, k, rate);
	free(q);
	return ok;
}

/* Rates divided by their largest load, as exact scales. */
static enum plan_result
settle(struct matrix *x, const struct metric *m, const double *rate)
{
	const struct rational one = { 1, 1 };
	enum plan_result r;
	struct plan plan;

	x->c = calloc(x->w.k + 1, sizeof(*x->c));
	if (x->c == NULL)
		return PLAN_NO_MEMORY;
	r = plan_open(&plan, m, &x->w, one);
	x->worst = plan.worst;
	if (r == PLAN_OK)
		r = rates_finish(&plan, rate, x->c);
	plan_close(&plan);
	return r;
}

/* Coefficients as doubles, and least squares for the exact scales. */
static enum plan_result
prepare(struct matrix *x)
{
	size_t n = x->n, rows = x->w.k - n, i, k;
	double *r, *b, rate, unit;

	x->a = calloc(x->w.k * n + 1, sizeof(*x->a));
	x->numbers = calloc(n * (rows + 1) + 1, sizeof(*x->numbers));
	if (x->a == NULL || x->numbers == NULL ||
	    !blend_open(&x->fit, n, rows))
		return PLAN_NO_MEMORY;
	r = x->numbers;
	b = x->numbers + n;
	for (k = 0; k < x->w.k; k++) {
		unit = (double)fixed_pow10(workload_digits(&x->w, k));
		rate = (double)x->c[k].den / (double)x->c[k].num;
		for (i = 0; i < n; i++) {
			x->a[k * n + i] = (double)workload_at(&x->w, k, i) /
			    unit;
			if (k >= n)
				b[i * rows + k - n] = rate * x->a[k * n + i];
		}
		if (k < n)
			r[k] = rate;
	}
	x->fit.r = r;
	x->fit.b = b;
	return blend_solve(&x->fit) ? PLAN_OK : PLAN_RANGE;
}

enum plan_result
matrix_make(struct matrix *x, const struct metric *m, const struct found *f)
{
	double *rate = calloc(f->n + f->rows + 1, sizeof(*rate));
	enum plan_result r = PLAN_NO_MEMORY;
	size_t i;

	*x = (struct matrix){ .n = m->n, .w = { .n = m->n } };
	if (rate != NULL && measure(x, f, rate))
		r = settle(x, m, rate);
	if (r == PLAN_OK)
		r = prepare(x);
	for (i = 0; r == PLAN_OK && i < x->w.k; i++)
		if (x->c[i].num == 0)
			r = PLAN_RANGE;
	free(rate);
	return r;
}

enum plan_result
matrix_choose(struct matrix *x, const struct metric *m,
    const struct workload *asked)
{
	enum plan_result r;
	struct found f;

	*x = (struct matrix){ .n = m->n, .w = { .n = m->n } };
	r = matrix_search(&f, m, asked);
	if (r == PLAN_OK && f.queries > 0)
		r = matrix_make(x, m, &f);
	if (r == PLAN_INFINITE)
		x->worst = f.worst;
	x->apart = f.apart;
	if (r == PLAN_OK && f.queries > 0)
		x->rms = sqrt(2 * blend_trace(&x->fit, f.v) /
		    (double)asked->k);
	found_free(&f);
	return r;
}

double
matrix_variance(const struct matrix *x, const double *q, double *weight)
{
	double *z = calloc(x->n + 1, sizeof(*z)), v = 0, rate;
	size_t i, k;

	if (z == NULL)
		return -1;
	if (x->w.k > 0)
		blend_apply(&x->fit, q, z);
	for (i = 0; i < x->n; i++)
		v += 2 * q[i] * z[i];
	for (k = 0; weight != NULL && k < x->w.k; k++) {
		rate = (double)x->c[k].den / (double)x->c[k].num;
		weight[k] = 0;
		for (i = 0; i < x->n; i++)
			weight[k] += x->a[k * x->n + i] * z[i];
		weight[k] *= rate * rate;
	}
	free(z);
	return fmax(v, 0);
}

/* One step from counts that keep the total towards those that fit best. */
static void
refine(const struct matrix *x, const double *noisy, double *count,
    double *room)
{
	double *sum = room, *step = room + x->n, rest, rate;
	size_t i, k;

	memset(sum, 0, x->n * sizeof(*sum));
	for (k = 0; k < x->w.k; k++) {
		const double *a = x->a + k * x->n;

		for (rest = noisy[k], i = 0; i < x->n; i++)
			rest -= a[i] * count[i];
		rate = (double)x->c[k].den / (double)x->c[k].num;
		for (i = 0; i < x->n; i++)
			sum[i] += rate * rate * rest * a[i];
	}
	blend_apply(&x->fit, sum, step);
	for (i = 0; i < x->n; i++)
		count[i] += step[i];
}

/* All counts raised or lowered alike. */
static void
keep_total(const struct matrix *x, double total, double *count)
{
	size_t i;

	for (i = 0; i < x->n; i++)
		total -= count[i];
	for (i = 0; i < x->n; i++)
		count[i] += total / (double)x->n;
}

/*
 * The first step ends at the best fit but for roundings, which are large where
 * rates differ by orders of magnitude; the others remove these.
 */
bool
matrix_fit(const struct matrix *x, const double *noisy, double total,
    double *count)
{
	double *room = calloc(2 * x->n + 1, sizeof(*room));
	int step;

	if (room == NULL)
		return false;
	memset(count, 0, x->n * sizeof(*count));
	keep_total(x, total, count);
	for (step = 0; step < REFINEMENTS && x->w.k > 0; step++) {
		refine(x, noisy, count, room);
		keep_total(x, total, count);
	}
	free(room);
	return true;
}

void
matrix_free(struct matrix *x)
{
	workload_free(&x->w);
	blend_close(&x->fit);
	free(x->c);
	free(x->a);
	free(x->numbers);
	*x = (struct matrix){ .n = 0 };
}
