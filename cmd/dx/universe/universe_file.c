/*
 * universe_file: metrics of files: values of attributes, graphs, matrices.
 *
 *	values   column,value,epsilon    for every value that occurs
 *	graph    a,b,weight              elements by name (-c); weight 1 if
 *	                                 there are two columns
 *	matrix   a record for each element, a column for each; a header line
 *	         is one record more
 *
 * A weight is a decimal from 0 up, or inf.
 */
#include <stdlib.h>
#include <string.h>

#include "tool/err.h"
#include "universe_build.h"

void
universe_load(struct universe *u)
{
	bool matrix = u->spec.kind == METRIC_MATRIX;
	struct table *t = universe_file(u, "--metric", u->spec.file, !matrix);
	size_t *cols, want = 3;

	if (matrix) {
		/* its width is that of the universe, known after it */
		table_close(t);
		return;
	}
	if (u->spec.kind == METRIC_EDGES && table_width(t) == 2)
		want = 2;
	if (table_width(t) < want)
		die(STATUS_INPUT, "--metric %s: %zu columns where %zu belong",
		    u->spec.file, table_width(t), want);
	u->files = table_rest(t, NULL, 0, want, want, &cols);
	u->file = universe_cells(t, "--metric", u->spec.file, cols,
	    u->files);
	free(cols);
	table_close(t);
	if (u->spec.kind != METRIC_EDGES)
		universe_value_columns(u);
}

static bool
infinite(const struct cells *c, size_t i)
{
	size_t len;
	const char *p = cells_at(c, i, &len);

	return len == 3 && strncasecmp(p, "inf", 3) == 0;
}

/* A copy of the column with 0 in place of inf. */
static struct cells
finite(const struct cells *c)
{
	struct cells to = CELLS_INIT;
	size_t len;
	const char *p;

	for (size_t i = 0; i < c->n; i++) {
		p = cells_at(c, i, &len);
		if (infinite(c, i))
			cells_add(&to, "0", 1);
		else
			cells_add(&to, p, len);
	}
	return to;
}

/* Weights of k columns on one grid, w[record * k + column]; sets the unit. */
void
universe_weights(struct universe *u, const struct cells *c, size_t k,
    int64_t *w)
{
	struct cells *f = err_alloc(NULL, k, sizeof(*f));
	enum cells_result r = CELLS_OK;
	int digits = u->presence.num > 0 ? rational_digits(u->presence) : 0;
	size_t bad = 0;

	digits = digits > 0 ? digits : 0;

	for (size_t j = 0; j < k; j++) {
		f[j] = finite(&c[j]);
		r = r == CELLS_OK ? cells_decimals(&f[j], &digits, &bad) : r;
	}
	if (r == CELLS_OK && digits > FIXED_DIGITS)
		r = CELLS_TOO_LARGE;
	for (size_t j = 0; j < k && r == CELLS_OK; j++) {
		r = cells_numbers(&f[j], digits, METRIC_MOST, w + j, k, &bad);
		for (size_t i = 0; i < f[j].n && r == CELLS_OK; i++) {
			if (w[i * k + j] < 0) {
				r = CELLS_NOT_NUMBER;
				bad = i;
			}
			if (infinite(&c[j], i))
				w[i * k + j] = METRIC_INF;
		}
	}
	if (r != CELLS_OK)
		die(STATUS_INPUT, r == CELLS_TOO_LARGE ? "--metric %s: record "
		    "%zu or before: too many digits" : "--metric %s: record "
		    "%zu: a weight is no number from 0 up and not inf",
		    u->spec.file, bad + 1);
	for (size_t j = 0; j < k; j++)
		cells_free(&f[j]);
	free(f);
	if (!rational_make(&u->m.unit, 1, fixed_pow10(digits)))
		die(STATUS_INPUT, "out of range");
}

/* Elements that a column of edges names. */
static void
edge_ends(struct universe *u, size_t side)
{
	const struct cells *names = &u->cell[u->of_metric + u->of_query];
	const char *p;
	size_t at, len;

	for (size_t i = 0; i < u->n; i++)
		if (names->first[names->code[i]] != i)
			die(STATUS_INPUT, "%s: records %zu and %zu have the "
			    "same name", universe_source(u),
			    names->first[names->code[i]] + 1, i + 1);
	for (size_t i = 0; i < u->m.edges; i++) {
		p = cells_at(&u->file[side], i, &len);
		at = cells_find(names, p, len);
		if (at == CELLS_NONE)
			die(STATUS_INPUT, "--metric %s: record %zu names no "
			    "element of the universe", u->spec.file, i + 1);
		/* names differ, so a value is its element */
		if (side == 0)
			u->m.edge[i].i = at;
		else
			u->m.edge[i].j = at;
	}
}

