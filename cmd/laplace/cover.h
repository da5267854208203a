/*
 * cover: intervals for means, variances and covariances behind noisy totals.
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
#include "unity_pair.h"

struct cover {
	double lower;
	double upper;
};

/*
 * The noise of the totals, in records, and 1 - probability.  Where a sum is an
 * average of several pairs of columns each weight comes `times' times.
 */
struct cover_noise {
	double scale;
	double step;		/* of the grid of the noise */
	double alpha;
	size_t times, pairs;
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

/*
 * |x| beyond the result has probability at most alpha, for the sum of n <=
 * PAIR_PARTS weights, each times `times' Laplace(1) of its own, and a normal
 * variable of this deviation.
 */
double cover_spread(const double *weight, size_t n, size_t times,
    double normal, double alpha);

/* The same for the average of n Laplace(1). */
double cover_average(size_t n, double alpha);

/* What the noisy totals of one column say. */
struct unity_moments cover_moments(const long double *part,
    enum unity_degree degree);

/* Parts of the range, 0 to 1. */
struct cover cover_mean(const long double *part, enum unity_degree degree,
    const struct cover_noise *noise);

/* The mean of what the records were drawn from; degree UNITY_SQUARE. */
struct cover cover_population(const long double *part, enum unity_degree degree,
    const struct cover_noise *noise);

/* Noise and deviation at the lower (-1) or upper (1) end of a mean on -1..1. */
struct cover_side {
	double weight[UNITY_PARTS], error;
	bool empty;
};

struct cover_side cover_side(const struct unity_moments *m,
    const struct cover_noise *noise, double side);

/* How far the difference of two such means may be off. */
double cover_difference(const struct cover_side *a, const struct cover_side *b,
    double alpha);

/*
 * Of cells on -1..1: the variance of column 0, where the sums may be averages
 * over noise->pairs pairs of columns, each weight three times; the covariance,
 * with the sums of one pair.
 */
struct cover cover_variance(const struct unity_moments *m,
    const struct cover_noise *noise);
struct cover cover_covariance(const struct unity_moments *m,
    const struct cover_noise *noise);

#endif
