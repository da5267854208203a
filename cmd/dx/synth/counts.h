/* counts: counts with noise, and the table that they make.  Post-processing. */
#pragma once

#include "random/noise.h"
#include "random/rng.h"

/*
 * A count with noise, without r or a scale itself, cut at 2^50; and the noise's
 * variance.  x and t are in parts of 2^-shift of a record, the results in
 * records.
 */
double counts_noisy(int64_t x, const struct scale *t, unsigned shift,
    struct rng *r);
double counts_variance(const struct scale *t, unsigned shift);

/*
 * The best total by its look so far and by the sum of h, which has the variance
 * `all'; the total's variance 0: public.  Returns the sum.
 */
double counts_look(const double *h, size_t n, double all, double *total,
    double *variance);

/* The nearest table in squares without a negative count, of this sum. */
void counts_project(double *h, size_t n, double total);
