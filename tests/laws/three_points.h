/* three_points: metrics on a universe of N = 3, for mwem and smalldb. */
#ifndef THREE_POINTS_H
#define THREE_POINTS_H

#include "dx/universe/metric.h"

#define N 3

static struct metric
line_metric(void)
{
	static int64_t x[N] = { 0, 4, 12 };

	return (struct metric){ .kind = METRIC_SUM, .n = N, .dims = 1,
	    .x = x, .unit = { 1, 8 } };
}

/* No two elements are near: a record comes or goes, at distance 1. */
static struct metric
absent_metric(void)
{
	return (struct metric){ .kind = METRIC_EDGES, .n = N, .away = 1,
	    .unit = { 1, 1 } };
}

static struct metric
plain_metric(void)
{
	return (struct metric){ .kind = METRIC_SUM, .bend = METRIC_SMOOTH,
	    .n = N, .bound = 1, .unit = { 1, 1 } };
}

#endif
