/*
 * universe_values: the budgets that a file gives to values of attributes.
 */
#include <stdlib.h>

#include "tool/err.h"
#include "universe_impl.h"

/* The attributes that a file of values is about, in order of appearance. */
void
universe_value_columns(struct universe *u)
{
	struct text text = TEXT_INIT;
	size_t i, codes, len;
	int64_t *x = err_alloc(NULL, u->file[0].n + 1, sizeof(*x)), next = 0;
	const char *p;

	if (!cells_codes(&u->file[0], x, 1, &codes))
		die(STATUS_INPUT, "out of memory");
	for (i = 0; i < u->file[0].n; i++) {
		if (x[i] != next)
			continue;
		p = cells_at(&u->file[0], i, &len);
		text_printf(&text, next++ > 0 ? "," : "");
		text_printf(&text, "\"");
		for (; len > 0; len--, p++)
			text_printf(&text, *p == '"' ? "\"\"" : "%c", *p);
		text_printf(&text, "\"");
	}
	if (next == 0)
		die(STATUS_INPUT, "--metric %s: no values", u->spec.file);
	text_bytes(&text, "", 1);
	u->of_metric = universe_columns(u, text.buf, 1);
	free(text.buf);
	free(x);
}

/* The lines of one attribute: its values and where their weights stand. */
static void
lines_of(const struct universe *u, size_t dim, struct cells *value,
    size_t *line)
{
	int64_t *x = err_alloc(NULL, u->file[0].n + 1, sizeof(*x));
	size_t i, codes, len;
	const char *p;

	if (!cells_codes(&u->file[0], x, 1, &codes))
		die(STATUS_INPUT, "out of memory");
	*value = (struct cells)CELLS_INIT;
	for (i = 0; i < u->file[0].n; i++) {
		if ((size_t)x[i] != dim)
			continue;
		p = cells_at(&u->file[1], i, &len);
		line[value->n] = i;
		if (!cells_add(value, p, len))
			die(STATUS_INPUT, "out of memory");
	}
	free(x);
}

static void
value_weights(struct universe *u, size_t dim, const int64_t *w,
    size_t *scratch)
{
	struct metric *m = &u->m;
	struct cells value;
	struct finder f;
	size_t i, at;

	lines_of(u, dim, &value, scratch);
	finder_open(&f, &value, &u->cell[dim], value.n);
	for (i = 0; i < value.n; i++)
		if (f.first[f.code[i]] != i)
			die(STATUS_INPUT, "--metric %s: record %zu repeats a "
			    "value", u->spec.file, scratch[i] + 1);
	if (m->kind == METRIC_VALUES_MIN && value.n > 2)
		die(STATUS_INPUT, "--metric %s: column %s has more than two "
		    "values: a minimum is no metric then (use values:)",
		    u->spec.file, table_name(u->table, u->cols[dim]));
	for (i = 0; i < m->n; i++) {
		at = f.first[f.code[value.n + i]];
		if (at == value.n)
			die(STATUS_INPUT, "%s: record %zu: column %s: a value "
			    "that %s does not list", universe_source(u),
			    i + 1, table_name(u->table, u->cols[dim]),
			    u->spec.file);
		m->w[i * m->dims + dim] = w[scratch[at]];
	}
	finder_close(&f);
	cells_free(&value);
}

void
universe_values(struct universe *u)
{
	size_t lines = u->file[0].n, dim;

	u->listed = err_alloc(NULL, lines + 1, sizeof(*u->listed));
	u->line = err_alloc(NULL, lines + 1, sizeof(*u->line));
	universe_weights(u, &u->file[2], 1, u->listed);
	universe_codes(u);
	u->m.w = universe_numbers(u, u->m.dims);
	for (dim = 0; dim < u->m.dims; dim++)
		value_weights(u, dim, u->listed, u->line);
	free(u->listed);
	free(u->line);
	u->listed = NULL;
	u->line = NULL;
}
