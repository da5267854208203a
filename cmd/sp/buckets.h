/*
 * buckets: values in any order, counted in buckets in order.
 *
 * Decisions about sorted data often do not depend on the order within a bucket;
 * where a decision does, the bucket is opened.
 */
#ifndef BUCKETS_H
#define BUCKETS_H

#include "values.h"

#define BUCKETS_BITS 12		/* bits in the number of buckets laid at once */
#define BUCKETS_LEVELS 16

/*
 * Records from lo to hi, and the sum over x - base; base is the smallest value
 * in the data.
 */
struct bucket {
	int64_t lo, hi;
	uint64_t records;
	size_t lines;		/* values x[i]: records but for weights */
	u128 sum;
};

/* Equal parts of lo..hi. */
struct level {
	int64_t lo, hi;
	int shift;
	size_t count;
	unsigned char *state;	/* for each part, while values are gathered */
};

/* The records, each in one bucket: no bucket is empty, lo and hi ascend. */
struct buckets {
	const struct values *v;
	int64_t base;
	bool narrow;		/* totals_narrow */
	int bits;
	size_t most;		/* most lines gathered at once */
	struct bucket *bucket;
	size_t n;
	struct level level[BUCKETS_LEVELS];	/* each within the last */
	size_t levels;
};

/* A bucket with one value, nothing to open. */
static inline bool
bucket_is_single(const struct bucket *b)
{
	return b->lo == b->hi;
}

/* About 2^bits buckets. */
void buckets_lay(struct buckets *b, const struct values *v,
    const struct totals *all, int bits);

/* Is an answer known?  If not, sets open[i] for buckets to be opened. */
typedef bool buckets_look(void *arg, const struct buckets *b, bool *open);

/*
 * Looks, at most `rounds' times, until an answer is known.  Between two looks
 * the open buckets with several values give place to smaller buckets, with one
 * value each if the values are few.  False if opening does not pay, or nothing
 * is left to open; *rounds is the number of looks.  Frees the buckets.
 */
bool buckets_search(struct buckets *b, buckets_look *look, void *arg,
    int *rounds);

#endif
