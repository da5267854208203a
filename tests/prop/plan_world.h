/* plan_world: random universes, metrics and queries for tests; big numbers. */
#ifndef PLAN_WORLD_H
#define PLAN_WORLD_H

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "big.h"
#include "dx/plan/plan.h"

#define WORLD_KINDS 12

static inline uint64_t
world_draw(uint64_t *state, uint64_t n)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return (*state >> 11) % n;
}

struct world {
	struct metric m;
	struct workload w;
};

static inline void
world_coordinates(struct world *a, size_t dims, uint64_t size, uint64_t *state)
{
	a->m.dims = dims;
	a->m.x = malloc(a->m.n * dims * sizeof(int64_t) + 8);
	for (size_t i = 0; i < a->m.n * dims; i++)
		a->m.x[i] = (int64_t)world_draw(state, size);
}

static inline void
world_weights(struct world *a, size_t count, uint64_t *state)
{
	a->m.w = malloc(count * sizeof(int64_t) + 8);
	for (size_t i = 0; i < count; i++)
		a->m.w[i] = world_draw(state, 9) == 0 ? METRIC_INF :
		    1 + (int64_t)world_draw(state, 1000);
}

/* Weights of values: equal values have equal weights. */
static inline void
world_values(struct world *a, uint64_t *state)
{
	int64_t w[64];
	struct metric *m = &a->m;

	world_weights(a, m->n * m->dims, state);
	memcpy(w, m->w, sizeof(w) < m->n * m->dims * 8 ? sizeof(w) :
	    m->n * m->dims * 8);
	for (size_t i = 0; i < m->n; i++)
		for (size_t k = 0; k < m->dims; k++)
			m->w[i * m->dims + k] =
			    w[(size_t)m->x[i * m->dims + k] * m->dims + k];
}

static inline void
world_edges(struct world *a, uint64_t *state)
{
	struct metric *m = &a->m;

	m->edge = malloc(3 * m->n * sizeof(*m->edge));
	for (size_t i = 0; i < 2 * m->n; i++) {
		struct metric_edge e = { world_draw(state, m->n),
		    world_draw(state, m->n), 0 };

		if (i < m->n - 1)
			e = (struct metric_edge){ i + 1,
			    world_draw(state, i + 1), 0 };
		if (e.i == e.j)
			continue;
		e.w = 1 + (int64_t)world_draw(state, 500);
		m->edge[m->edges++] = e;
	}
}

static inline void
world_matrix(struct world *a, uint64_t *state)
{
	a->m.w = malloc(a->m.n * a->m.n * sizeof(int64_t));
	for (size_t i = 0; i < a->m.n * a->m.n; i++)
		a->m.w[i] = world_draw(state, 6) == 0 ? METRIC_INF :
		    1 + (int64_t)world_draw(state, 1000);
	metric_close(&a->m);
}

/* Kinds 0..11; n >= 4 elements that differ where it matters. */
static inline void
world_metric(struct world *a, size_t n, int kind, uint64_t *state)
{
	static const enum metric_kind base[] = { METRIC_SUM, METRIC_EUCLID,
	    METRIC_MAX };
	struct metric *m = &a->m;

	*m = (struct metric){ .n = n, .unit = { 1, 1000 } };
	if (kind < 9) {
		m->kind = base[kind % 3];
		m->bend = (enum metric_bend)(kind / 3);
		world_coordinates(a, 1 + world_draw(state, 3), 100000, state);
		m->bound = 20000;
		if (m->kind == METRIC_EUCLID)
			m->bound *= 20000;
	} else if (kind == 9) {
		m->kind = world_draw(state, 2) ? METRIC_EDGES : METRIC_MATRIX;
		if (m->kind == METRIC_EDGES)
			world_edges(a, state);
		else
			world_matrix(a, state);
	} else if (kind == 10) {
		m->kind = METRIC_ATTR;
		world_coordinates(a, 3, 4, state);
		world_weights(a, 3, state);
	} else {
		m->kind = world_draw(state, 2) ? METRIC_VALUES :
		    METRIC_VALUES_MIN;
		world_coordinates(a, 4, m->kind == METRIC_VALUES ? 3 : 2,
		    state);
		world_values(a, state);
	}
}

