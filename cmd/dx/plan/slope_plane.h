/*
 * slope_plane: a second bound for loads, for queries that vary like a plane.
 */
#ifndef SLOPE_PLANE_H
#define SLOPE_PLANE_H

#include "slope.h"

/* Fits planes where they help. */
void slope_plane(struct slope *s);

/* An upper bound for the load between two nodes at distance d or more. */
double slope_plane_bound(const struct slope *s, const double *rate, size_t a,
    size_t b, double d);

#endif
