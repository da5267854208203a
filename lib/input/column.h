/* column: values gathered from the input, in memory. */
#ifndef COLUMN_H
#define COLUMN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "number/lattice.h"

/*
 * Values of one column and group, gathered: w is NULL where all are 1.  Where
 * many unweighted values are few numbers, rows are counted, not kept, until
 * column_settle or column_sort makes weights of the counts.
 */
struct column {
	int64_t *x;
	uint64_t *w;
	size_t n;
	size_t cap;
	size_t tried;		/* n when memory was last to be saved */
	struct lattice at;
	uint64_t *count;	/* of each place; x has what is on none */
};

/* Fewer units of weight let no sum overflow. */
#define COLUMN_WEIGHT ((uint64_t)1 << 41)

/*
 * Appends; exits with status 1 without memory.  Equal weighted values are
 * merged now and then: many shards take the room of their distinct values.
 */
void column_add(struct column *c, int64_t x, uint64_t w, bool weighted);

/* Appends n unweighted values. */
void column_append(struct column *c, const int64_t *x, size_t n);

/* No more will come: values that were counted are distinct, with weights. */
void column_settle(struct column *c);

/* The same, and sorts; weighted values are merged into distinct ones. */
void column_sort(struct column *c);

/* By how many units of weight there are fewer than COLUMN_WEIGHT, or 0. */
uint64_t column_room(const struct column *c);

void column_free(struct column *c);

#endif
