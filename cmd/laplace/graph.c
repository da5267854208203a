/*
 * graph: nodes by name, edge records, minimum spanning tree.
 *
 * [DMNS06 Section 3.2] The cost of a minimum spanning tree is a minimum over
 * spanning trees, a public family; in each tree a record's weight occurs at
 * most once.  Changing one weight by d <= 1 changes every tree's cost by at
 * most d and so the minimum: sensitivity 1. (With copies of an edge, a tree
 * holds at most one copy.) The sets of nodes and pairs must be public: to a
 * tree an absent edge is not an edge of weight 0, and without a bridge there is
 * no tree at all.
 *
 * Kruskal's algorithm: the records by weight, each taken when it joins two
 * trees.  The order among equal weights does not change the cost.
 */
#include "graph.h"

#include <stdlib.h>

#include "number/sort.h"
#include "tool/err.h"

void
graph_init(struct graph *g, int64_t unit)
{
	*g = (struct graph){ .unit = unit };
	ids_open_public(&g->names);
}

void
graph_free(struct graph *g)
{
	ids_close(&g->names);
	free(g->edge);
}

void
graph_edge(struct graph *g, struct label a, struct label b, int64_t weight,
    uint64_t copies)
{
	g->edge = err_grow(g->edge, g->edges, &g->room, sizeof(*g->edge));
	g->edge[g->edges++] = (struct edge){ ids_name(&g->names, a) - 1,
	    ids_name(&g->names, b) - 1, fixed_clamp(weight, 0, g->unit),
	    FIXED_LEAST(copies, GRAPH_COPIES) };
	if (g->edges > GRAPH_EDGES || g->names.n > GRAPH_EDGES)
		err_die(STATUS_INPUT, "more than 2^26 edges or nodes");
}

/* The root of node i in a forest of parents. */
static uint32_t
root(uint32_t *parent, uint32_t i)
{
	while (parent[i] != i) {
		parent[i] = parent[parent[i]];
		i = parent[i];
	}
	return i;
}

/* Joins two nodes' trees; were the trees distinct? */
static bool
join(uint32_t *parent, uint32_t a, uint32_t b)
{
	a = root(parent, a);
	b = root(parent, b);
	parent[a] = b;
	return a != b;
}

/* [DMNS06 Section 3.2] */
bool
graph_tree(const struct graph *g, i128 *cost)
{
	int64_t *weight = err_alloc(NULL, g->edges + 1, sizeof(*weight));
	uint64_t *order = err_alloc(NULL, g->edges + 1, sizeof(*order));
	size_t trees = g->names.n;
	uint32_t *parent = err_alloc(NULL, trees + 1, sizeof(*parent));
	i128 sum = 0;

	for (uint32_t i = 0; i < trees; i++)
		parent[i] = i;
	for (size_t i = 0; i < g->edges; i++) {
		weight[i] = g->edge[i].weight;
		order[i] = i;
	}
	sort_pairs(weight, order, g->edges);
	for (size_t i = 0; i < g->edges; i++) {
		const struct edge *e = &g->edge[order[i]];

		if (join(parent, e->a, e->b)) {
			sum += e->weight;
			trees--;
		}
	}
	free(weight);
	free(order);
	free(parent);
	if (trees <= 1)
		*cost = sum;
	return trees <= 1;
}

/*
 * The global minimum cut.
 *
 * [DMNS06 Section 3.2] The weight of a cut is a sum over the edges across, each
 * once; changing one weight by d <= 1 changes every cut by at most d and so the
 * minimum: sensitivity 1.  Here an absent edge counts as weight 0, so a public
 * set of nodes is enough.
 *
 * Stoer and Wagner's maximum adjacency order, with every contraction that
 * Nagamochi, Ono and Ibaraki read off the order.  The order starts anywhere and
 * goes on with the node of largest adjacency r(v), the weight between v and the
 * nodes before.  When v's edge e from the scanned node u raises r(v), the new
 * r(v) is at most the connectivity of u and v [NI92]: no cut below r(v)
 * separates the two.  So if r(v) >= best, where best is the weight of some cut,
 * u and v may become one node without losing a cut below best.  Cuts seen for
 * `best`: single nodes and the prefixes of the order.  The last node's r is the
 * node's degree, >= best, so each round merges at least two nodes and there are
 * at most n - 1 rounds (few, in practice) of O(m log m).
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

/* A node left, with the nodes joined into this node. */
struct node {
	size_t first;		/* the node's arcs, up to the next node's
				   first */
	u128 degree, near;	/* near: r(v) */
	bool done;
	uint32_t label;		/* in the next round */
};

