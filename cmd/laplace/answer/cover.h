/*
 * cover: intervals for means, variances and covariances after noisy totals.
 *
 * Intervals are computed from released and public numbers: post-processing, so
 * floating point is no danger.  cover.c proves that an interval holds the exact
 * statistic with the requested probability, or more.
 */
#pragma once

#include <math.h>

#include "random/answer/spread.h"
#include "laplace/unity.h"

struct cover {
	double lower;
	double upper;
};

/*
 * The noise of the totals, in records, and 1 - probability.  Where a sum is an
 * average over several column pairs each weight comes `times' times.
 *
 * K-norm noise (knorm.c): of the sums of z, 2 z^2 - 1 and products, and where
 * counted of the number of records, radius times R times a uniform number, R of
 * the Gamma law with this shape; else the number of records has Laplace noise,
 * or is public, scale 0.
 */
struct cover_noise {
	double scale;
	double step;		/* the noise grid's */
	double alpha;
	size_t times, pairs;
	double shape, radius;	/* shape 0: no K-norm noise */
	bool counted;
};

static inline double
cover_larger(double a, double b)
{
	return fmax(fabs(a), fabs(b));
}

/*
 * No further down than lower, no further up than upper; but all that there is
 * where nothing would be left: see cover.c.
 */
static inline void
cover_narrow(struct cover *c, double lower, double upper, struct cover all)
{
	c->lower = fmax(c->lower, lower);
	c->upper = fmin(c->upper, upper);
	if (c->lower >= c->upper)
		*c = all;
}

/* Parts of the range, 0 to 1. */
struct cover cover_mean(const struct unity_moments *m,
    const struct cover_noise *noise);

/* The mean of the law that the records were drawn from; no line. */
struct cover cover_population(const struct unity_moments *m,
    const struct cover_noise *noise);

/* A sum of noises and a normal error; blur is added for the noises' grids. */
struct cover_sum {
	struct spread_part part[PAIR_PARTS];
	size_t n;
	double normal, blur;
};

/* The error at the lower (-1) or upper (1) end of a mean on -1..1. */
struct cover_side {
	struct cover_sum error;
	double n;		/* to be divided by; 0: no records */
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

enum cover_part { COVER_MEAN, COVER_COVARIANCE, COVER_VARIANCE };

/*
 * What the 95 % error is near, times the number of records, as a part of the
 * range, or of the ranges' product: for means from the middle of the ranges, z
 * = 0, to the ends, z = 1.
 */
double cover_error95(const struct cover_noise *noise, enum cover_part part,
    double z);
