/* column: values gathered from the input, in memory. */
#pragma once

#include "number/lattice.h"

/*
 * A column's values in one group: w is NULL where every weight is 1.  Where
 * many values are few numbers, rows are counted, not kept, until
 * column_sort turns counts into weights.
 */
struct column {
	int64_t *x;
	uint64_t *w;
	size_t n;
	size_t cap;
	size_t tried;		/* n at the last try to count rows, */
	size_t worth;		/* and from which on merging is tried */
	struct lattice at;
	uint64_t *count;	/* one for each place; x keeps values without
				   a place */
};

/* With fewer units of weight no sum overflows. */
#define COLUMN_WEIGHT ((uint64_t)1 << 41)

/* Appends; exits with status 1 if memory is short. */
void column_add(struct column *c, int64_t x, uint64_t w, bool weighted);

/* Appends n unweighted values. */
void column_append(struct column *c, const int64_t *x, size_t n);

/*
 * Sorts, once all values have come.  Equal values with weights are merged, and
 * counted values have weights from then on.
 */
void column_sort(struct column *c);

/* How many units of weight are missing to COLUMN_WEIGHT, or 0. */
uint64_t column_room(const struct column *c);

void column_free(struct column *c);
