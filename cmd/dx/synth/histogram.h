/* histogram: a table from noisy counts of all cells. */
#ifndef HISTOGRAM_H
#define HISTOGRAM_H

#include "dx/universe/workload.h"

/*
 * Fits a table y of `total` records to counts h that have noise of the given
 * standard deviation, with the queries of the workload in mind.  h is changed.
 * Looks at nothing but h and public things: post-processing.  False without
 * memory.
 */
bool histogram_fit(const struct workload *w, uint64_t total, int64_t *h,
    double deviation, double *y);

/*
 * The error that a query's answer by such counts has in the root mean square,
 * as a part of the query's width: the mean over all queries, and the largest.
 * Negative without memory.
 */
struct normal;
double histogram_error(const struct normal *q, double deviation,
    double *most);

#endif
