/* values: records in any order, gone through in parts at once. */
#ifndef VALUES_H
#define VALUES_H

#include "number/fixed.h"

#define VALUES_PARTS 8		/* at most */
#define VALUES_WORTH 65536	/* fewer are not worth a thread */

static inline i128
values_clamp(i128 v, i128 lo, i128 hi)
{
	return v < lo ? lo : v > hi ? hi : v;
}

/*
 * x[i] stands for w[i] equal records, with w NULL for one record.  Each part
 * has a thread; results depend neither on the parts nor on their order.
 */
struct values {
	const int64_t *x;
	const uint64_t *w;
	size_t n;
	unsigned parts;		/* 1 .. VALUES_PARTS */
};

/* Facts about n > 0 values without an order; squares are added mod 2^128. */
struct totals {
	int64_t lo, hi;
	i128 sum;
	u128 squares;
	u128 records;
};

/* A part's first value; n for the part behind the last. */
size_t values_from(const struct values *v, unsigned part);

struct totals values_totals(const struct values *v);

/*
 * The released number for n records whose preprocessed function is `value',
 * where `room' says how many more records the code can count, 0 for none.
 */
int64_t values_bounded(int64_t value, int64_t center, int64_t sens,
    uint64_t room);

/*
 * Is the number of records times their range below 2^64?  So are then sums of
 * distances from the least, and 128 bits hold the squares of distances and of
 * sums, times the number.
 */
bool totals_narrow(const struct totals *all);

#endif
