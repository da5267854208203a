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
#include <string.h>

#include "number/memory.h"

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
	q[i] = 1;
	if (most > 0)
		q[i] += (int64_t)((PARTS - 1) * sqrt(importance[i] / most));
	workload_dense(w, q, 0);
	free(q);
}

static enum plan_result
by_opt(const struct metric *m, const double *importance, struct rational *c,
    struct pair *worst)
{
	struct rational one = { 1, 1 };
	struct workload w = { .n = m->n };
	enum plan_result r;
	struct plan plan;
	double gap;

	for (size_t i = 0; i < m->n; i++)
		add_count(&w, i, importance);
	r = plan_open(&plan, m, &w, one);
	*worst = plan.worst;
	if (r == PLAN_OK)
		r = plan_best(&plan, PLAN_SQUARED, c, &gap);
	plan_close(&plan);
	for (size_t i = 0; i < m->n && r == PLAN_OK; i++)
		if (!upward_div(&c[i], c[i], (struct rational){
		    workload_at(&w, i, i), 1 }))
			r = PLAN_RANGE;
	workload_free(&w);
	return r;
}

/* The least measure among an element's pairs; METRIC_NONE: no pair. */
static u128
nearest(const struct metric *m, size_t i)
{
	u128 least = METRIC_NONE, v;

	for (size_t k = 0; k < m->edges; k++) {
		const struct metric_edge *e = &m->edge[k];

		if (e->w != METRIC_INF && (e->i == i || e->j == i) &&
		    (u128)e->w < least)
			least = (u128)e->w;
	}
	if (m->kind != METRIC_EDGES)
		for (size_t j = 0; j < m->n; j++)
			if (j != i && metric_between(m, FIXED_LEAST(i, j),
			    FIXED_MOST(i, j), &v) && v < least)
				least = v;
	return least;
}

/* c = 2 / d for a distance with this measure, or more. */
static enum plan_result
raise(const struct metric *m, u128 v, i128 twice, struct rational *c)
{
	struct rational d, own = { twice, 1 };

	if (v == 0)
		return PLAN_INFINITE;
	if (!metric_below(m, v, &d) || !upward_div(&own, own, d))
		return PLAN_RANGE;
	if (rational_cmp(own, *c) > 0)
		*c = own;
	return PLAN_OK;
}

static enum plan_result
by_nearest(const struct metric *m, struct rational *c)
{
	enum plan_result r = PLAN_OK;
	u128 v = METRIC_NONE;

	if (m->n > PAIRS)
		metric_least(m, &v);
	for (size_t i = 0; i < m->n && r == PLAN_OK; i++) {
		c[i] = (struct rational){ 0, 1 };
		if (m->n <= PAIRS)
			v = nearest(m, i);
		if (v != METRIC_NONE)
			r = raise(m, v, 2, &c[i]);
		if (r == PLAN_OK && m->away > 0)
			r = raise(m, m->away, 1, &c[i]);
	}
	return r;
}

/* An element alone is the root. */
enum plan_result
single_choose(struct tree *t, const struct metric *m, const double *importance)
{
	const uint64_t part[] = { m->n == 1, 1 };
	struct rational *c = err_alloc(NULL, m->n, sizeof(*c));
	struct pair worst = { 0, 0 };
	enum plan_result r;

	if (m->n <= FEW)
		r = by_opt(m, importance, c, &worst);
	else
		r = by_nearest(m, c);
	*t = (struct tree){ .n = m->n, .branching = m->n, .open = m->away > 0,
	    .worst = worst };
	if (r == PLAN_OK)
		r = tree_make(t, part, (struct rational){ 2, 1 });
	if (r == PLAN_OK) {
		t->own = err_alloc(NULL, t->nodes, sizeof(*t->own));
		t->own[0] = (struct rational){ 0, 1 };
		memcpy(t->own + (t->nodes - t->n), c, t->n * sizeof(*c));
	}
	free(c);
	return r;
}
