/*
 * smalldb_groups: elements in a tree, alike ones together.
 *
 * A group is split at the middle of the query that is widest in it, so that
 * the answers of a group's records are known the better the deeper it lies.
 */
#include "smalldb_groups.h"

#include <stdlib.h>

/* Bounds of a group's coefficients; returns the widest query. */
static size_t
measure(const struct smalldb *s, const struct groups *g, struct cluster *p)
{
	size_t widest = 0;

	p->width = 0;
	for (size_t k = 0; k < s->k; k++) {
		p->lo[k] = INT64_MAX;
		p->hi[k] = INT64_MIN;
	}
	for (size_t i = p->first; i < p->first + p->n; i++) {
		const int64_t *q = s->q + g->order[i] * s->k;

		for (size_t k = 0; k < s->k; k++) {
			p->lo[k] = q[k] < p->lo[k] ? q[k] : p->lo[k];
			p->hi[k] = q[k] > p->hi[k] ? q[k] : p->hi[k];
		}
	}
	for (size_t k = 0; k < s->k; k++)
		if (p->hi[k] - p->lo[k] > p->width) {
			p->width = p->hi[k] - p->lo[k];
			widest = k;
		}
	return widest;
}

/* Elements with small coefficients first; returns how many they are. */
static size_t
partition(const struct smalldb *s, struct groups *g, const struct cluster *p,
    size_t k)
{
	int64_t middle = p->lo[k] + (p->hi[k] - p->lo[k]) / 2;
	uint32_t *e = g->order + p->first, x;
	size_t small = 0;

	for (size_t i = 0; i < p->n; i++)
		if (s->q[e[i] * s->k + k] <= middle) {
			x = e[small];
			e[small++] = e[i];
			e[i] = x;
		}
	return small;
}

static void
add(struct groups *g, const struct smalldb *s, size_t first, size_t n)
{
	struct cluster *p = &g->group[g->groups];

	*p = (struct cluster){ .first = first, .n = n };
	p->lo = g->bounds + g->groups++ * 2 * s->k;
	p->hi = p->lo + s->k;
}

bool
groups_open(struct groups *g, const struct smalldb *s)
{
	size_t most = 2 * s->n, small, k;

	g->group = malloc(most * sizeof(*g->group));
	g->order = calloc(s->n, sizeof(*g->order));
	g->bounds = calloc(most * s->k * 2 + 1, sizeof(*g->bounds));
	if (g->group == NULL || g->order == NULL || g->bounds == NULL)
		return false;
	for (size_t i = 0; i < s->n; i++)
		g->order[i] = (uint32_t)i;
	g->groups = 0;
	add(g, s, 0, s->n);
	for (size_t i = 0; i < g->groups; i++) {
		struct cluster *p = &g->group[i];

		k = measure(s, g, p);
		if (p->width == 0)
			continue;
		small = partition(s, g, p, k);
		p->left = (uint32_t)g->groups;
		add(g, s, p->first, small);
		add(g, s, p->first + small, p->n - small);
	}
	return true;
}

void
groups_close(struct groups *g)
{
	free(g->group);
	free(g->order);
	free(g->bounds);
}

size_t
groups_split(const struct groups *g, struct held *held, size_t n,
    uint32_t group, uint32_t left)
{
	uint32_t first = g->group[group].left, right;
	size_t at = 0;

	while (held[at].group != group)
		at++;
	right = held[at].records - left;
	held[at] = held[--n];
	if (left > 0)
		held[n++] = (struct held){ first, left };
	if (right > 0)
		held[n++] = (struct held){ first + 1, right };
	return n;
}

size_t
groups_widest(const struct groups *g, const struct held *held, size_t n)
{
	size_t best = n;
	i128 open, most = 0;

	for (size_t i = 0; i < n; i++) {
		open = (i128)g->group[held[i].group].width * held[i].records;
		if (open > most) {
			most = open;
			best = i;
		}
	}
	return best;
}
