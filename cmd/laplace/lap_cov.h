/* lap_cov: what covariances under both relations share. */
#ifndef LAP_COV_H
#define LAP_COV_H

#include "lap_run.h"

/* Pairs a <= b of d columns, and the place of one among them, row by row. */
size_t cov_pairs(size_t d);
size_t cov_place(size_t d, size_t a, size_t b);

/* A column of a pair, or of one column of the input with itself. */
void cov_column(struct lap *l, size_t a, size_t b, const char *what,
    int digits);

/*
 * The columns of the release, with the decimals that are planned or with as
 * many as the ranges ask for.
 */
void cov_declare(struct lap *l, bool planned);

#endif
