/*
 * single: strategy cells: noise on every element's count.
 *
 * For FEW elements opt chooses the scales; the queries are the counts, times
 * the root of importance as a whole number from 1 to PARTS, by which a scale is
 * divided again.
 *
 * With more, c_i = 2 / D_i, D_i the distance from i to the nearest element, and
 * at least 1 / R where n is hidden.  A record that moves from i to j changes
 * two counts by one: 1/c_i + 1/c_j <= D_i / 2 + D_j / 2 <= d(i,j), and 1/c_i <=
 * R.  For a shortest path metric the edges are enough, as for plan.
 */
#include "single.h"

#include <math.h>
#include <stdlib.h>

#include "number/memory.h"
#include "upward.h"

#define PARTS 1000
#define FEW 60		/* elements, whose pairs opt takes seconds for */
#define PAIRS 8192	/* elements with every pair looked at */

/* A count as a query. */
static void
add_count(struct workload *w, size_t i, const double *importance)
{
	int64_t *q = err_alloc(NULL, w->n, sizeof(*q));
	double most = 0;

	for (size_t j = 0; j < w->n; j++)
		most = fmax(most, importance[j]);
	q[i] = most > 0 ? 1 + (int64_t)((PARTS - 1) *
	    sqrt(importance[i] / most)) : 1;
	workload_dense(w, q, 0, "");
	free(q);
}

static enum plan_result
by_opt(struct single *x, const struct metric *m, const double *importance)
{
	struct rational one = { 1, 1 }, part;
	struct workload w = { .n = x->n };
	enum plan_result r;
	struct plan plan;
	double gap;

	for (size_t i = 0; i < x->n; i++)
		add_count(&w, i, importance);
	r = plan_open(&plan, m, &w, one);
	x->worst = plan.worst;
	if (r == PLAN_OK)
		r = plan_best(&plan, PLAN_SQUARED, x->c, &gap);
	plan_close(&plan);
	for (size_t i = 0; i < x->n && r == PLAN_OK; i++)
		if (!rational_make(&part, workload_at(&w, i, i), 1) ||
		    !plan_divide(&x->c[i], part))
			r = PLAN_RANGE;
	workload_free(&w);
	return r;
}

/* The least measure among an element's pairs; false: no pair. */
static bool
nearest(const struct metric *m, size_t i, u128 *least)
{
	bool any = false;
	u128 v;

	for (size_t e = 0; e < m->edges; e++)
		if (m->edge[e].w != METRIC_INF && (m->edge[e].i == i ||
		    m->edge[e].j == i)) {
			v = (u128)m->edge[e].w;
			*least = any && *least < v ? *least : v;
			any = true;
		}
	for (size_t j = 0; j < m->n && m->kind != METRIC_EDGES; j++)
		if (j != i && metric_between(m, i < j ? i : j, i < j ? j : i,
		    &v)) {
			*least = any && *least < v ? *least : v;
			any = true;
		}
	return any;
}

/* c = 2 / d for a distance with this measure, or more. */
static enum plan_result
raise(const struct metric *m, u128 v, i128 twice, struct rational *c)
{
	struct rational d, one;

	if (v == 0)
		return PLAN_INFINITE;
	if (!metric_below(m, v, &d) || !rational_make(&one, twice, 1) ||
	    !upward_div(&one, one, d))
		return PLAN_RANGE;
	*c = rational_cmp(one, *c) > 0 ? one : *c;
	return PLAN_OK;
}

static enum plan_result
by_nearest(struct single *x, const struct metric *m)
{
	enum plan_result r = PLAN_OK;
	bool any = false;
	u128 v = 0;

	if (x->n > PAIRS)
		any = metric_least(m, false, &v);
	for (size_t i = 0; i < x->n && r == PLAN_OK; i++) {
		x->c[i] = (struct rational){ 0, 1 };
		if (x->n > PAIRS ? any : nearest(m, i, &v))
			r = raise(m, v, 2, &x->c[i]);
		if (r == PLAN_OK && m->away > 0)
			r = raise(m, m->away, 1, &x->c[i]);
	}
	return r;
}

enum plan_result
single_choose(struct single *x, const struct metric *m,
    const double *importance)
{
	enum plan_result r;
	double c;

	*x = (struct single){ .n = m->n, .open = m->away > 0 };
	x->c = err_alloc(NULL, x->n, sizeof(*x->c));
	x->v = err_alloc(NULL, x->n, sizeof(*x->v));
	r = x->n <= FEW ? by_opt(x, m, importance) : by_nearest(x, m);
	for (size_t i = 0; r == PLAN_OK && i < x->n; i++) {
		c = rational_real(x->c[i]);
		x->v[i] = 2 * c * c;
		x->sum += x->v[i];
	}
	return r;
}

/* With the total known the counts have the covariance diag(v) - v v' / sum. */
double
single_respond(const struct single *x, const double *q, double *weight)
{
	double qv = 0, qqv = 0, mean;

	for (size_t i = 0; i < x->n; i++) {
		qv += q[i] * x->v[i];
		qqv += q[i] * q[i] * x->v[i];
	}
	mean = x->open || x->sum <= 0 ? 0 : qv / x->sum;
	for (size_t i = 0; i < x->n && weight != NULL; i++)
		weight[i] = q[i] - mean;
	return fmax(qqv - mean * qv, 0);
}

void
single_free(struct single *x)
{
	free(x->c);
	free(x->v);
	*x = (struct single){ .n = 0 };
}
