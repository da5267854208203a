/* universe_graph: metrics of a file of edges, or of all pairs. */
#include <stdlib.h>

#include "tool/err.h"
#include "universe_impl.h"

/* Elements that a column of edges names. */
static void
edge_ends(struct universe *u, size_t side)
{
	const struct cells *names = &u->cell[u->of_metric + u->of_query];
	struct finder f;
	size_t i, at;

	finder_open(&f, names, &u->file[side], u->n);
	for (i = 0; i < u->n && side == 0; i++)
		if (f.first[f.code[i]] != i)
			die(STATUS_INPUT, "%s: records %zu and %zu have the "
			    "same name", universe_source(u),
			    f.first[f.code[i]] + 1, i + 1);
	for (i = 0; i < u->m.edges; i++) {
		at = f.first[f.code[u->n + i]];
		if (at == u->n)
			die(STATUS_INPUT, "--metric %s: record %zu names no "
			    "element of the universe", u->spec.file, i + 1);
		if (side == 0)
			u->m.edge[i].i = at;
		else
			u->m.edge[i].j = at;
	}
	finder_close(&f);
}

void
universe_graph(struct universe *u)
{
	size_t n = u->file[0].n, i;
	int64_t *w = err_alloc(NULL, n + 1, sizeof(*w));

	u->m.edge = err_alloc(NULL, n + 1, sizeof(*u->m.edge));
	u->m.edges = n;
	if (u->files == 3)
		universe_weights(u, &u->file[2], 1, w);
	for (i = 0; i < n; i++)
		u->m.edge[i] = (struct edge){ 0, 0,
		    u->files == 3 ? w[i] : 1 };
	edge_ends(u, 0);
	edge_ends(u, 1);
	for (i = n = 0; i < u->m.edges; i++)
		if (u->m.edge[i].i != u->m.edge[i].j)
			u->m.edge[n++] = u->m.edge[i];
	u->m.edges = n;
	free(w);
}

static void
say_fault(const struct universe *u, enum metric_fault fault,
    const struct metric_where *at)
{
	const char *path = u->spec.file;

	switch (fault) {
	case METRIC_OK:
		return;
	case METRIC_DIAGONAL:
		die(STATUS_INPUT, "--metric %s: row %zu: the distance to "
		    "itself is not 0", path, at->i + 1);
	case METRIC_ASYMMETRIC:
		die(STATUS_INPUT, "--metric %s: rows %zu and %zu: not "
		    "symmetric", path, at->i + 1, at->j + 1);
	case METRIC_TRIANGLE:
		die(STATUS_INPUT, "--metric %s: rows %zu, %zu and %zu: from "
		    "%zu to %zu it is farther than by way of %zu (--close "
		    "takes shortest paths)", path, at->i + 1, at->j + 1,
		    at->k + 1, at->i + 1, at->j + 1, at->k + 1);
	}
}

/* The table's cells without its header line, which is one record more. */
static struct cells *
matrix_cells(struct universe *u)
{
	bool header = false;
	struct cells *c;
	size_t *cols, k, i;

	for (;;) {
		struct table *t = universe_file(u, "--metric", u->spec.file,
		    header);

		k = table_columns(t, NULL, u->n, &cols);
		c = universe_cells(t, "--metric", u->spec.file, cols, k);
		table_close(t);
		free(cols);
		if (header || c[0].n != u->n + 1)
			break;
		for (i = 0; i < k; i++)
			cells_free(&c[i]);
		free(c);
		header = true;
	}
	if (c[0].n != u->n)
		die(STATUS_INPUT, "--metric %s: %zu rows for a universe of "
		    "%zu", u->spec.file, c[0].n, u->n);
	return c;
}

void
universe_matrix(struct universe *u)
{
	struct cells *c = matrix_cells(u);
	struct metric_where at;
	size_t i;

	u->m.w = universe_numbers(u, u->n);
	universe_weights(u, c, u->n, u->m.w);
	for (i = 0; i < u->n; i++)
		cells_free(&c[i]);
	free(c);
	if (u->close)
		metric_close(&u->m);
	say_fault(u, metric_check(&u->m, &at), &at);
}
