/*
 * metric: d_X metrics of [KPAK20], evaluated as exact integers.
 *
 * Guarantee: metric_between is a metric on the universe once its paths are
 * taken (edges, blowfish): sums and maxima of |x - y| and [x != y] are; so
 * is max(T, b) off the diagonal, as max(T, b(i,j)) <= max(T, b(i,k)) +
 * max(T, b(k,j)); and a minimum of weights on an attribute of two values is
 * a metric on two points.  A table is checked.
 *
 * Hazards: |x| <= 2^61 / sqrt(dims) by its builder, so that a difference
 * fits 63 bits and a sum of squares 126; weights are at most 2^61 and dims
 * at most 64, so their sums fit 128 bits.
 */
#include "metric.h"

#include <stdlib.h>

bool
metric_squared(const struct metric *m)
{
	return m->kind == METRIC_EUCLID && m->bend != METRIC_BLOWFISH;
}

static u128
distance(int64_t a, int64_t b)
{
	return a > b ? (u128)(a - b) : (u128)(b - a);
}

/* Coordinates: sum, squared sum or maximum of the differences. */
static u128
between_points(const struct metric *m, const int64_t *a, const int64_t *b)
{
	u128 v = 0, d;
	size_t k;

	for (k = 0; k < m->dims; k++) {
		d = distance(a[k], b[k]);
		if (m->kind == METRIC_SUM)
			v += d;
		else if (m->kind == METRIC_EUCLID)
			v += d * d;
		else if (d > v)
			v = d;
	}
	return v;
}

static bool
between_values(const struct metric *m, size_t i, size_t j, u128 *v)
{
	const int64_t *a = m->x + i * m->dims, *b = m->x + j * m->dims;
	const int64_t *u, *w;
	size_t k;

	*v = 0;
	for (k = 0; k < m->dims; k++) {
		if (a[k] == b[k])
			continue;
		if (m->kind == METRIC_ATTR) {
			u = w = &m->w[k];
		} else {
			u = &m->w[i * m->dims + k];
			w = &m->w[j * m->dims + k];
			if (*w > *u) {
				const int64_t *t = u;

				u = w;
				w = t;
			}
		}
		/* *w is the smaller: alone it makes a minimum infinite */
		if (*w == METRIC_INF ||
		    (m->kind == METRIC_VALUES && *u == METRIC_INF))
			return false;
		*v = *v + (uint64_t)*w;
		if (m->kind == METRIC_VALUES)
			*v = *v + (uint64_t)*u;
	}
	return true;
}

bool
metric_between(const struct metric *m, size_t i, size_t j, u128 *v)
{
	switch (m->kind) {
	case METRIC_SUM:
	case METRIC_EUCLID:
	case METRIC_MAX:
		*v = between_points(m, m->x + i * m->dims,
		    m->x + j * m->dims);
		break;
	case METRIC_ATTR:
	case METRIC_VALUES:
	case METRIC_VALUES_MIN:
		if (!between_values(m, i, j, v))
			return false;
		break;
	case METRIC_EDGES:
		return false;
	case METRIC_MATRIX:
		if (m->w[i * m->n + j] == METRIC_INF)
			return false;
		*v = (u128)m->w[i * m->n + j];
		break;
	}
	if (m->bend == METRIC_SMOOTH && *v < m->bound)
		*v = m->bound;
	if (m->bend == METRIC_BLOWFISH) {
		if (*v > m->bound)
			return false;
		*v = 1;
	}
	return true;
}

/* Floor of the square root, bit by bit. */
static u128
root(u128 v)
{
	u128 r = 0, bit = (u128)1 << 126;

	while (bit > v)
		bit >>= 2;
	for (; bit != 0; bit >>= 2) {
		if (v >= r + bit) {
			v -= r + bit;
			r = (r >> 1) + bit;
		} else
			r >>= 1;
	}
	return r;
}

/*
 * floor(sqrt(v 4^s)) / 2^s is at most sqrt(v) and has 61 bits at least.  Bits
 * are cut from either where the product with the unit has no room.
 */
bool
metric_below(const struct metric *m, u128 v, struct rational *d)
{
	struct rational r;
	int s = 0;

	if (metric_squared(m)) {
		while (v != 0 && v < (u128)1 << 122) {
			v <<= 2;
			s++;
		}
		v = root(v);
	}
	for (; s >= 0; s--, v >>= 1)
		if (rational_make(&r, (i128)v, (i128)1 << s) &&
		    rational_mul(d, r, m->unit))
			return true;
	return false;
}

void
metric_free(struct metric *m)
{
	free(m->x);
	free(m->w);
	free(m->edge);
	*m = (struct metric){ .unit = { 1, 1 } };
}
