/* metrics: of n elements on a line, all alike, and with none near. */
#ifndef LAWS_METRICS_H
#define LAWS_METRICS_H

#include "dx/plan/metric.h"

#define METRICS_MOST 130	/* elements */

/* At n places `step' apart, 2, 3 ... of these, of a third each. */
static inline struct metric
metrics_line(size_t n, int step)
{
	static int64_t x[METRICS_MOST];

	for (int i = 0; i < METRICS_MOST; i++)
		x[i] = step * i * (i + 1) / 2;
	return (struct metric){ .kind = METRIC_SUM, .n = n, .dims = 1, .x = x,
	    .unit = { 1, 3 } };
}

static inline struct metric
metrics_plain(size_t n)
{
	return (struct metric){ .kind = METRIC_SUM, .bend = METRIC_SMOOTH,
	    .n = n, .bound = 1, .unit = { 1, 1 } };
}

/* No two elements are near: a record comes or goes, at distance 1. */
static inline struct metric
metrics_hidden(size_t n)
{
	return (struct metric){ .kind = METRIC_EDGES, .n = n, .away = 1,
	    .unit = { 1, 1 } };
}

#endif
