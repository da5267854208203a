/* lap_metric: the mean of laplace under a metric on its columns. */
#ifndef LAP_METRIC_H
#define LAP_METRIC_H

#include "lap.h"

/* Columns of the metric, once the header is known. */
void lap_metric_columns(struct lap *l);

/*
 * The l1 sensitivity of the sums for each unit of distance; 0 where the ranges
 * decide.  False where it does not fit.
 */
bool lap_metric_sens(const struct lap *l, struct rational *sens);

#endif
