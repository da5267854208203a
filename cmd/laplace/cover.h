/*
 * cover: intervals for the mean and the variance behind noisy totals.
 *
 * Everything here is computed from what has been released and from public
 * numbers: post-processing, so floating point is no danger.  cover.c has the
 * proofs that an interval holds the exact statistic with the probability that
 * was asked for, or more.
 */
#ifndef COVER_H
#define COVER_H

#include <math.h>
#include <stddef.h>

#include "unity.h"

struct cover {
	double lower;
	double upper;
};

/* The noise of the totals of one column, in records, and 1 - probability. */
struct cover_noise {
	double scale;
	double step;		/* of the grid of the noise */
	double alpha;
};

static inline double
cover_larger(double a, double b)
{
	return fmax(fabs(a), fabs(b));
}

/* No further down than lower, no further up than upper; never crossed. */
static inline void
cover_narrow(struct cover *c, double lower, double upper)
{
	c->lower = fmin(fmax(c->lower, lower), c->upper);
	c->upper = fmax(fmin(c->upper, upper), c->lower);
}

/* |x| beyond this has probability at most alpha: average of n Laplace(1). */
double cover_average(size_t n, double alpha);

/* The same for the sum of n <= UNITY_PARTS Laplace(1), each with a weight. */
double cover_weighted(const double *weight, size_t n, double alpha);

/* Parts of the range, 0 to 1; of the squared range, 0 to 1/4. */
struct cover cover_mean(const i128 *part, enum unity_degree degree,
    const struct cover_noise *noise);
struct cover cover_variance(const i128 *part,
    const struct cover_noise *noise);

#endif
