/* middle: a private median of K numbers. */
#pragma once

#include "random/select_runs.h"

/*
 * A value in lo..hi for k sorted numbers within: by permute-and-flip, with the
 * weight exp(-2 L / t) where L is the open rank distance from the median.
 */
int64_t middle_draw(const int64_t *x, size_t k, int64_t lo, int64_t hi,
    struct scale t, struct rng *r);
