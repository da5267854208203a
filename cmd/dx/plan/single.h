/*
 * single: strategy cells: noise on every element's count.
 *
 * Element counts are queries, so the scales are private by [KPAK20 Theorem 1],
 * with the least sum of squares, each count weighted by its use in the asked
 * queries; any query is then a sum of noisy counts.  With a public n the
 * counts' difference to n is shared out by variances.
 */
#ifndef SINGLE_H
#define SINGLE_H

#include "plan.h"

struct single {
	size_t n;
	bool open;		/* n is hidden */
	struct rational *c;	/* for each element, for epsilon 1 */
	double *v;		/* the noise's variance */
	double sum;		/* of these */
	struct pair worst;	/* PLAN_INFINITE: two elements at distance 0 */
};

/*
 * importance: each element's sum of squared coefficients.  To be freed,
 * whatever the result.
 */
enum plan_result single_choose(struct single *x, const struct metric *m,
    const double *importance);

/* An answer's variance, and each count's part in the answer. */
double single_respond(const struct single *x, const double *q,
    double *weight);

void single_free(struct single *x);

#endif
