/*
 * project: the point of a cone closest to (q, 0), by Hildreth's method.
 *
 * With a fixed shape for c, c = s shape, the limits
 *	sum_k |p_ik - p_jk| / shape_k <= s d(i,j)
 * are convex in (p, s) together.  Each limit is a maximum of linear limits over
 * signs; violated linear limits are added as cuts, and the dual of the
 * quadratic program over the cuts is climbed one multiplier at a time.
 */
#include "project.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "number/fixed.h"
#include "number/memory.h"

#define ROUNDS 60
#define SWEEPS 40
#define FINE 1e-6	/* part of s d by which a limit may be broken */

static void
add_limit(struct projection *b, size_t *room, size_t i, size_t j, double d)
{
	b->limit = err_grow(b->limit, b->limits, room, sizeof(*b->limit));
	b->limit[b->limits++] = (struct limit){ i, j, d };
}

void
project_open(struct projection *b, const struct metric *m, double eps)
{
	double unit = rational_real(m->unit) * eps;
	size_t room = 0;
	u128 v;

	for (size_t i = 0; i < m->edges; i++)
		if (m->edge[i].w != METRIC_INF)
			add_limit(b, &room, m->edge[i].i, m->edge[i].j,
			    (double)m->edge[i].w * unit);
	if (m->kind != METRIC_EDGES)
		for (size_t i = 0; i < m->n; i++)
			for (size_t j = i + 1; j < m->n; j++)
				if (metric_between(m, i, j, &v))
					add_limit(b, &room, i, j, unit *
					    metric_real(m, v));
}

static double
load(const struct projection *b, const double *p, const struct limit *l)
{
	const double *u = p + l->i * b->k, *v = p + l->j * b->k;
	double sum = 0;

	for (size_t k = 0; k < b->k; k++)
		sum += fabs(u[k] - v[k]) / b->shape[k];
	return sum;
}

double
project_need(const struct projection *b, const double *p)
{
	double s = 0, one;

	for (size_t i = 0; i < b->limits; i++) {
		one = load(b, p, &b->limit[i]);
		if (one > 0 && b->limit[i].d > 0)
			s = fmax(s, one / b->limit[i].d);
	}
	return s;
}

static void
add_cut(struct projection *b, size_t at)
{
	const struct limit *l = &b->limit[at];
	const double *u = b->p + l->i * b->k, *v = b->p + l->j * b->k;
	double norm = l->d * l->d / b->weight, *slope;
	size_t room = b->room;

	b->cut = err_grow(b->cut, b->cuts, &room, sizeof(*b->cut));
	b->slope = err_grow(b->slope, b->cuts, &b->room,
	    b->k * sizeof(*b->slope));
	slope = b->slope + b->cuts * b->k;
	for (size_t k = 0; k < b->k; k++) {
		slope[k] = ((u[k] > v[k]) - (u[k] < v[k])) / b->shape[k];
		norm += 2 * slope[k] * slope[k];
	}
	b->cut[b->cuts++] = (struct halfspace){ at, 0, norm };
}

/*
 * Brings a multiplier to the best value; returns the error before as a part of
 * s d.
 */
static double
climb(struct projection *b, size_t c)
{
	struct halfspace *cut = &b->cut[c];
	const struct limit *l = &b->limit[cut->limit];
	const double *slope = b->slope + c * b->k;
	double *u = b->p + l->i * b->k, *v = b->p + l->j * b->k;
	double a = -b->s * l->d, step;

	for (size_t k = 0; k < b->k; k++)
		a += slope[k] * (u[k] - v[k]);
	step = fmax(a / cut->norm, -cut->y);
	cut->y += step;
	b->s += step * l->d / b->weight;
	for (size_t k = 0; k < b->k; k++) {
		u[k] -= step * slope[k];
		v[k] += step * slope[k];
	}
	return fabs(step * cut->norm) / (b->s * l->d + 1e-300);
}

/* Cuts that no longer press are dropped before new cuts come. */
static void
drop(struct projection *b)
{
	size_t to = 0;

	for (size_t c = 0; c < b->cuts; c++) {
		if (!(b->cut[c].y > 0))
			continue;
		b->cut[to] = b->cut[c];
		memmove(b->slope + to * b->k, b->slope + c * b->k,
		    b->k * sizeof(*b->slope));
		to++;
	}
	b->cuts = to;
}

/* Adds the most broken limit of each element; returns how many. */
static size_t
separate(struct projection *b, double *worst, size_t *at)
{
	size_t added = 0;
	double over;

	for (size_t i = 0; i < b->n; i++)
		worst[i] = 0;
	for (size_t e = 0; e < b->limits; e++) {
		const struct limit *l = &b->limit[e];

		over = load(b, b->p, l) - b->s * l->d;
		if (over > FINE * (b->s * l->d + 1e-300) &&
		    over > worst[l->i]) {
			worst[l->i] = over;
			at[l->i] = e;
		}
	}
	for (size_t i = 0; i < b->n; i++)
		if (worst[i] > 0) {
			add_cut(b, at[i]);
			added++;
		}
	return added;
}

void
project_solve(struct projection *b)
{
	double *worst = err_alloc(NULL, b->n, sizeof(*worst)), moved;
	size_t *at = err_alloc(NULL, b->n, sizeof(*at)), added = 1, c;

	b->cuts = 0;
	b->s = 0;
	memcpy(b->p, b->q, b->n * b->k * sizeof(*b->p));
	for (int round = 0; added > 0 && round < ROUNDS; round++) {
		drop(b);
		added = separate(b, worst, at);
		for (int sweep = 0; sweep < SWEEPS; sweep++) {
			moved = 0;
			for (c = 0; c < b->cuts; c++)
				moved = fmax(moved, climb(b, c));
			if (moved < FINE / 2)
				break;
		}
	}
	free(worst);
	free(at);
}

void
project_close(struct projection *b)
{
	free(b->q);
	free(b->shape);
	free(b->p);
	free(b->limit);
	free(b->cut);
	free(b->slope);
}
