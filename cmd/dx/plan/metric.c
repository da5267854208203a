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

#include <math.h>
#include <stdlib.h>

#include "number/memory.h"
#include "number/sort.h"

bool
metric_squared(const struct metric *m)
{
	return m->kind == METRIC_EUCLID && m->bend != METRIC_BLOWFISH;
}

double
metric_real(const struct metric *m, u128 v)
{
	return metric_squared(m) ? sqrt((double)v) : (double)v;
}

/* Coordinates: sum, squared sum or maximum of the differences. */
static u128
between_points(const struct metric *m, const int64_t *a, const int64_t *b)
{
	u128 v = 0, d;

	for (size_t k = 0; k < m->dims; k++) {
		d = (u128)llabs(a[k] - b[k]);
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
	const int64_t *of_i = m->w, *of_j = m->w;
	int64_t least, most;

	if (m->kind != METRIC_ATTR) {
		of_i += i * m->dims;
		of_j += j * m->dims;
	}
	*v = 0;
	for (size_t k = 0; k < m->dims; k++) {
		if (a[k] == b[k])
			continue;
		least = FIXED_LEAST(of_i[k], of_j[k]);
		most = 0;
		if (m->kind == METRIC_VALUES)
			most = FIXED_MOST(of_i[k], of_j[k]);
		if (least == METRIC_INF || most == METRIC_INF)
			return false;
		*v = *v + (uint64_t)least + (uint64_t)most;
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
	return metric_bent(m, v);
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
		v = fixed_root(v);
	}
	for (; s >= 0; s--, v >>= 1)
		if (rational_make(&r, (i128)v, (i128)1 << s) &&
		    rational_mul(d, r, m->unit))
			return true;
	return false;
}

/* Can no pair be nearer than this? */
static bool
is_least(const struct metric *m, u128 least)
{
	return least != METRIC_NONE && (m->bend == METRIC_BLOWFISH ||
	    least == 0 || (m->bend == METRIC_SMOOTH && least == m->bound));
}

/*
 * Closest pair by a sweep over the first coordinate: points farther than the
 * best along the coordinate are farther altogether.
 */
static u128
sweep(const struct metric *m, bool apart)
{
	int64_t *x = err_alloc(NULL, m->n, sizeof(*x));
	uint64_t *at = err_alloc(NULL, m->n, sizeof(*at));
	bool points = metric_has_points(m->kind) && m->dims > 0;
	u128 v, gap, least = METRIC_NONE;

	for (size_t i = 0; i < m->n; i++) {
		at[i] = i;
		if (points)
			x[i] = m->x[i * m->dims];
	}
	sort_pairs(x, at, m->n);
	for (size_t a = 0; a < m->n && !is_least(m, least); a++)
		for (size_t b = a + 1; b < m->n && !is_least(m, least); b++) {
			gap = (u128)x[b] - (u128)x[a];
			if (metric_squared(m))
				gap *= gap;
			if (m->bend != METRIC_BLOWFISH && gap >= least)
				break;
			if (metric_between(m, at[a], at[b], &v) &&
			    v < least && (v > 0 || !apart))
				least = v;
		}
	free(x);
	free(at);
	return least;
}

bool
metric_least(const struct metric *m, bool apart, u128 *v)
{
	*v = METRIC_NONE;
	if (m->kind != METRIC_EDGES)
		*v = sweep(m, apart);
	for (size_t i = 0; i < m->edges; i++)
		if (m->edge[i].w != METRIC_INF && (u128)m->edge[i].w < *v &&
		    (m->edge[i].w > 0 || !apart))
			*v = (u128)m->edge[i].w;
	return *v != METRIC_NONE;
}

bool
metric_nearest(const struct metric *m, i128 parts, struct rational *d)
{
	struct rational away, times = { parts, 1 };
	u128 v;
	bool any = metric_least(m, false, &v);

	if (any && !metric_below(m, v, d))
		return false;
	if (m->away == 0)
		return any;
	if (!metric_below(m, m->away, &away) ||
	    !rational_mul(&away, away, times))
		return false;
	if (!any || rational_cmp(*d, away) >= 0)
		*d = away;
	return true;
}

/*
 * Full matrices.  After metric_close no path is shorter than its pair, so the
 * triangle inequality holds; budgets only fall.  Paths are cut at 2^62, which
 * lowers budgets too and keeps a metric a metric; sums do not overflow.
 */
#define LONGEST (2 * METRIC_MOST)	/* as good as infinite, but finite */

/* The length of a path of two. */
static int64_t
path_of_two(int64_t a, int64_t b)
{
	uint64_t sum = (uint64_t)a + (uint64_t)b;

	if (a == METRIC_INF || b == METRIC_INF)
		return METRIC_INF;
	return (int64_t)FIXED_LEAST(sum, (uint64_t)LONGEST);
}

/*
 * Floyd's algorithm on a symmetric table; at not NULL: stops before the first
 * change, and says where.  While nothing has changed a change is a triangle
 * that fails.
 */
static bool
shorten(int64_t *w, size_t n, struct metric_where *at)
{
	int64_t via;

	for (size_t k = 0; k < n; k++)
		for (size_t i = 0; i < n; i++) {
			if (w[i * n + k] == METRIC_INF)
				continue;
			for (size_t j = 0; j < n; j++) {
				via = path_of_two(w[i * n + k], w[k * n + j]);
				if (via >= w[i * n + j])
					continue;
				if (at != NULL) {
					*at = (struct metric_where){ i, j, k };
					return true;
				}
				w[i * n + j] = via;
			}
		}
	return false;
}

enum metric_fault
metric_check(const struct metric *m, struct metric_where *at)
{
	for (size_t i = 0; i < m->n; i++)
		for (size_t j = 0; j <= i; j++) {
			*at = (struct metric_where){ j, i, 0 };
			if (i == j && m->w[i * m->n + i] != 0)
				return METRIC_DIAGONAL;
			if (m->w[i * m->n + j] != m->w[j * m->n + i])
				return METRIC_ASYMMETRIC;
		}
	return shorten(m->w, m->n, at) ? METRIC_TRIANGLE : METRIC_OK;
}

void
metric_close(struct metric *m)
{
	size_t n = m->n;

	for (size_t i = 0; i < n; i++) {
		m->w[i * n + i] = 0;
		for (size_t j = 0; j < i; j++) {
			int64_t *a = &m->w[i * n + j], *b = &m->w[j * n + i];

			*a = FIXED_LEAST(*a, *b);
			*b = *a;
		}
	}
	(void)shorten(m->w, n, NULL);
}
