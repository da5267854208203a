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

#include "number/hash.h"
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
	size_t i = hash_slot(s, n) & (g->slots - 1);

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

/* Root of node i in a forest of parents. */
static uint32_t
root(uint32_t *parent, uint32_t i)
{
	while (parent[i] != i) {
		parent[i] = parent[parent[i]];
		i = parent[i];
	}
	return i;
}

/* Makes two nodes' trees one; were they two? */
static bool
join(uint32_t *parent, uint32_t a, uint32_t b)
{
	a = root(parent, a);
	b = root(parent, b);
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

		if (join(parent, e->a, e->b)) {
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

/*
 * The global minimum cut.
 *
 * [DMNS06 Section 3.2] The weight of a cut is a sum over the edges across it,
 * each once; changing one weight by d <= 1 changes every cut by at most d and
 * so the minimum: sensitivity 1.  Here an absent edge is the same as one of
 * weight 0, so it is enough that the set of nodes is public.
 *
 * Stoer and Wagner's maximum adjacency order, with all the contractions that
 * Nagamochi, Ono and Ibaraki read off it.  The order starts anywhere and goes
 * on with the node of largest adjacency r(v), the weight between v and those
 * before it.  When v's edge e from the scanned node u raises r(v), the new
 * r(v) is at most the connectivity of u and v [NI92]: no cut below r(v)
 * separates them.  So if r(v) >= best, where best is the weight of some cut,
 * u and v may become one node without losing a cut below best.  Cuts seen for
 * `best`: single nodes and the prefixes of the order.  The last node's r is
 * its degree, which is >= best, so each round merges at least two nodes and
 * there are at most n - 1 rounds (few, in practice) of O(m log m).
 *
 * Widths: a weight is at most 10^18 < 2^60, copies 2^40, edges 2^26.
 */

struct arc {
	uint32_t to;
	u128 weight;
};

struct entry {
	u128 key;
	uint32_t node;
};

/* Scratch of all rounds; arcs of node i are first[i]..first[i+1]. */
struct work {
	uint32_t n;		/* nodes left */
	uint32_t *from;		/* both ends of the edges left */
	uint32_t *to;
	u128 *weight;
	size_t edges;
	size_t *first;
	struct arc *arc;
	u128 *degree;
	u128 *near;		/* r(v) */
	bool *done;
	uint32_t *parent;
	uint32_t *label;
	struct entry *heap;
	size_t heaped;
	u128 best;
};

static void
push(struct work *w, u128 key, uint32_t node)
{
	size_t i = w->heaped++;

	while (i > 0 && w->heap[(i - 1) / 2].key < key) {
		w->heap[i] = w->heap[(i - 1) / 2];
		i = (i - 1) / 2;
	}
	w->heap[i] = (struct entry){ key, node };
}

static struct entry
pop(struct work *w)
{
	struct entry top = w->heap[0], last = w->heap[--w->heaped];
	size_t i = 0, next;

	while ((next = 2 * i + 1) < w->heaped) {
		if (next + 1 < w->heaped &&
		    w->heap[next + 1].key > w->heap[next].key)
			next++;
		if (w->heap[next].key <= last.key)
			break;
		w->heap[i] = w->heap[next];
		i = next;
	}
	w->heap[i] = last;
	return top;
}

/* Arcs, degrees and the single nodes' cuts from the list of edges left. */
static void
prepare(struct work *w)
{
	for (uint32_t i = 0; i <= w->n; i++)
		w->first[i] = 0;
	for (uint32_t i = 0; i < w->n; i++) {
		w->degree[i] = w->near[i] = 0;
		w->done[i] = false;
		w->parent[i] = i;
	}
	for (size_t e = 0; e < w->edges; e++) {
		w->first[w->from[e]]++;
		w->first[w->to[e]]++;
		w->degree[w->from[e]] += w->weight[e];
		w->degree[w->to[e]] += w->weight[e];
	}
	for (uint32_t i = 1; i <= w->n; i++)
		w->first[i] += w->first[i - 1];
	for (size_t e = 0; e < w->edges; e++) {
		w->arc[--w->first[w->from[e]]] =
		    (struct arc){ w->to[e], w->weight[e] };
		w->arc[--w->first[w->to[e]]] =
		    (struct arc){ w->from[e], w->weight[e] };
	}
	for (uint32_t i = 0; i < w->n; i++)
		if (w->degree[i] < w->best)
			w->best = w->degree[i];
}

static void
scan(struct work *w, uint32_t u)
{
	w->done[u] = true;
	for (size_t i = w->first[u]; i < w->first[u + 1]; i++) {
		struct arc a = w->arc[i];

		if (w->done[a.to])
			continue;
		w->near[a.to] += a.weight;
		if (w->near[a.to] >= w->best)
			join(w->parent, u, a.to);
		push(w, w->near[a.to], a.to);
	}
}

/* One maximum adjacency order from node 0; what it cannot reach: a cut of 0. */
static void
order(struct work *w)
{
	u128 across = w->degree[0];
	uint32_t seen = 1;

	w->heaped = 0;
	scan(w, 0);
	while (w->heaped > 0) {
		struct entry e = pop(w);

		if (w->done[e.node])
			continue;
		if (across < w->best)
			w->best = across;
		across = across + w->degree[e.node] - 2 * w->near[e.node];
		scan(w, e.node);
		seen++;
	}
	if (seen < w->n)
		w->best = 0;
}

/* Makes joined nodes one and drops what became a self loop. */
static void
contract(struct work *w)
{
	uint32_t n = 0;
	size_t kept = 0;

	for (uint32_t i = 0; i < w->n; i++)
		if (root(w->parent, i) == i)
			w->label[i] = n++;
	for (size_t e = 0; e < w->edges; e++) {
		uint32_t a = w->label[root(w->parent, w->from[e])];
		uint32_t b = w->label[root(w->parent, w->to[e])];

		if (a == b)
			continue;
		w->from[kept] = a;
		w->to[kept] = b;
		w->weight[kept++] = w->weight[e];
	}
	w->edges = kept;
	w->n = n;
}

static void
free_work(struct work *w)
{
	free(w->from);
	free(w->to);
	free(w->weight);
	free(w->first);
	free(w->arc);
	free(w->degree);
	free(w->near);
	free(w->done);
	free(w->parent);
	free(w->label);
	free(w->heap);
}

static bool
allocate(struct work *w, size_t n, size_t m)
{
	w->from = malloc((m + 1) * sizeof(*w->from));
	w->to = malloc((m + 1) * sizeof(*w->to));
	w->weight = malloc((m + 1) * sizeof(*w->weight));
	w->first = malloc((n + 1) * sizeof(*w->first));
	w->arc = malloc((2 * m + 1) * sizeof(*w->arc));
	w->degree = malloc(n * sizeof(*w->degree));
	w->near = malloc(n * sizeof(*w->near));
	w->done = malloc(n * sizeof(*w->done));
	w->parent = malloc(n * sizeof(*w->parent));
	w->label = malloc(n * sizeof(*w->label));
	w->heap = malloc((m + 1) * sizeof(*w->heap));
	return w->from != NULL && w->to != NULL && w->weight != NULL &&
	    w->first != NULL && w->arc != NULL && w->degree != NULL &&
	    w->near != NULL && w->done != NULL && w->parent != NULL &&
	    w->label != NULL && w->heap != NULL;
}

/* [DMNS06 Section 3.2] */
enum graph_result
graph_cut(const struct graph *g, i128 *weight)
{
	struct work w = { .n = (uint32_t)g->nodes, .best = ~(u128)0 };

	if (g->nodes < 2)
		return GRAPH_SMALL;
	if (!allocate(&w, g->nodes, g->edges)) {
		free_work(&w);
		return GRAPH_MEMORY;
	}
	for (size_t e = 0; e < g->edges; e++) {
		if (g->edge[e].a == g->edge[e].b)
			continue;
		w.from[w.edges] = g->edge[e].a;
		w.to[w.edges] = g->edge[e].b;
		w.weight[w.edges++] = (u128)g->edge[e].weight *
		    g->edge[e].copies;
	}
	while (w.n > 1 && w.best > 0) {
		prepare(&w);
		order(&w);
		contract(&w);
	}
	free_work(&w);
	*weight = (i128)w.best;
	return GRAPH_OK;
}
