/*
 * slope_plane: a second bound of loads, for queries that vary like a plane.
 */
#ifndef SLOPE_PLANE_H
#define SLOPE_PLANE_H

#include "slope.h"

/* Fits planes where they help. */
void slope_plane(struct slope *s);

/* Upper bound of the load between two nodes at distance d or more. */
double slope_plane_bound(const struct slope *s, const double *rate, size_t a,
    size_t b, double d);

#endif
