/*
 * graph: the global minimum cut.
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
#include <stdlib.h>

#include "graph.h"

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
			graph_join(w->parent, u, a.to);
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
		if (graph_root(w->parent, i) == i)
			w->label[i] = n++;
	for (size_t e = 0; e < w->edges; e++) {
		uint32_t a = w->label[graph_root(w->parent, w->from[e])];
		uint32_t b = w->label[graph_root(w->parent, w->to[e])];

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
release(struct work *w)
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
		release(&w);
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
	release(&w);
	*weight = (i128)w.best;
	return GRAPH_OK;
}
