/*
 * cover: intervals for means, variances and covariances behind noisy totals.
 *
 * Intervals are computed from released and public numbers: post-processing, so
 * floating point is no danger.  cover.c proves that an interval holds the exact
 * statistic with the requested probability, or more.
 */
#ifndef COVER_H
#define COVER_H

#include <math.h>

#include "unity.h"

struct cover {
	double lower;
	double upper;
};

/*
 * The noise of the totals, in records, and 1 - probability.  Where a sum is an
 * average over several column pairs each weight comes `times' times.
 */
struct cover_noise {
	double scale;
	double step;		/* the noise grid's */
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
 * PAIR_PARTS weights, each times `times' separate Laplace(1), and a normal
 * variable with this deviation.
 */
double cover_spread(const double *weight, size_t n, size_t times,
    double normal, double alpha);

/* cover_spread for the average of n Laplace(1). */
double cover_average(size_t n, double alpha);

/* Parts of the range, 0 to 1, for this many noisy totals. */
struct cover cover_mean(const struct unity_moments *m, size_t totals,
    const struct cover_noise *noise);

/* The mean of the law that the records were drawn from; degree UNITY_SQUARE. */
struct cover cover_population(const struct unity_moments *m,
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
 * For cells on -1..1: the variance of column 0, where the sums may be averages
 * over noise->pairs column pairs, each weight three times; the covariance, with
 * one pair's sums.
 */
struct cover cover_variance(const struct unity_moments *m,
    const struct cover_noise *noise);
struct cover cover_covariance(const struct unity_moments *m,
    const struct cover_noise *noise);

#endif
