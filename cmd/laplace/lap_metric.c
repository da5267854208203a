/*
 * lap_metric: the mean of laplace under a metric on its columns.
 *
 * [KPAK20 Theorem 10, Definition 10] A record changed from u to v moves the
 * sums by |u - v|_1 and may cost E d(u,v), so Laplace noise, scale c / E, on
 * each sum is enough where |u - v|_1 <= c d(u,v) for all u, v.  With K columns
 * |u - v|_1 is at most g(K) times the base distance b,
 *
 *	manhattan: g = 1    euclid: g = sqrt(K)    max: g = K
 *
 * so c = g under d = b; T under d = |u - v| / T; g T under d = max(1, b/T), and
 * under a threshold too, as each step moves b by at most T and costs 1.  The
 * ranges bound the need there.  Distances are between values on the cell grid:
 * if not, rounding two values apart would be free of charge.
 */
#include "lap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tool/err.h"

#define ROOTS 1000000000	/* 1/g's denominator for a square root */

void
lap_metric_check(struct lap *l)
{
	const struct opts *o = &l->opts;
	struct metric_spec *s = &l->args.spec;

	if (l->args.metric == NULL)
		return;
	if (!metric_parse(l->args.metric, s))
		err_die(STATUS_USAGE, "--metric '%s' %s", l->args.metric,
		    s->wrong);
	OPTS_REFUSE(
		{ opts_given(o, OPT_NEIGHBORS) &&
		    o->neighbors != NEIGHBORS_SWAP, "a metric says how far "
		    "two records are: neighbors is swap only" },
		{ !metric_has_points(s->kind), "mean takes metrics of numbers: "
		    "discrete, manhattan, euclid, max, step, smooth, blowfish "
		    "(see dx-laplace for others)" });
}

void
lap_metric_columns(struct lap *l)
{
	const struct metric_spec *s = &l->args.spec;
	size_t *cols, n;

	if (l->args.metric == NULL || s->columns == NULL)
		return;
	n = table_columns(l->in.table, s->columns, &cols);
	OPTS_REFUSE(
		{ n != l->in.k || memcmp(cols, l->in.cols, n * sizeof(*cols)) !=
		    0, "--metric and -c name different columns" },
		{ s->step && n != 1, "--metric step: takes one column" });
	free(cols);
}

/* sqrt(k), rounded up to the grid of ROOTS. */
static bool
root(size_t k, struct rational *g)
{
	i128 square = (i128)k * ROOTS * ROOTS;
	i128 r = (i128)sqrtl((long double)square);

	while (r * r < square)
		r++;
	while ((r - 1) * (r - 1) >= square)
		r--;
	return rational_make(g, r, ROOTS);
}

/* The largest distance of d columns, each of which moves by 1 at most. */
static bool
largest(enum metric_kind kind, size_t d, struct rational *c)
{
	if (kind == METRIC_EUCLID)
		return root(d, c);
	return rational_make(c, kind == METRIC_MAX ? (i128)d : 1, 1);
}

/*
 * c is the l1 norm beside the base distance, times T where T counts.  Under
 * distances of at least 1 the ranges are a bound: their widths.
 */
bool
lap_metric_sens(const struct lap *l, struct rational *sens)
{
	const struct metric_spec *s = &l->args.spec;
	struct rational c, width, most = { 0, 1 };

	*sens = most;
	if (l->args.metric == NULL)
		return true;
	for (size_t i = 0; i < l->plan.d; i++)
		if (!lap_width(l, i, &width) ||
		    !rational_add(&most, most, width))
			return false;
	if (s->columns == NULL)
		return true;
	if (!largest(s->kind, l->plan.d, &c))
		return false;
	if ((s->bend != METRIC_PLAIN || s->step) &&
	    !rational_mul(&c, c, s->t))
		return false;
	if (s->bend == METRIC_PLAIN || rational_cmp(c, most) < 0)
		*sens = c;
	return true;
}
