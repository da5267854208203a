/*
 * lap_graph: the operations mst and mincut of laplace.
 *
 * [DMNS06 Section 3.2] Edge-level privacy; see graph.h.  The names, and which
 * pairs have a record, are public, so errors there are reported.
 */
#include <stdlib.h>
#include <string.h>

#include "graph.h"
#include "lap_run.h"
#include "tool/err.h"

struct graphs {
	struct lap *l;
	struct graph *list;	/* one for each group */
};

static void
take(void *arg, size_t group, const int64_t *x, uint64_t w)
{
	struct graphs *g = arg;
	const struct cell *c = g->l->in.cells;

	if (c[0].missing || c[1].missing)
		die(STATUS_INPUT, "record %llu: a node has no name",
		    (unsigned long long)g->l->in.records);
	graph_edge(&g->list[group], (struct label){ c[0].text, c[0].len },
	    (struct label){ c[1].text, c[1].len }, x[2], w);
}

static bool
plan(struct lap *l)
{
	struct lap_noise *n;

	lap_room(l, 1);
	n = l->plan.noise;
	n->digits = lap_scale_digits(l, (struct rational){ 1, 1 }, LAP_MANY);
	n->cell = n->digits + LAP_FINER;
	if (n->cell > FIXED_DIGITS)
		n->cell = FIXED_DIGITS;
	for (; n->digits >= 0 && n->cell >= n->digits; n->cell--)
		if (lap_noise(l, 0, (u128)fixed_pow10(n->cell), 1))
			return true;
	return false;
}

/* The columns of the nodes, as -c lists them before that of the weight. */
static void
name_nodes(struct lap *l)
{
	const char *list = l->opts.columns != NULL ? l->opts.columns : "1,2";
	const char *p = list;
	unsigned commas = 0;
	bool quoted = false;

	for (; *p != '\0'; p++) {
		quoted = quoted != (*p == '"');
		commas += *p == ',' && !quoted;
		if (commas == 2)
			break;
	}
	l->args.node_columns = err_copy(list, (size_t)(p - list));
	l->report.fixed = l->args.node_columns;
}

static void
run(struct lap *l, bool (*value)(const struct graph *, i128 *),
    const char *without)
{
	struct graphs g = { .l = l };
	size_t groups;
	int cell;

	name_nodes(l);
	report_note(&l->report, "privacy", "of the weight of each edge; nodes "
	    "and edges are public");
	lap_settle(l, plan);
	cell = l->plan.noise->cell;
	lap_prepare(l);
	lap_open(l, NULL);
	if (l->in.cols[2] == l->in.cols[0] || l->in.cols[2] == l->in.cols[1])
		die(STATUS_USAGE, "one column is not both public nodes and "
		    "private weights (-c)");
	intake_grid(&l->in, cell);
	lap_values(l);
	groups = l->in.groups;
	g.list = err_alloc(NULL, groups, sizeof(*g.list));
	for (size_t i = 0; i < groups; i++)
		graph_init(&g.list[i], fixed_pow10(cell));
	intake_read(&l->in, take, &g);
	for (size_t i = 0; i < groups; i++) {
		if (!value(&g.list[i], &l->value[i]))
			die(STATUS_INPUT, "%s", without);
		graph_free(&g.list[i]);
	}
	free(g.list);
	lap_begin(l);
	release_answer(&l->out, NULL, l->op->name, l->report.digits);
	lap_header(l);
	lap_write(l);
}

void
lap_tree(struct lap *l)
{
	run(l, graph_tree, "the graph is not connected: it has no spanning "
	    "tree");
}

void
lap_cut(struct lap *l)
{
	run(l, graph_cut, "fewer than two nodes: there is no cut");
}
