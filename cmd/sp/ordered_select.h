/* ordered_select: the inside of ordered_median, for its tests. */
#ifndef ORDERED_SELECT_H
#define ORDERED_SELECT_H

#include "ordered.h"

/* ordered_median with 2^bits buckets for any n. */
bool ordered_select(const struct ordered *f, int64_t *x, size_t n, int bits,
    int64_t *value);

#endif
