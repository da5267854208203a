/* lap_unity: means and variances of a hidden number of records. */
#ifndef LAP_UNITY_H
#define LAP_UNITY_H

#include "lap.h"
#include "unity.h"

/* mean: the means; stats: count, means, variances, sd; cov: the variance. */
void lap_unity(struct lap *l);

#endif
