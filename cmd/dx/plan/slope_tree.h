/*
 * slope_tree: a k-d tree over the universe.
 */
#pragma once

#include "metric.h"
#include "number/fixed.h"
#include "slope.h"

/* Builds the tree. */
void slope_build(struct slope *s);

/*
 * A lower bound for the measure between two nodes' elements; false when every
 * such pair is free of constraints.
 */
bool slope_gap(const struct slope *s, size_t a, size_t b, u128 *v);

/* An upper bound for |q_ki - q_kj| between two nodes. */
static inline int64_t
slope_span(const struct slope *s, size_t a, size_t b, size_t k)
{
	const int64_t *p = s->span + 2 * (a * s->k + k);
	const int64_t *r = s->span + 2 * (b * s->k + k);
	int64_t up = p[1] - r[0], down = r[1] - p[0];

	return FIXED_MOST(up, down);
}
