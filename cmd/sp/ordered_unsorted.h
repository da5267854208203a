/* ordered_unsorted: the inside of ordered_unsorted, for its tests. */
#ifndef ORDERED_UNSORTED_H
#define ORDERED_UNSORTED_H

#include "ordered.h"

/*
 * ordered_value for the plain mean of values in any order, where counts, sum
 * and extremes decide.  False where only the sorted data do.
 */
bool ordered_whole(const struct ordered *f, const struct totals *all,
    int64_t *value);

/* ordered_unsorted for the median or a quantile of any n > 0. */
bool ordered_edges(const struct ordered *f, const struct values *v,
    const struct totals *all, int bits, int64_t *value);

/*
 * ordered_unsorted for a trimmed mean of any n > 0; false also where the
 * preprocessing may change the mean.
 */
bool ordered_untouched(const struct ordered *f, const struct values *v,
    const struct totals *all, int bits, int64_t *value);

#endif
