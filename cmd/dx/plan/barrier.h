/*
 * barrier: the convex program of strategy opt, by a barrier Newton method.
 */
#pragma once

#include <stddef.h>

/*
 * Minimises sum_k n_k (cost_k / x_k)^power, for power 0 sum_k n_k ln(cost_k /
 * x_k), over a x <= 1, x > 0, a having `rows` rows of k; x comes in strictly
 * feasible.  lower: a value that no feasible x goes below.
 */
struct barrier {
	double *a;
	size_t rows;
	size_t k;
	const double *cost;
	const double *times;	/* n */
	double all;		/* their sum */
	int power;
	double lower;
};
void barrier_solve(struct barrier *b, double *x);

/* The sum at x. */
double barrier_cost(const struct barrier *b, const double *x);
