/*
 * laplace_sum: the law of a sum of independent Laplace noises, for reports and
 * intervals: public, and no draw depends on the law.
 */
#ifndef LAPLACE_SUM_H
#define LAPLACE_SUM_H

#include <stddef.h>

/*
 * An x with P[|sum_i scale_i L_i| > x] <= tail, 0 < tail < 1, for independent
 * L_i with density e^-|x| / 2; the smallest up to a part in 10^6 for a tail of
 * 10^-4 and more, a bound below 10^-6.  Sorts the scales, which are not
 * negative.
 */
double laplace_sum_reach(double *scale, size_t n, double tail);

#endif
