/* synth_round: a synthetic histogram in whole numbers.  Post-processing. */
#pragma once

#include "dx/plan/normal.h"
#include "random/rng.h"

/*
 * Counts on the grid of so many digits of about y, a number for each element of
 * the queries' universe, that add up to the sum of y.
 */
void synth_round(const struct normal *q, int digits, struct rng *r,
    const double *y, i128 *count);
