/* metric_least: the smallest distance of a universe. */
#include "metric.h"

#include <stdlib.h>

static void
lower(u128 v, size_t i, size_t j, u128 *least, struct metric_where *at,
    bool *found)
{
	if (*found && v >= *least)
		return;
	*found = true;
	*least = v;
	*at = (struct metric_where){ i, j, 0 };
}

/* Elements by their first coordinate, for a sweep. */
struct place {
	int64_t x;
	size_t i;
};

static int
by_place(const void *a, const void *b)
{
	const struct place *p = a, *q = b;

	if (p->x != q->x)
		return p->x < q->x ? -1 : 1;
	return (p->i > q->i) - (p->i < q->i);
}

/*
 * Closest pair by a sweep over the first coordinate: whoever is farther than
 * the best along it is farther altogether.
 */
static bool
least_sweep(const struct metric *m, const struct place *p, u128 *least,
    struct metric_where *at)
{
	bool found = false;
	size_t a, b;
	u128 v, gap;

	for (a = 0; a < m->n; a++)
		for (b = a + 1; b < m->n; b++) {
			gap = (u128)p[b].x - (u128)p[a].x;
			if (metric_squared(m))
				gap *= gap;
			if (found && m->bend != METRIC_BLOWFISH &&
			    gap >= *least)
				break;
			if (metric_between(m, p[a].i, p[b].i, &v))
				lower(v, p[a].i, p[b].i, least, at, &found);
			if (found && (m->bend == METRIC_BLOWFISH ||
			    *least == 0 || (m->bend == METRIC_SMOOTH &&
			    *least == m->bound)))
				return true;
		}
	return found;
}

static bool
least_pairs(const struct metric *m, u128 *least, struct metric_where *at)
{
	bool found = false;
	size_t i, j;
	u128 v;

	for (i = 0; i < m->n; i++)
		for (j = i + 1; j < m->n; j++) {
			if (metric_between(m, i, j, &v))
				lower(v, i, j, least, at, &found);
			if (m->kind <= METRIC_MAX && m->dims == 0)
				return found;	/* all alike */
		}
	return found;
}

bool
metric_least(const struct metric *m, u128 *v, struct metric_where *at)
{
	struct place *p = NULL;
	bool found = false;
	size_t i;

	for (i = 0; i < m->edges; i++)
		if (m->edge[i].w != METRIC_INF)
			lower((u128)m->edge[i].w, m->edge[i].i, m->edge[i].j,
			    v, at, &found);
	if (m->kind == METRIC_EDGES)
		return found;
	if (m->kind <= METRIC_MAX && m->dims > 0)
		p = malloc(m->n * sizeof(*p));
	if (p == NULL)
		return least_pairs(m, v, at);
	for (i = 0; i < m->n; i++)
		p[i] = (struct place){ m->x[i * m->dims], i };
	qsort(p, m->n, sizeof(*p), by_place);
	found = least_sweep(m, p, v, at);
	free(p);
	return found;
}
