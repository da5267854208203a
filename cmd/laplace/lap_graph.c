/*
 * lap_graph: the operations mst and mincut of laplace.
 *
 * [DMNS06 Section 3.2] Edge-level privacy; see graph.h.  The names, and the
 * pairs with a record, are public, so errors there are reported.
 */
#include <stdlib.h>
#include <string.h>

#include "graph.h"
#include "lap.h"
#include "tool/err.h"

static void
lap_graph_take(void *arg, size_t group, const int64_t *x, uint64_t w)
{
	const struct lap *l = arg;
	struct graph *graph = *(struct graph **)l->own;
	const struct cell *c = l->in.cells;

	if (c[0].missing || c[1].missing)
		err_die(STATUS_INPUT, "record %llu: a node has no name",
		    (unsigned long long)l->in.records);
	graph_edge(&graph[group], (struct label){ c[0].text, c[0].len },
	    (struct label){ c[1].text, c[1].len }, x[2], w);
}

static bool
lap_graph_plan(struct lap_plan *p)
{
	struct lap_noise *n;

	lap_room(p, 1);
	n = p->noise;
	n->digits = lap_scale_digits(p, (struct rational){ 1, 1 }, LAP_MANY);
	n->cell = lap_cell_digits(p, n->digits);
	for (; n->digits >= 0 && n->cell >= n->digits; n->cell--)
		if (lap_noise(p, 0, (u128)fixed_pow10(n->cell)))
			return true;
	return false;
}

/* The node columns, which -c lists before the weight column. */
static void
lap_graph_start(struct lap *l)
{
	const char *list = l->opts.columns != NULL ? l->opts.columns : "1,2";
	const char *end = names_end(list);

	if (*end == ',')
		end = names_end(end + 1);
	l->report.fixed = err_copy(list, (size_t)(end - list));
	report_note(&l->report, "privacy", "of the weight of each edge; nodes "
	    "and edges are public");
}

static void
lap_graph_opened(struct lap *l)
{
	struct graph **graph = l->own;
	int cell = l->plan.noise->cell;

	for (size_t i = 0; i < 2; i++)
		if (table_same(l->in.table, l->in.cols[i], l->in.cols[2]))
			err_die(STATUS_USAGE, "one column is not both public "
			    "nodes and private weights (-c)");
	intake_grid(&l->in, cell);
	*graph = err_alloc(NULL, l->in.groups, sizeof(**graph));
	for (size_t g = 0; g < l->in.groups; g++)
		graph_init(&(*graph)[g], fixed_pow10(cell));
}

static void
lap_graph_ask(struct lap *l)
{
	struct graph *graph = *(struct graph **)l->own;
	bool tree = strcmp(l->plan.op->name, "mst") == 0;
	i128 x;

	for (size_t g = 0; g < l->in.groups; g++) {
		if (tree && !graph_tree(&graph[g], &x))
			err_die(STATUS_INPUT, "the graph is not connected: it "
			    "has no spanning tree");
		if (!tree && !graph_cut(&graph[g], &x))
			err_die(STATUS_INPUT, "fewer than two nodes: there is "
			    "no cut");
		total_add(&l->total[g], x, 1);
		graph_free(&graph[g]);
	}
	free(graph);
}

const struct lap_way lap_graph = {
	.start = lap_graph_start, .open = lap_graph_opened,
	.ask = lap_graph_ask, .declare = lap_counts,
	.own = sizeof(struct graph *), .body = { &(const struct lap_body){
	    .plan = lap_graph_plan, .take = lap_graph_take } }
};
