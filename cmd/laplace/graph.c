/*
 * graph: nodes by name, edge records, minimum spanning tree.
 *
 * [DMNS06 Section 3.2] The cost of a minimum spanning tree is a minimum over
 * spanning trees, a public family; in each tree a record's weight occurs at
 * most once.  Changing one weight by d <= 1 changes every tree's cost by at
 * most d and so the minimum: sensitivity 1.  (With copies of an edge, one
 * tree holds at most one of them.)  The sets of nodes and of pairs must be
 * public: an absent edge is no edge of weight 0 for a tree, and removing a
 * bridge leaves no tree at all.
 *
 * Kruskal's algorithm: the records by weight, each taken when it joins two
 * trees.  Which of several equal weights comes first does not change the cost.
 */
#include "graph.h"

#include <stdlib.h>
#include <string.h>

#include "number/sort.h"

void
graph_init(struct graph *g, int64_t unit)
{
	*g = (struct graph){ .unit = unit };
}

void
graph_free(struct graph *g)
{
	free(g->edge);
	free(g->name);
	free(g->text);
	free(g->slot);
	graph_init(g, g->unit);
}

/* Room for `need` elements, doubling; returns the block or NULL. */
static void *
grow(void *block, size_t *room, size_t need, size_t size)
{
	size_t more = *room < 16 ? 16 : *room;

	if (need <= *room)
		return block;
	while (more < need)
		more *= 2;
	block = realloc(block, more * size);
	if (block != NULL)
		*room = more;
	return block;
}

static size_t
hash(const char *s, size_t n)
{
	uint64_t h = 14695981039346656037u;

	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)s[i]) * 1099511628211u;
	return (size_t)(h ^ h >> 32);
}

static bool
same(const struct graph *g, uint32_t node, const char *s, size_t n)
{
	size_t at = g->name[node];

	return g->name[node + 1] - at == n &&
	    (n == 0 || memcmp(g->text + at, s, n) == 0);
}

/* The slot of name s, or the free one where it belongs. */
static uint32_t *
find(const struct graph *g, const char *s, size_t n)
{
	size_t i = hash(s, n) & (g->slots - 1);

	while (g->slot[i] != 0 && !same(g, g->slot[i] - 1, s, n))
		i = (i + 1) & (g->slots - 1);
	return &g->slot[i];
}

/* Keeps the hash table at most half full. */
static bool
rehash(struct graph *g)
{
	size_t slots = g->slots == 0 ? 64 : g->slots * 2;
	uint32_t *slot;

	if (g->slots >= 2 * (g->nodes + 1))
		return true;
	slot = calloc(slots, sizeof(*slot));
	if (slot == NULL)
		return false;
	free(g->slot);
	g->slot = slot;
	g->slots = slots;
	for (size_t i = 0; i < g->nodes; i++)
		*find(g, g->text + g->name[i], g->name[i + 1] - g->name[i]) =
		    (uint32_t)i + 1;
	return true;
}

static enum graph_result
add_node(struct graph *g, const char *s, size_t n, uint32_t *slot)
{
	size_t end = g->nodes == 0 ? 0 : g->name[g->nodes];
	void *p;

	p = grow(g->name, &g->name_room, g->nodes + 2, sizeof(*g->name));
	if (p == NULL)
		return GRAPH_MEMORY;
	g->name = p;
	p = grow(g->text, &g->text_room, end + n + 1, 1);
	if (p == NULL)
		return GRAPH_MEMORY;
	g->text = p;
	if (n > 0)
		memcpy(g->text + end, s, n);
	g->name[g->nodes] = end;
	g->name[++g->nodes] = end + n;
	*slot = (uint32_t)g->nodes;
	return GRAPH_OK;
}

static enum graph_result
intern(struct graph *g, const char *s, size_t n, uint32_t *node)
{
	uint32_t *slot;
	enum graph_result result = GRAPH_OK;

	if (!rehash(g))
		return GRAPH_MEMORY;
	slot = find(g, s, n);
	if (*slot == 0)
		result = g->nodes == GRAPH_EDGES ? GRAPH_SIZE
		    : add_node(g, s, n, slot);
	*node = *slot - 1;
	return result;
}

enum graph_result
graph_edge(struct graph *g, const char *a, size_t a_len, const char *b,
    size_t b_len, int64_t weight, uint64_t copies)
{
	struct edge e = { .weight = fixed_clamp(weight, 0, g->unit),
	    .copies = copies < GRAPH_COPIES ? copies : GRAPH_COPIES };
	enum graph_result result = intern(g, a, a_len, &e.a);
	void *p;

	if (result == GRAPH_OK)
		result = intern(g, b, b_len, &e.b);
	if (result != GRAPH_OK)
		return result;
	if (g->edges == GRAPH_EDGES)
		return GRAPH_SIZE;
	p = grow(g->edge, &g->edge_room, g->edges + 1, sizeof(e));
	if (p == NULL)
		return GRAPH_MEMORY;
	g->edge = p;
	g->edge[g->edges++] = e;
	return GRAPH_OK;
}

uint32_t
graph_root(uint32_t *parent, uint32_t i)
{
	while (parent[i] != i) {
		parent[i] = parent[parent[i]];
		i = parent[i];
	}
	return i;
}

bool
graph_join(uint32_t *parent, uint32_t a, uint32_t b)
{
	a = graph_root(parent, a);
	b = graph_root(parent, b);
	parent[a] = b;
	return a != b;
}

static enum graph_result
kruskal(const struct graph *g, const uint64_t *order, uint32_t *parent,
    i128 *cost)
{
	size_t joined = 0;
	i128 sum = 0;

	for (size_t i = 0; i < g->nodes; i++)
		parent[i] = (uint32_t)i;
	for (size_t i = 0; i < g->edges; i++) {
		const struct edge *e = &g->edge[order[i]];

		if (graph_join(parent, e->a, e->b)) {
			sum += e->weight;
			joined++;
		}
	}
	if (joined + 1 < g->nodes)
		return GRAPH_APART;
	*cost = sum;
	return GRAPH_OK;
}

/* [DMNS06 Section 3.2] */
enum graph_result
graph_tree(const struct graph *g, i128 *cost)
{
	enum graph_result result = GRAPH_MEMORY;
	int64_t *weight = malloc((g->edges + 1) * sizeof(*weight));
	uint64_t *order = malloc((g->edges + 1) * sizeof(*order));
	uint32_t *parent = malloc((g->nodes + 1) * sizeof(*parent));

	if (weight != NULL && order != NULL && parent != NULL) {
		for (size_t i = 0; i < g->edges; i++) {
			weight[i] = g->edge[i].weight;
			order[i] = i;
		}
		if (sort_pairs(weight, order, g->edges))
			result = kruskal(g, order, parent, cost);
	}
	free(weight);
	free(order);
	free(parent);
	return result;
}
