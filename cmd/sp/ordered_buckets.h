/* ordered_buckets: the inside of ordered_counted, for its tests. */
#ifndef ORDERED_BUCKETS_H
#define ORDERED_BUCKETS_H

#include "ordered.h"

/*
 * ordered_counted for any n, with 2^bits buckets and at most `most' values
 * gathered at once; rounds: how often buckets were opened.
 */
bool ordered_count(const struct ordered *f, const struct values *v,
    const struct totals *all, int bits, size_t most, int64_t *value,
    int *rounds);

/* ordered_counted for the median or a quantile of any n > 0. */
bool ordered_edges(const struct ordered *f, const struct values *v,
    const struct totals *all, int bits, int64_t *value);

#endif
