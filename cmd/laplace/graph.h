/*
 * graph: cost of the minimum spanning tree and weight of the minimum cut.
 *
 * [DMNS06 Section 3.2] Edge-level privacy: the nodes and which pairs of them
 * have an edge record are public, the weights in [0, 1] are private.
 * Neighbours have the same records but for the weight of one, which may be
 * any other in [0, 1].  Both answers then have sensitivity 1.
 */
#ifndef GRAPH_H
#define GRAPH_H

#include "input/ids.h"

#define GRAPH_EDGES ((size_t)1 << 26)	/* records and nodes at most */
#define GRAPH_COPIES ((uint64_t)1 << 40)

struct edge {
	uint32_t a;
	uint32_t b;
	int64_t weight;		/* grid steps, 0..unit */
	uint64_t copies;	/* that many equal parallel edges */
};

struct graph {
	int64_t unit;		/* grid steps of weight 1 */
	struct ids names;	/* of the nodes */
	struct edge *edge;
	size_t edges, room;
};

void graph_init(struct graph *g, int64_t unit);
void graph_free(struct graph *g);

/*
 * Adds an edge record.  Names are bytes; a new one is a new node, also where
 * it stands in a self loop, which otherwise plays no part.  Parallel edges
 * stay separate records.  The weight is clamped to 0..unit, copies >= 1 to
 * GRAPH_COPIES.  Beyond GRAPH_EDGES the program ends.
 */
void graph_edge(struct graph *g, struct label a, struct label b,
    int64_t weight, uint64_t copies);

/*
 * Cost of a minimum spanning tree; 0 for no node and for one.  False where the
 * graph is not connected, which depends on the public records alone.
 */
bool graph_tree(const struct graph *g, i128 *cost);

/*
 * Smallest total weight of edges whose removal separates the nodes into two
 * parts that are not empty: 0 where the graph is not connected.  False where
 * there are fewer than two nodes.
 */
bool graph_cut(const struct graph *g, i128 *weight);

#endif
