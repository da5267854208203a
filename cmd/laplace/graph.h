/*
 * graph: the minimum spanning tree's cost and the minimum cut's weight.
 *
 * [DMNS06 Section 3.2] Edge-level privacy: the nodes and the pairs with an edge
 * record are public, the weights in [0, 1] are private.  Neighbours differ in
 * one record's weight, whatever the weights in [0, 1].  Each answer then has
 * sensitivity 1.
 */
#pragma once

#include "input/ids.h"

#define GRAPH_EDGES ((size_t)1 << 26)	/* records and nodes at most */
#define GRAPH_COPIES ((uint64_t)1 << 40)

struct edge {
	uint32_t a;
	uint32_t b;
	int64_t weight;		/* grid steps, 0..unit */
	uint64_t copies;	/* number of equal parallel edges */
};

struct graph {
	int64_t unit;		/* grid steps in weight 1 */
	struct ids names;	/* the nodes' */
	struct edge *edge;
	size_t edges, room;
};

void graph_init(struct graph *g, int64_t unit);
void graph_free(struct graph *g);

/*
 * Adds an edge record.  Names are bytes; a new name is a new node, even in a
 * self loop, which plays no further part.  Parallel edges stay separate
 * records.  The weight is clamped to 0..unit, copies >= 1 to GRAPH_COPIES.
 * Beyond GRAPH_EDGES the program ends.
 */
void graph_edge(struct graph *g, struct label a, struct label b,
    int64_t weight, uint64_t copies);

/*
 * A minimum spanning tree's cost; 0 for no node and for one.  False for a graph
 * that is not connected, which the public records alone decide.
 */
bool graph_tree(const struct graph *g, i128 *cost);

/*
 * The smallest total weight of edges whose removal separates the nodes into two
 * nonempty parts: 0 where the graph is not connected.  False below two nodes.
 */
bool graph_cut(const struct graph *g, i128 *weight);
