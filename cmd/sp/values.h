/* values: what records in any order tell of their preprocessed functions. */
#pragma once

#include "number/fixed.h"

static inline i128
values_clamp(i128 v, i128 lo, i128 hi)
{
	return FIXED_MOST(lo, FIXED_LEAST(v, hi));
}

/* Facts about values without an order, added mod 2^128; 0 at first. */
struct totals {
	int64_t lo, hi;
	u128 sum;
	u128 squares;
	u128 records;
};

/* x[i] stands for w[i] >= 1 equal records, with w NULL for one record. */
void totals_add(struct totals *t, const int64_t *x, const uint64_t *w,
    size_t n);

/*
 * The released number for n records whose preprocessed function is `value',
 * where `room' says how many more records the code can count, 0 for none.
 */
int64_t values_bounded(int64_t value, int64_t center, int64_t sens,
    uint64_t room);
