/* values: records in any order, gone through in parts at once. */
#ifndef VALUES_H
#define VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "number/fixed.h"

#define VALUES_PARTS 8		/* at most */
#define VALUES_WORTH 65536	/* fewer are not worth a thread */

/* What is done with values from..to - 1, which are a part's. */
typedef void values_work(void *arg, unsigned part, size_t from, size_t to);

/*
 * x[i] stands for w[i] equal records, with w NULL for one.  at_once does the
 * work of all parts, in whatever order; NULL: one after the other.  What comes
 * out depends neither on the parts nor on their order.
 */
struct values {
	const int64_t *x;
	const uint64_t *w;
	size_t n;
	unsigned parts;		/* 1 .. VALUES_PARTS */
	void (*at_once)(const struct values *v, values_work *work, void *arg);
};

/* What is known of n > 0 values without an order. */
struct totals {
	int64_t lo, hi;
	i128 sum;
	u128 records;
};

void values_run(const struct values *v, values_work *work, void *arg);

/* The first value of a part; that of the part behind the last is n. */
size_t values_from(const struct values *v, unsigned part);

struct totals values_totals(const struct values *v);

/*
 * What is released of n records whose preprocessed function is `value', where
 * `room' is how many there are fewer than the code can count, 0 for none.
 */
int64_t values_bounded(int64_t value, int64_t center, int64_t sens,
    uint64_t room);

/*
 * Is the number of records times their range below 2^64?  So are then sums of
 * distances from the least, and 128 bits hold their squares and those of the
 * sums, times the number.
 */
bool totals_narrow(const struct totals *all);

#endif
