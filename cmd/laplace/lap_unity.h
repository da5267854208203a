/* lap_unity: means and variances of a hidden number of records. */
#ifndef LAP_UNITY_H
#define LAP_UNITY_H

#include "lap.h"
#include "unity.h"

/* UNITY_LINE: the means; UNITY_SQUARE: the count, means, variances, sd. */
void lap_unity(struct lap *l, enum unity_degree degree);

#endif
