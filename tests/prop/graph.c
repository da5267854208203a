/*
 * graph: against all trees and all cuts.  [DMNS06 Section 3.2] The least of
 * sums of weights moves by no more than a weight does.
 */
#include "laplace/graph.h"

#include "samples.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#define NODES 12

struct list {
	size_t nodes;
	size_t edges;
	struct edge edge[64];
};

static struct label
name(char text[8], uint32_t node)
{
	return (struct label){ text, (size_t)sprintf(text, "n%u", node) };
}

typedef bool solver(const struct graph *g, i128 *weight);

/* The tree or cut; -1: none.  All nodes are named first, in a self loop. */
static i128
solve(const struct list *l, int64_t unit, solver *of)
{
	struct graph g;
	i128 weight = -1;
	char a[8], b[8];

	graph_init(&g, unit);
	for (uint32_t i = 0; i < l->nodes; i++)
		graph_edge(&g, name(a, i), name(b, i), unit, 1);
	for (size_t i = 0; i < l->edges; i++)
		graph_edge(&g, name(a, l->edge[i].a), name(b, l->edge[i].b),
		    l->edge[i].weight, l->edge[i].copies);
	cr_assert_eq(g.names.n, l->nodes);
	cr_assert(of(&g, &weight) == (weight >= 0));
	graph_free(&g);
	return weight;
}

/* The cheapest of the sets of edges that connect all nodes; -1: none. */
static i128
oracle_tree(const struct list *l)
{
	i128 best = -1;

	for (unsigned set = 0; set < 1u << l->edges; set++) {
		unsigned reached = 1, before = 0;
		i128 cost = 0;

		for (size_t i = 0; i < l->edges; i++)
			if (set >> i & 1)
				cost += l->edge[i].weight;
		while (reached != before) {
			before = reached;
			for (size_t i = 0; i < l->edges; i++) {
				unsigned ends = 1u << l->edge[i].a |
				    1u << l->edge[i].b;

				if ((set >> i & 1) && (reached & ends))
					reached |= ends;
			}
		}
		if (reached == (1u << l->nodes) - 1 &&
		    (best < 0 || cost < best))
			best = cost;
	}
	return best;
}

static i128
oracle_cut(const struct list *l)
{
	i128 best = -1;

	for (unsigned side = 1; side < (1u << l->nodes) - 1; side++) {
		i128 weight = 0;

		for (size_t i = 0; i < l->edges; i++) {
			const struct edge *e = &l->edge[i];

			if ((side >> e->a ^ side >> e->b) & 1)
				weight += (i128)e->weight * e->copies;
		}
		if (best < 0 || weight < best)
			best = weight;
	}
	return best;
}

static void
random_list(struct list *l, uint64_t *state, size_t nodes, size_t edges,
    int64_t top)
{
	l->nodes = nodes;
	l->edges = edges;
	for (size_t i = 0; i < edges; i++) {
		l->edge[i].a = (uint32_t)(random_word(state) % nodes);
		l->edge[i].b = (uint32_t)(random_word(state) % nodes);
		l->edge[i].weight = (int64_t)(random_word(state) %
		    (uint64_t)(top + 1));
		l->edge[i].copies = 1;
	}
}

/* Parallel edges, loops, zero weights and pieces all occur. */
Test(graph, tree_is_the_cheapest_of_all)
{
	uint64_t state = 5;
	struct list l;

	for (int i = 0; i < 1500; i++) {
		size_t nodes = 1 + random_word(&state) % 6;

		random_list(&l, &state, nodes, random_word(&state) % 11,
		    i % 2 ? 3 : 1000);
		cr_assert(solve(&l, 1000, graph_tree) == oracle_tree(&l),
		    "graph %d", i);
	}
}

Test(graph, cut_is_the_lightest_of_all)
{
	uint64_t state = 6;
	struct list l;

	for (int i = 0; i < 3000; i++) {
		size_t nodes = 2 + random_word(&state) % (NODES - 2);

		random_list(&l, &state, nodes, random_word(&state) % 64,
		    i % 3 == 0 ? 1 : i % 3 == 1 ? 4 : 100000);
		for (size_t k = 0; k < l.edges; k++)
			l.edge[k].copies = i % 5 ? 1 :
			    1 + random_word(&state) % 3;
		cr_assert(solve(&l, 100000, graph_cut) == oracle_cut(&l),
		    "graph %d", i);
	}
}
