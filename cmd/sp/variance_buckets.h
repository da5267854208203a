/* variance_buckets: the inside of variance_unsorted, for its tests. */
#ifndef VARIANCE_BUCKETS_H
#define VARIANCE_BUCKETS_H

#include "variance.h"

/* Where the extremes decide. */
bool variance_whole(const struct variance *f, const struct totals *all,
    int64_t *value);

/*
 * Where counts decide: for any n, with 2^bits buckets and at most `most'
 * values gathered at once; rounds: how often buckets were opened.
 */
bool variance_count(const struct variance *f, const struct values *v,
    const struct totals *all, int bits, size_t most, int64_t *value,
    int *rounds);

#endif
