/* smalldb_impl: what the sources of smalldb share. */
#ifndef SMALLDB_IMPL_H
#define SMALLDB_IMPL_H

#include "smalldb.h"

/* floor(error / t), cut at 2^62; error >= 0. */
int64_t smalldb_level(const struct scale *t, int64_t error);

/* True with probability exactly (2/e)^level. */
bool smalldb_thin(struct rng *r, int64_t level);

/* True with probability exactly exp(level - error / t) <= 1. */
bool smalldb_keep(struct rng *r, const struct scale *t, int64_t error,
    int64_t level);

/* Uniform on 0..n-1, n >= 1. */
u128 smalldb_below(struct rng *r, u128 n);

/* A uniform multiset of m of the elements first..first+n-1, rising. */
void smalldb_uniform(struct rng *r, size_t first, size_t n, size_t m,
    uint32_t *y);

#endif
