/*
 * buckets: values in any order, counted in buckets that are in order.
 *
 * What is to be decided about sorted data often does not depend on the order
 * within a bucket; where it does, the bucket is opened.
 */
#ifndef BUCKETS_H
#define BUCKETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "number/fixed.h"
#include "values.h"

#define BUCKETS_BITS 12		/* of the number of buckets laid at once */
#define BUCKETS_LEVELS 4

/*
 * Records from lo to hi, and sums over x - base and its square; base is the
 * smallest value of all.  The squares are right where 128 bits hold them.
 */
struct bucket {
	int64_t lo, hi;
	uint64_t records;
	size_t lines;		/* values x[i]: records but for weights */
	u128 sum;
	u128 squares;
};

/* Equal parts of lo..hi. */
struct level {
	int64_t lo, hi;
	int shift;
	size_t count;
	unsigned char *state;	/* of each part, while values are gathered */
};

/* All records, each in one bucket: none is empty, lo and hi ascend. */
struct buckets {
	const struct values *v;
	int64_t base;
	bool narrow;		/* totals_narrow */
	int bits;
	size_t most;		/* lines that are gathered at once at most */
	struct bucket *bucket;
	size_t n;
	struct level level[BUCKETS_LEVELS];	/* each within the one before */
	size_t levels;
};

/* A bucket of one value, with nothing to open. */
static inline bool
bucket_is_single(const struct bucket *b)
{
	return b->lo == b->hi;
}

/* About 2^bits buckets; false without memory. */
bool buckets_lay(struct buckets *b, const struct values *v,
    const struct totals *all, int bits);

/*
 * The buckets i with open[i] that have several values give place to smaller
 * ones, of one value each where these are few.  False where this is not worth
 * the while, without memory, or where there is nothing to open.
 */
bool buckets_open(struct buckets *b, const bool *open);

void buckets_free(struct buckets *b);

#endif