/* An edge left. */
struct link {
	uint32_t end[2];
	u128 weight;
};

/* Scratch for the rounds. */
struct work {
	uint32_t n;		/* nodes left */
	struct node *node;
	struct link *link;
	size_t links;
	struct arc *arc;
	uint32_t *parent;
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

static uint32_t
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
	return top.node;
}

/* Arcs, degrees and single nodes' cuts from the edges left. */
static void
graph_prepare(struct work *w)
{
	for (uint32_t i = 0; i <= w->n; i++) {
		w->node[i] = (struct node){ 0 };
		w->parent[i] = i;
	}
	for (size_t e = 0; e < w->links; e++)
		for (int i = 0; i < 2; i++) {
			struct node *v = &w->node[w->link[e].end[i]];

			v->first++;
			v->degree += w->link[e].weight;
		}
	for (uint32_t i = 1; i <= w->n; i++)
		w->node[i].first += w->node[i - 1].first;
	for (size_t e = 0; e < w->links; e++)
		for (int i = 0; i < 2; i++)
			w->arc[--w->node[w->link[e].end[i]].first] =
			    (struct arc){ w->link[e].end[1 - i],
			    w->link[e].weight };
	for (uint32_t i = 0; i < w->n; i++)
		if (w->node[i].degree < w->best)
			w->best = w->node[i].degree;
}

static void
scan(struct work *w, uint32_t u)
{
	w->node[u].done = true;
	for (size_t i = w->node[u].first; i < w->node[u + 1].first; i++) {
		struct arc a = w->arc[i];
		struct node *v = &w->node[a.to];

		if (v->done)
			continue;
		v->near += a.weight;
		if (v->near >= w->best)
			join(w->parent, u, a.to);
		push(w, v->near, a.to);
	}
}

/* One maximum adjacency order from node 0; unreached nodes: a cut of 0. */
static void
order(struct work *w)
{
	u128 across = w->node[0].degree;
	uint32_t seen = 1;

	w->heaped = 0;
	scan(w, 0);
	while (w->heaped > 0) {
		uint32_t u = pop(w);

		if (w->node[u].done)
			continue;
		if (across < w->best)
			w->best = across;
		across += w->node[u].degree - 2 * w->node[u].near;
		scan(w, u);
		seen++;
	}
	if (seen < w->n)
		w->best = 0;
}

/* Merges joined nodes and drops self loops. */
static void
contract(struct work *w)
{
	uint32_t n = 0;
	size_t kept = 0;

	for (uint32_t i = 0; i < w->n; i++)
		if (root(w->parent, i) == i)
			w->node[i].label = n++;
	for (size_t e = 0; e < w->links; e++) {
		struct link x = w->link[e];

		for (int i = 0; i < 2; i++)
			x.end[i] = w->node[root(w->parent, x.end[i])].label;
		if (x.end[0] != x.end[1])
			w->link[kept++] = x;
	}
	w->links = kept;
	w->n = n;
}

/* [DMNS06 Section 3.2] */
bool
graph_cut(const struct graph *g, i128 *weight)
{
	size_t n = g->names.n, m = g->edges;
	struct work w = { .n = (uint32_t)n, .best = ~(u128)0 };

	if (n < 2)
		return false;
	w.node = err_alloc(NULL, n + 1, sizeof(*w.node));
	w.link = err_alloc(NULL, m + 1, sizeof(*w.link));
	w.arc = err_alloc(NULL, 2 * m + 1, sizeof(*w.arc));
	w.heap = err_alloc(NULL, m + 1, sizeof(*w.heap));
	w.parent = err_alloc(NULL, n + 1, sizeof(*w.parent));
	for (size_t e = 0; e < m; e++) {
		const struct edge *x = &g->edge[e];

		if (x->a != x->b)
			w.link[w.links++] = (struct link){ { x->a, x->b },
			    (u128)x->weight * x->copies };
	}
	while (w.n > 1 && w.best > 0) {
		graph_prepare(&w);
		order(&w);
		contract(&w);
	}
	free(w.node);
	free(w.link);
	free(w.arc);
	free(w.heap);
	free(w.parent);
	*weight = (i128)w.best;
	return true;
}