/* k queries, binary or real; equal where the distance is 0. */
static inline void
world_queries(struct world *a, size_t k, uint64_t *state)
{
	size_t n = a->m.n;
	int64_t q[256];

	a->w = (struct workload){ .n = n };
	for (size_t j = 0; j < k; j++) {
		int digits = (int)world_draw(state, 4);
		uint64_t size = world_draw(state, 2) ? 2 : 1000;

		for (size_t i = 0; i < n; i++)
			q[i] = (int64_t)world_draw(state, size);
		for (size_t i = 0; i < n; i++)
			for (size_t l = 0; l < i; l++) {
				u128 v;

				if (metric_between(&a->m, i, l, &v) && v == 0)
					q[i] = q[l];
			}
		workload_dense(&a->w, q, digits);
	}
}

static inline void
world_make(struct world *a, size_t n, size_t k, int kind, uint64_t *state)
{
	world_metric(a, n, kind, state);
	world_queries(a, k, state);
}

static inline void
world_free_metric(struct metric *m)
{
	free(m->x);
	free(m->w);
	free(m->edge);
	*m = (struct metric){ .unit = { 1, 1 } };
}

static inline void
world_free(struct world *a)
{
	world_free_metric(&a->m);
	workload_free(&a->w);
}

/* Measure of a pair, of edges the direct one: false without a constraint. */
static inline bool
world_measure(const struct world *a, size_t i, size_t j, u128 *v)
{
	bool found = false;

	if (a->m.kind != METRIC_EDGES)
		return metric_between(&a->m, i, j, v);
	for (size_t e = 0; e < a->m.edges; e++) {
		const struct metric_edge *g = &a->m.edge[e];

		if (((g->i == i && g->j == j) || (g->i == j && g->j == i)) &&
		    (!found || (u128)g->w < *v)) {
			*v = (u128)g->w;
			found = true;
		}
	}
	return found;
}

#define WORLD_ABSENT SIZE_MAX	/* the element of no record */

/*
 * Order of sum_k |q_ki - q_kj| / c_k and d(i,j), exactly: -1 where budget
 * is left, 0 equal, 1 broken.  Queries with c = 0 must not differ.
 */
static inline int
world_constraint(const struct world *a, const struct rational *c, size_t i,
    size_t j, u128 measure)
{
	struct big num = big_of(0), den = big_of(1), term, r;

	for (size_t k = 0; k < a->w.k; k++) {
		int64_t d = workload_at(&a->w, k, i) - (j == WORLD_ABSENT ?
		    0 : workload_at(&a->w, k, j));

		d = d < 0 ? -d : d;
		if (d == 0)
			continue;
		if (c[k].num == 0)
			return 1;
		/* num/den + d c.den / (c.num 10^digits) */
		term = big_times(&den, (u128)d);
		term = big_times(&term, (u128)c[k].den);
		num = big_times(&num, (u128)c[k].num);
		num = big_times(&num, (u128)fixed_pow10(workload_digits(
		    &a->w, k)));
		num = big_add(&num, &term);
		den = big_times(&den, (u128)c[k].num);
		den = big_times(&den, (u128)fixed_pow10(workload_digits(
		    &a->w, k)));
	}
	num = big_times(&num, (u128)a->m.unit.den);
	den = big_times(&den, (u128)a->m.unit.num);
	if (metric_squared(&a->m)) {
		num = big_mul(&num, &num);
		den = big_mul(&den, &den);
	}
	r = big_times(&den, measure);
	return big_cmp(&num, &r);
}

/*
 * n hidden: a record is far from none, near or at a usual distance; with
 * `star` this is all that the metric says.
 */
static inline void
world_hide(struct world *a, bool star, uint64_t *state)
{
	u128 v = 1 + world_draw(state, 1000);

	if (star) {
		world_free_metric(&a->m);
		a->m.kind = METRIC_EDGES;
		a->m.n = a->w.n;
		v = 1;
	}
	a->m.away = metric_squared(&a->m) ? v * v : v;
}

/* Number of broken constraints; *tight: how many hold with equality. */
static inline size_t
world_broken(const struct world *a, const struct rational *c, size_t *tight)
{
	size_t broken = 0;
	u128 v;

	*tight = 0;
	for (size_t i = 0; i < a->m.n && a->m.away > 0; i++) {
		int o = world_constraint(a, c, i, WORLD_ABSENT, a->m.away);

		broken += o > 0;
		*tight += o == 0;
	}
	for (size_t i = 0; i < a->m.n; i++)
		for (size_t j = i + 1; j < a->m.n; j++)
			if (world_measure(a, i, j, &v)) {
				int o = world_constraint(a, c, i, j, v);

				broken += o > 0;
				*tight += o == 0;
			}
	return broken;
}

#endif
