/* lap_cov: the columns of covariances. */
#ifndef LAP_COV_H
#define LAP_COV_H

#include "lap_run.h"

/* A column for each pair a <= b, with the decimals that the ranges ask for. */
void cov_declare(struct lap *l);

#endif
