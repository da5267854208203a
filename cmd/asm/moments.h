/* moments: exact arithmetic on sums of squares, for variances. */
#ifndef MOMENTS_H
#define MOMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "number/fixed.h"

/* |x|, x^2 and a * b (mod 2^256). */
u128 moments_size(i128 x);
struct wide moments_square(i128 x);
struct wide moments_times(struct wide a, uint64_t b);

/* a / d / e rounded down or up, cut to 2^126; 0 < d, e < 2^127. */
u128 moments_divide(struct wide a, u128 d, u128 e, bool up);

/*
 * The sum of squared distances from the mean, for k >= 1 values with this sum
 * and this sum of squares, over unit, rounded down or up, cut to 2^126.
 */
u128 moments_spread(uint64_t k, struct wide squares, i128 sum, u128 unit,
    bool up);

#endif
