/*
 * map: a table of attributes whose neighboring values are alike, such as places
 * on a map.
 *
 * The box of all cells is cut into halves as far as records are there, and what
 * is left is counted, then cut by its noisy count and counted again.
 */
#pragma once

#include "number/fixed.h"
#include "random/noise.h"
#include "random/rng.h"

struct map {
	size_t dims, *sides;	/* attributes, and their values; set by the
				   caller: the last changes fastest */
	size_t cells;		/* of the box, and one outside, if any;
				   likewise */
	unsigned shift;		/* a record is 2^shift steps; likewise */
	double total, variance;	/* records, likewise; 0: public */
	struct scale halve;	/* of the noise of a choice to halve */
	struct scale box;	/* of the count of a box that stays */
	struct scale end;	/* of the count of each part of that */
};

/*
 * Plans the scales, where a record that comes or goes has the budget 1 / c;
 * false: a scale has too many digits.
 */
bool map_open(struct map *m, struct rational c);

/* The table y from counts x. */
void map_release(const struct map *m, const int64_t *x, struct rng *r,
    double *y);
