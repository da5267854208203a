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

#include "cells.h"
#include "input/table.h"
#include "tool/err.h"
#include "universe_build.h"

/* The attributes that a file of values is about, in order of appearance. */
static void
value_columns(struct universe *u)
{
	const struct cells *c = &u->file.cell[0];
	struct text names = TEXT_INIT;

	if (c->values == 0)
		err_die(STATUS_INPUT, "%s: no values", u->file.name);
	for (size_t v = 0; v < c->values; v++) {
		struct label name = cells_at(c, c->first[v]);

		sheet_list(&names, name.text, name.len);
	}
	sheet_columns(&u->base, &u->of_metric, names.buf);
	text_free(&names);
}

/* The width of a matrix is that of the universe, known after it. */
void
universe_load(struct universe *u)
{
	struct sheet *s = &u->file;
	size_t want, width;

	if (u->spec.kind == METRIC_MATRIX)
		return;
	sheet_open(s, u->o, "--metric", u->spec.file, HEADER_NAMES);
	width = table_width(s->table);
	want = 3;
	if (u->spec.kind == METRIC_EDGES && width == 2)
		want = 2;
	if (width < want)
		err_die(STATUS_INPUT, "%s: %zu columns where %zu belong",
		    s->name, width, want);
	sheet_first(s, want);
	sheet_read(s);
	if (u->spec.kind != METRIC_EDGES)
		value_columns(u);
}

/*
 * Weights of k columns from `first` on, on one grid, w[record * k + column];
 * sets the unit.
 */
static int64_t *
weights(struct universe *u, size_t first, size_t k)
{
	struct sheet *s = &u->file;
	int64_t *w = err_alloc(NULL, s->rows + 1, k * sizeof(*w));
	size_t *at = err_alloc(NULL, k, sizeof(*at));
	int digits = 0;

	if (u->presence.num > 0)
		digits = FIXED_MOST(rational_digits(u->presence), 0);
	for (size_t j = 0; j < k; j++) {
		at[j] = first + j;
		s->cell[at[j]].inf = true;
	}
	if (!sheet_numbers(s, at, k, METRIC_MOST, &digits, w,
	    " from 0 up and not inf"))
		err_die(STATUS_INPUT, "%s: too many digits", s->name);
	for (size_t i = 0; i < s->rows * k; i++)
		if (w[i] < 0)
			err_die(STATUS_INPUT, "%s: record %zu: column %s: not "
			    "a number from 0 up and not inf", s->name, i / k +
			    1, sheet_name(s, at[i % k]));
	if (!rational_make(&u->m.unit, 1, fixed_pow10(digits)))
		err_die(STATUS_INPUT, "out of range");
	free(at);
	return w;
}

/* The element that one end of an edge names. */
static size_t
end(const struct universe *u, size_t side, size_t i)
{
	/* names differ, so a value is its element */
	size_t at = cells_find(&u->base.cell[u->of_key.at[0]],
	    cells_at(&u->file.cell[side], i));

	if (at == CELLS_NONE)
		err_die(STATUS_INPUT, "%s: record %zu names no element of the "
		    "universe", u->file.name, i + 1);
	return at;
}

void
universe_graph(struct universe *u)
{
	const struct cells *names = &u->base.cell[u->of_key.at[0]];
	size_t n = u->file.rows, a, b;
	int64_t *w = NULL;

	if (u->file.n == 3)
		w = weights(u, 2, 1);

	for (size_t i = 0; i < names->n; i++)
		if (names->first[names->code[i]] != i)
			err_die(STATUS_INPUT, "%s: records %zu and %zu have "
			    "the same name", u->base.name,
			    names->first[names->code[i]] + 1, i + 1);
	u->m.edge = err_alloc(NULL, n + 1, sizeof(*u->m.edge));
	for (size_t i = 0; i < n; i++) {
		a = end(u, 0, i);
		b = end(u, 1, i);
		if (a != b)
			u->m.edge[u->m.edges++] = (struct metric_edge){ a, b,
			    w == NULL ? 1 : w[i] };
	}
	free(w);
}

