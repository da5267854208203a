/*
 * blend: counts of single elements and a few other queries, and what least
 * squares make of them.
 *
 * Element i is measured with the rate r_i, budget per unit, and rows of
 * coefficients that hold their rate: noise of scale 1 / r_i on a count, of
 * scale 1 on a row.  The total is public.
 */
#ifndef BLEND_H
#define BLEND_H

#include <stdbool.h>
#include <stddef.h>

#include "project.h"

/* In arrays of (rows + 1) x n the last row is that of the total. */
struct blend {
	size_t n, rows;
	const double *r;	/* n rates, all above 0 */
	const double *b;	/* n x rows: coefficients of the others */
	/* after blend_solve */
	double *spread;		/* n: 1 / r^2 */
	double *y, *x;		/* (rows + 1) x n */
	double *s;		/* the inverse of a (rows + 1)^2 matrix */
};

bool blend_open(struct blend *a, size_t n, size_t rows);

/* Makes ready for r and b; false where they are out of range. */
bool blend_solve(struct blend *a);

/*
 * z = P q: the estimate of q has the variance 2 q P q, and takes from a
 * measured query its rate squared times its coefficients times z.
 */
void blend_apply(const struct blend *a, const double *q, double *z);

/* tr(V P) for V n x n and symmetric: half the sum of variances of queries
   with V = sum q q'. */
double blend_trace(const struct blend *a, const double *v);

void blend_close(struct blend *a);

/* A blend being searched for; the numbers are n roots of rates, then b. */
struct blend_search {
	struct blend a;
	const struct limit *limit;
	size_t limits;
	const double *v;	/* n x n: the sum of q q' over all queries */
	double least;		/* a rate is this and the square of a root */
	double soft;		/* |t| is taken as sqrt(t^2 + soft^2) */
	int doublings;		/* the largest load as a norm, p = 2^this */
	/* of the last call of blend_loss */
	double error;		/* exact: half the sum of all variances, when
				   rates are divided by the largest load */
	double most;		/* the largest load */
	/* inside */
	double *r, *load, *t, *z, *slope;
};

bool blend_search_open(struct blend_search *s, size_t n, size_t rows,
    size_t limits);

/* For lbfgs: the error times the squared norm of all loads; its gradient. */
double blend_loss(void *arg, const double *x, double *gradient);

void blend_search_close(struct blend_search *s);

#endif
