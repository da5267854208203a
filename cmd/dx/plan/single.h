/*
 * single: strategy cells: noise on the count of every element.
 *
 * The counts of elements are queries like others, so their scales are those of
 * [KPAK20 Theorem 1] with the least sum of squares, each count weighted by what
 * the queries asked make of it; any query is then a sum of noisy counts.  Where
 * n is public, what the counts miss of it is shared out by their variances.
 */
#ifndef SINGLE_H
#define SINGLE_H

#include "plan.h"

struct single {
	size_t n;
	bool open;		/* n is hidden */
	struct rational *c;	/* of each element, for epsilon 1 */
	double *v;		/* variance of its noise */
	double sum;		/* of these */
	struct pair worst;	/* PLAN_INFINITE: two elements at distance 0 */
};

/*
 * importance: the sum of squares of the coefficients of each element.  To be
 * freed, whatever the result.
 */
enum plan_result single_choose(struct single *x, const struct metric *m,
    const double *importance);

/* The variance of an answer, and the part that each count has in it. */
double single_respond(const struct single *x, const double *q,
    double *weight);

void single_free(struct single *x);

#endif
