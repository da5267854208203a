/*
 * metric_table: full matrices: is it a metric, its closure, paths of edges.
 *
 * Guarantee: after metric_close no path is shorter than its pair, so the
 * triangle inequality holds; budgets only fall.  Paths are cut at 2^62, which
 * lowers budgets too and keeps a metric a metric; sums do not overflow.
 */
#include "metric.h"

#include <stdlib.h>

#define LONGEST (2 * METRIC_MOST)	/* as good as infinite, but finite */

/* Length of a path of two. */
static int64_t
join(int64_t a, int64_t b)
{
	uint64_t sum = (uint64_t)a + (uint64_t)b;

	if (a == METRIC_INF || b == METRIC_INF)
		return METRIC_INF;
	return sum > (uint64_t)LONGEST ? LONGEST : (int64_t)sum;
}

static bool
triangle(const struct metric *m, size_t i, size_t j, struct metric_where *at)
{
	const int64_t *a = m->w + i * m->n, *b = m->w + j * m->n;
	int64_t d = a[j];
	size_t k;

	for (k = 0; k < m->n; k++)
		if (join(a[k], b[k]) < d) {
			*at = (struct metric_where){ i, j, k };
			return false;
		}
	return true;
}

enum metric_fault
metric_check(const struct metric *m, struct metric_where *at)
{
	size_t i, j;

	for (i = 0; i < m->n; i++)
		for (j = 0; j <= i; j++) {
			*at = (struct metric_where){ j, i, 0 };
			if (i == j && m->w[i * m->n + i] != 0)
				return METRIC_DIAGONAL;
			if (m->w[i * m->n + j] != m->w[j * m->n + i])
				return METRIC_ASYMMETRIC;
		}
	for (i = 0; i < m->n; i++)
		for (j = i + 1; j < m->n; j++)
			if (!triangle(m, i, j, at))
				return METRIC_TRIANGLE;
	return METRIC_OK;
}

/* Floyd's algorithm on a symmetric table. */
static void
shortest(int64_t *w, size_t n)
{
	size_t i, j, k;
	int64_t via;

	for (k = 0; k < n; k++)
		for (i = 0; i < n; i++) {
			if (w[i * n + k] == METRIC_INF)
				continue;
			for (j = 0; j < n; j++) {
				via = join(w[i * n + k], w[k * n + j]);
				if (via < w[i * n + j])
					w[i * n + j] = via;
			}
		}
}

void
metric_close(struct metric *m)
{
	size_t n = m->n, i, j;

	for (i = 0; i < n; i++) {
		m->w[i * n + i] = 0;
		for (j = 0; j < i; j++) {
			int64_t *a = &m->w[i * n + j], *b = &m->w[j * n + i];

			if (*a < *b)
				*b = *a;
			else
				*a = *b;
		}
	}
	shortest(m->w, n);
}

static void
fill(const struct metric *m, int64_t *w)
{
	size_t n = m->n, i, j;
	u128 v;

	for (i = 0; i < n; i++)
		for (j = 0; j < n; j++)
			w[i * n + j] = i == j ? 0 :
			    !metric_between(m, i, j, &v) ? METRIC_INF :
			    v > (u128)LONGEST ? LONGEST : (int64_t)v;
	for (i = 0; i < m->edges; i++) {
		const struct edge *e = &m->edge[i];

		if (e->i != e->j && e->w < w[e->i * n + e->j])
			w[e->i * n + e->j] = w[e->j * n + e->i] = e->w;
	}
}

bool
metric_full(const struct metric *m, struct metric *out)
{
	*out = (struct metric){ .kind = METRIC_MATRIX, .n = m->n,
	    .unit = m->unit };
	if (metric_squared(m) ||
	    (m->n > 0 && m->n > SIZE_MAX / sizeof(*out->w) / m->n))
		return false;
	out->w = malloc((m->n * m->n + 1) * sizeof(*out->w));
	if (out->w == NULL)
		return false;
	fill(m, out->w);
	if (m->kind == METRIC_EDGES || m->bend == METRIC_BLOWFISH)
		shortest(out->w, m->n);
	return true;
}
