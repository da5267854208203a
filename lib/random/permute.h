/* permute: permute-and-flip over long runs of candidates that score alike. */
#ifndef PERMUTE_H
#define PERMUTE_H

#include "select_runs.h"

/*
 * [MS20 Algorithm 1] The candidates in uniform order, each taken with its
 * exp(-gap / t): the first one taken, exactly.  Some candidate must have gap
 * 0.  False when memory is short.
 */
bool permute_and_flip(const struct select_runs *s, struct rng *r,
    struct select_place *taken);

#endif
