/* pair_mean: the pair of means of sorted u and v, as sp_values has it. */
#ifndef PAIR_MEAN_H
#define PAIR_MEAN_H

#include "sp/ordered.h"
#include "sp/pair.h"

static inline void
pair_mean(int64_t sens, struct uv center, const int64_t *u, const int64_t *v,
    size_t n, int64_t half[2])
{
	struct ordered f = { ORDERED_MEAN, { 0, 1 }, center.u, sens };
	struct uv g;

	g.u = ordered_value(&f, u, NULL, n);
	f.center = center.v;
	g.v = ordered_value(&f, v, NULL, n);
	pair_merge(g, half);
}

#endif