void
universe_graph(struct universe *u)
{
	size_t n = u->file[0].n;
	int64_t *w = err_alloc(NULL, n + 1, sizeof(*w));

	u->m.edge = err_alloc(NULL, n + 1, sizeof(*u->m.edge));
	u->m.edges = n;
	if (u->files == 3)
		universe_weights(u, &u->file[2], 1, w);
	for (size_t i = 0; i < n; i++)
		u->m.edge[i] = (struct metric_edge){ 0, 0,
		    u->files == 3 ? w[i] : 1 };
	edge_ends(u, 0);
	edge_ends(u, 1);
	for (size_t i = n = 0; i < u->m.edges; i++)
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

		k = table_rest(t, NULL, 0, u->n, u->n, &cols);
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

	u->m.w = universe_numbers(u, u->n);
	universe_weights(u, c, u->n, u->m.w);
	for (size_t i = 0; i < u->n; i++)
		cells_free(&c[i]);
	free(c);
	if (u->close)
		metric_close(&u->m);
	say_fault(u, metric_check(&u->m, &at), &at);
}

/* The attributes that a file of values is about, in order of appearance. */
void
universe_value_columns(struct universe *u)
{
	struct text text = TEXT_INIT;
	const struct cells *c = &u->file[0];
	size_t len;
	const char *p;

	for (size_t v = 0; v < c->values; v++) {
		p = cells_at(c, c->first[v], &len);
		text_printf(&text, v > 0 ? "," : "");
		text_quoted(&text, p, len);
	}
	if (c->values == 0)
		die(STATUS_INPUT, "--metric %s: no values", u->spec.file);
	text_bytes(&text, "", 1);
	u->of_metric = universe_columns(u, text.buf);
	text_free(&text);
}

/* The values of one attribute and the lines where they stand. */
static struct cells
values_of(const struct universe *u, size_t dim, size_t *line)
{
	struct cells value = CELLS_INIT;
	size_t len;
	const char *p;

	for (size_t i = 0; i < u->file[0].n; i++) {
		if (u->file[0].code[i] != dim)
			continue;
		p = cells_at(&u->file[1], i, &len);
		if (cells_find(&value, p, len) != CELLS_NONE)
			die(STATUS_INPUT, "--metric %s: record %zu repeats a "
			    "value", u->spec.file, i + 1);
		line[value.n] = i;
		cells_add(&value, p, len);
	}
	return value;
}

static void
value_weights(struct universe *u, size_t dim, const int64_t *w,
    size_t *scratch)
{
	struct metric *m = &u->m;
	struct cells value = values_of(u, dim, scratch);
	const char *p;
	size_t at, len;

	if (m->kind == METRIC_VALUES_MIN && value.n > 2)
		die(STATUS_INPUT, "--metric %s: column %s has more than two "
		    "values: a minimum is no metric then (use values:)",
		    u->spec.file, table_name(u->table, u->cols[dim]));
	for (size_t i = 0; i < m->n; i++) {
		p = cells_at(&u->cell[dim], i, &len);
		at = cells_find(&value, p, len);
		if (at == CELLS_NONE)
			die(STATUS_INPUT, "%s: record %zu: column %s: a value "
			    "that %s does not list", universe_source(u),
			    i + 1, table_name(u->table, u->cols[dim]),
			    u->spec.file);
		m->w[i * m->dims + dim] = w[scratch[at]];
	}
	cells_free(&value);
}

void
universe_values(struct universe *u)
{
	size_t lines = u->file[0].n;
	int64_t *w = err_alloc(NULL, lines + 1, sizeof(*w));
	size_t *scratch = err_alloc(NULL, lines + 1, sizeof(*scratch));

	universe_weights(u, &u->file[2], 1, w);
	universe_codes(u);
	u->m.w = universe_numbers(u, u->m.dims);
	for (size_t dim = 0; dim < u->m.dims; dim++)
		value_weights(u, dim, w, scratch);
	free(w);
	free(scratch);
}
