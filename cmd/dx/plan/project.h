/*
 * project: the closest queries to given queries that given scales can answer.
 *
 * The convex part of [KPAK20] problem (6): the shape of the scales is fixed.
 */
#pragma once

#include "metric.h"

/* A pair of elements with a constraint, and the pair's budget. */
struct limit {
	size_t i;
	size_t j;
	double d;
};

/* The constraint of a limit for fixed signs, and the multiplier. */
struct halfspace {
	size_t limit;
	double y;
	double norm;		/* a a / w */
};

struct projection {
	size_t n, k;
	double *q;		/* n x k: where the queries are */
	double *shape;		/* k: c = s shape */
	struct limit *limit;
	size_t limits;
	double weight;		/* of s^2 beside (p - q)^2 */
	/* result */
	double *p;		/* n x k */
	double s;
	/* inside */
	struct halfspace *cut;
	double *slope;		/* cuts x k: sum_k slope_k (p_ik - p_jk) <= s d,
				   slope_k = +-1 / shape_k or 0 */
	size_t cuts, room;
};

/* Pairs of a metric with epsilon; */
void project_open(struct projection *b, const struct metric *m, double eps);

/*
 * Minimises sum (p - q)^2 + w s^2 over p, s that keep every limit: the
 * point of a convex cone closest to (q, 0).
 */
void project_solve(struct projection *b);

/* The least s that keeps every limit for p. */
double project_need(const struct projection *b, const double *p);

/* Frees everything, with q, shape and p. */
void project_close(struct projection *b);
