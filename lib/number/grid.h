/*
 * grid: the public decimal grid of a release, from public parameters alone.
 */
#ifndef GRID_H
#define GRID_H

#include "fixed.h"

/*
 * A grid being chosen: the coarsest one that is fine enough for every limit
 * and holds every parameter given to it.  -1 once no grid of 18 decimals
 * will do.
 */
struct grid {
	int digits;
};

#define GRID_INIT { 0 }

/* Asks for 10^-digits <= limit / parts, limit > 0. */
void grid_limit(struct grid *g, struct rational limit, uint64_t parts);

/* Asks for x to lie on the grid where it is a decimal; a fraction such as
   1/3 lies on none and is rounded by its user. */
void grid_hold(struct grid *g, struct rational x);

#endif