static void
say_fault(const struct universe *u, enum metric_fault fault,
    const struct metric_where *at)
{
	const char *path = u->file.name;
	size_t i = at->i + 1, j = at->j + 1, k = at->k + 1;

	if (fault == METRIC_DIAGONAL)
		err_die(STATUS_INPUT, "%s: row %zu: the distance to itself is "
		    "not 0", path, i);
	if (fault == METRIC_ASYMMETRIC)
		err_die(STATUS_INPUT, "%s: rows %zu and %zu: not symmetric",
		    path, i, j);
	if (fault == METRIC_TRIANGLE)
		err_die(STATUS_INPUT, "%s: rows %zu, %zu and %zu: from %zu to "
		    "%zu it is farther than by way of %zu (--close takes "
		    "shortest paths)", path, i, j, k, i, j, k);
}

/* The table; its header line, if it has one, is one record more. */
static void
read_matrix(struct universe *u)
{
	for (int header = HEADER_NONE; header <= HEADER_NAMES; header++) {
		sheet_open(&u->file, u->o, "--metric", u->spec.file,
		    (enum header)header);
		sheet_first(&u->file, u->n);
		sheet_read(&u->file);
		if (header == HEADER_NAMES || u->file.rows != u->n + 1)
			break;
		sheet_close(&u->file);
	}
	if (u->file.rows != u->n)
		err_die(STATUS_INPUT, "%s: %zu rows for a universe of %zu",
		    u->file.name, u->file.rows, u->n);
}

void
universe_matrix(struct universe *u)
{
	struct metric_where at;

	read_matrix(u);
	u->m.w = weights(u, 0, u->n);
	if (u->close)
		metric_close(&u->m);
	say_fault(u, metric_check(&u->m, &at), &at);
	sheet_close(&u->file);
}

/* line[column * values + value]: the record of the file, from 1. */
static size_t *
value_lines(const struct universe *u)
{
	const struct cells *c = u->file.cell;
	size_t *line = err_alloc(NULL, c[0].values, c[1].values *
	    sizeof(*line)), *of, *to;
	size_t *found = err_alloc(NULL, c[0].values, sizeof(*found));

	for (size_t i = 0; i < u->file.rows; i++) {
		of = line + c[0].code[i] * c[1].values;
		to = &of[c[1].code[i]];
		if (*to != 0)
			err_die(STATUS_INPUT, "%s: record %zu repeats a value",
			    u->file.name, i + 1);
		*to = i + 1;
		if (++found[c[0].code[i]] > 2 && u->m.kind == METRIC_VALUES_MIN)
			err_die(STATUS_INPUT, "%s: column %s has more than two "
			    "values: a minimum is no metric then (use "
			    "values:)", u->file.name, sheet_name(&u->base,
			    u->of_metric.at[c[0].code[i]]));
	}
	free(found);
	return line;
}

void
universe_values(struct universe *u)
{
	const struct cells *value = &u->file.cell[1];
	size_t *line = value_lines(u), k = u->m.dims, at;
	int64_t *w = weights(u, 2, 1);

	universe_codes(u);
	u->m.w = universe_numbers(u, k);
	for (size_t i = 0; i < u->n * k; i++) {
		const size_t c = u->of_metric.at[i % k];

		at = cells_find(value, cells_at(&u->base.cell[c], i / k));
		if (at != CELLS_NONE)
			at = line[i % k * value->values + at];
		if (at == CELLS_NONE || at == 0)
			err_die(STATUS_INPUT, "%s: record %zu: column %s: a "
			    "value that %s does not list", u->base.name, i / k +
			    1, sheet_name(&u->base, c), u->spec.file);
		u->m.w[i] = w[at - 1];
	}
	free(line);
	free(w);
}
