/* lap_norm: sums, means and covariances of records of a bounded norm. */
#ifndef LAP_NORM_H
#define LAP_NORM_H

#include "lap.h"

/* Is there a --norm with which the noise is less?  Says so where it is not. */
bool lap_norm_pays(struct lap *l);

void lap_norm(struct lap *l);

#endif
