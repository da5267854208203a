/*
 * metric: d_X metrics of [KPAK20]: the privacy budget of a pair of elements.
 *
 * Everything is an exact integer: d(i,j) = v unit, or sqrt(v) unit under a
 * Euclidean base, with v the integer "measure" from metric_between and one
 * public rational unit.  plan multiplies d by epsilon.
 */
#pragma once

#include "number/fixed.h"
#include "tool/metric_spec.h"

#define METRIC_INF INT64_MAX		/* an infinite weight */
#define METRIC_MOST ((int64_t)1 << 61)	/* finite weights and coordinates */
#define METRIC_DIMS 64
#define METRIC_NONE (~(u128)0)	/* no measure is as large */

struct metric_edge {
	size_t i;
	size_t j;
	int64_t w;
};

struct metric {
	enum metric_kind kind;
	enum metric_bend bend;
	size_t n;		/* elements */
	size_t dims;		/* coordinates or attributes of each */
	int64_t *x;		/* n x dims: coordinates or codes of values */
	int64_t *w;		/* ATTR: dims; VALUES: n x dims; MATRIX: n^2 */
	struct metric_edge *edge;
	size_t edges;
	u128 bound;		/* T as a measure */
	u128 away;		/* the absent element's distance, as a measure;
				   0: no absent element, n is public */
	struct rational unit;
};

/* Where a table fails to be a metric: rows i, j and, for a triangle, k. */
enum metric_fault {
	METRIC_OK, METRIC_DIAGONAL, METRIC_ASYMMETRIC, METRIC_TRIANGLE
};
struct metric_where {
	size_t i, j, k;
};

/* Bends a measure by the threshold; false: too far for an edge. */
static inline bool
metric_bent(const struct metric *m, u128 *v)
{
	if (m->bend == METRIC_SMOOTH && *v < m->bound)
		*v = m->bound;
	if (m->bend != METRIC_BLOWFISH)
		return true;
	if (*v > m->bound)
		return false;
	*v = 1;
	return true;
}

/*
 * The measure of a pair i != j that carries a separate constraint; false
 * without: the distance is infinite, or follows from edges (METRIC_EDGES
 * always, METRIC_BLOWFISH beyond its threshold).
 */
bool metric_between(const struct metric *m, size_t i, size_t j, u128 *v);

/* Is the measure squared? */
bool metric_squared(const struct metric *m);

/* A measure as a distance in units. */
double metric_real(const struct metric *m, u128 v);

/*
 * The measure of the smallest distance between two elements, `apart' between
 * two that are not at distance 0; false when every distance is infinite.
 * O(n^2) at worst; points are searched by a sweep.
 */
bool metric_least(const struct metric *m, bool apart, u128 *v);

/*
 * The budget to spend: a rational at most d(i,j) for measure v, and within
 * 2^-60 where the parts have room.
 */
bool metric_below(const struct metric *m, u128 v, struct rational *d);

/*
 * The budget of the smallest distance, the absent element's taken `parts`
 * times; false: every distance is infinite, or out of range.
 */
bool metric_nearest(const struct metric *m, i128 parts, struct rational *d);

/* Checks a METRIC_MATRIX: diagonal, symmetry, triangles; O(n^3). */
enum metric_fault metric_check(const struct metric *m,
    struct metric_where *at);

/*
 * Replaces a METRIC_MATRIX by its shortest paths, in either direction of a
 * pair: the largest metric below the table.
 */
void metric_close(struct metric *m);
