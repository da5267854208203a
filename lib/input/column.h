/* column: values gathered from the input, in memory. */
#ifndef COLUMN_H
#define COLUMN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Values of one column and group, gathered: w is NULL where all are 1. */
struct column {
	int64_t *x;
	uint64_t *w;
	size_t n;
	size_t cap;
	size_t merged;		/* n after the last merge on the way */
	int64_t lo;		/* column_range: the least value, */
	size_t steps;		/* and how many there may be; 0: many */
	uint64_t *count;	/* of each; then x has nothing */
};

/* Fewer units of weight let no sum overflow. */
#define COLUMN_WEIGHT ((uint64_t)1 << 41)

/*
 * Says of an empty column that all its values lie in lo..hi.  Where there are
 * few such values, more rows than these are counted, not kept.
 */
void column_range(struct column *c, int64_t lo, int64_t hi);

/*
 * Appends; exits with status 1 without memory.  Equal weighted values are
 * merged now and then: many shards take the room of their distinct values.
 */
void column_add(struct column *c, int64_t x, uint64_t w, bool weighted);

/* Appends n unweighted values. */
void column_append(struct column *c, const int64_t *x, size_t n);

/*
 * Sorts, on up to this many threads; weighted values are merged into distinct
 * ones, and those that were counted are such.
 */
void column_sort(struct column *c, unsigned threads);

/* By how many units of weight there are fewer than COLUMN_WEIGHT, or 0. */
uint64_t column_room(const struct column *c);

void column_free(struct column *c);

#endif
