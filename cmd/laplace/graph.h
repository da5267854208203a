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

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "number/fixed.h"

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
	size_t nodes;
	size_t edges;
	struct edge *edge;
	size_t edge_room;
	size_t *name;		/* name i: name[i]..name[i+1] of text */
	size_t name_room;
	char *text;
	size_t text_room;
	uint32_t *slot;		/* hash table of node + 1, 0 is free */
	size_t slots;
};

enum graph_result {
	GRAPH_OK,
	GRAPH_MEMORY,
	GRAPH_SIZE,		/* more than GRAPH_EDGES records or nodes */
	GRAPH_APART,		/* no spanning tree: not connected */
	GRAPH_SMALL		/* no cut: fewer than two nodes */
};

void graph_init(struct graph *g, int64_t unit);
void graph_free(struct graph *g);

/*
 * Adds an edge record.  Names are bytes; a new one is a new node, also where
 * it stands in a self loop, which otherwise plays no part.  Parallel edges
 * stay separate records.  The weight is clamped to 0..unit, copies >= 1 to
 * GRAPH_COPIES.
 */
enum graph_result graph_edge(struct graph *g, const char *a, size_t a_len,
    const char *b, size_t b_len, int64_t weight, uint64_t copies);

/*
 * Cost of a minimum spanning tree; 0 for no node and for one.  GRAPH_APART
 * depends on the public records alone.
 */
enum graph_result graph_tree(const struct graph *g, i128 *cost);

/*
 * Smallest total weight of edges whose removal separates the nodes into two
 * parts that are not empty: 0 where the graph is not connected.
 */
enum graph_result graph_cut(const struct graph *g, i128 *weight);

#endif
