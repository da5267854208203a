/*
 * graph: names, edges of the definition, results.
 */
#include "../../cmd/laplace/graph.c"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "random/rng.h"

#define UNIT 100

static void
add(struct graph *g, const char *a, const char *b, int64_t weight)
{
	graph_edge(g, (struct label){ a, strlen(a) }, (struct label){ b,
	    strlen(b) }, weight, 1);
}

Test(graph, weights_are_clamped_and_parallel_edges_are_their_own)
{
	struct graph g;
	i128 v;

	graph_init(&g, UNIT);
	add(&g, "a", "b", 5 * UNIT);
	add(&g, "b", "a", 30);
	add(&g, "a", "b", -9);
	cr_assert(graph_cut(&g, &v) && v == UNIT + 30);
	cr_assert(graph_tree(&g, &v) && v == 0);
	graph_edge(&g, (struct label){ "a", 1 }, (struct label){ "b", 1 },
	    2, 1000);
	cr_assert(graph_cut(&g, &v) && v == UNIT + 30 + 2000);
	graph_free(&g);
}

Test(graph, heaviest_weights_do_not_wrap)
{
	struct graph g;
	i128 v;
	int64_t unit = fixed_pow10(18);

	graph_init(&g, unit);
	for (int i = 0; i < 100; i++)
		graph_edge(&g, (struct label){ "a", 1 }, (struct label){ "b",
	    1 }, INT64_MAX, UINT64_MAX);
	cr_assert(graph_cut(&g, &v));
	cr_assert(v == (i128)100 * unit * (i128)GRAPH_COPIES);
	graph_free(&g);
}

/* Whatever has been taken between, the heaviest of those left is next. */
Test(graph, nodes_are_taken_from_the_heap_by_weight)
{
	struct entry heap[40];
	u128 key[40];
	struct rng r;

	rng_seeded(&r, 1, "heap");
	for (int run = 0; run < 500; run++) {
		struct work w = { .heap = heap };
		size_t left = 0, best;
		uint32_t node;

		for (int i = 0; i < 120; i++) {
			if (left < 40 && (left == 0 || rng_below(&r, 3) > 0)) {
				key[left] = rng_below(&r, 1 + (uint64_t)run);
				push(&w, key[left], (uint32_t)key[left]);
				left++;
				continue;
			}
			node = pop(&w);
			best = 0;
			for (size_t k = 1; k < left; k++)
				best = key[k] > key[best] ? k : best;
			cr_assert(node == key[best]);
			key[best] = key[--left];
		}
	}
}
