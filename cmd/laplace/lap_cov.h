/* lap_cov: what covariances under both relations share. */
#ifndef LAP_COV_H
#define LAP_COV_H

#include "lap_run.h"

/* Pairs a <= b of d columns, and the place of one among them, row by row. */
size_t cov_pairs(size_t d);
size_t cov_place(size_t d, size_t a, size_t b);

/* The columns of the release; pair i is printed with digits[i] decimals. */
void cov_declare(struct lap *l, const int *digits);

/* The same with as many decimals as the ranges ask for, which are returned and
   which the caller frees. */
int *cov_declare_ranges(struct lap *l);

/* cov of several columns under add-remove. */
void cov_unity(struct lap *l);

#endif
