/* three_points: metrics on a universe of N = 3, for mwem and smalldb. */
#ifndef THREE_POINTS_H
#define THREE_POINTS_H

#include "dx/universe/metric.h"

#define N 3

static struct metric
line_metric(void)
{
	static int64_t x[N] = { 0, 1, 3 };

	return (struct metric){ .kind = METRIC_SUM, .n = N, .dims = 1,
	    .x = x, .unit = { 1, 2 } };
}

static struct metric
plain_metric(void)
{
	return (struct metric){ .kind = METRIC_SUM, .bend = METRIC_SMOOTH,
	    .n = N, .bound = 1, .unit = { 1, 1 } };
}

#endif
