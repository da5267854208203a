/* sheet: a public CSV, of which some columns are read. */
#include "sheet.h"

#include <fcntl.h>
#include <stdlib.h>

#include "number/fixed.h"
#include "number/taint.h"
#include "tool/err.h"

void
sheet_open(struct sheet *s, const struct opts *o, const char *option,
    const char *path, enum header header)
{
	struct text name = TEXT_INIT;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		err_sys("%s %s", option, path);
	text_printf(&name, "%s %s", option, path);
	s->name = text_string(&name);
	if (header == HEADER_NAMES && o->header == HEADER_NUMBERS)
		header = HEADER_NUMBERS;
	s->table = table_open(fd, path,
	    &(struct table_form){ o->delimiter, header }, NULL);
}

void
sheet_want(struct sheet *s, struct columns *c, size_t column)
{
	size_t at = 0;

	while (at < s->n && s->column[at] != column)
		at++;
	if (at == s->n) {
		s->n++;
		s->column = err_alloc(s->column, s->n, sizeof(*s->column));
		s->cell = err_alloc(s->cell, s->n, sizeof(*s->cell));
		s->column[at] = column;
		s->cell[at] = (struct cells)CELLS_INIT;
	}
	c->at = err_alloc(c->at, c->n + 1, sizeof(*c->at));
	c->at[c->n++] = at;
}

static void
want_all(struct sheet *s, struct columns *c, size_t *column, size_t n)
{
	for (size_t i = 0; i < n; i++)
		sheet_want(s, c, column[i]);
	free(column);
}

void
sheet_columns(struct sheet *s, struct columns *c, const char *arg)
{
	size_t *column, n = table_columns(s->table, arg, &column);

	want_all(s, c, column, n);
}

void
sheet_list(struct text *arg, const char *name, size_t len)
{
	if (arg->len > 0)
		text_add(arg, ",");
	text_quoted(arg, name, len);
}

void
sheet_first(struct sheet *s, size_t k)
{
	struct columns c = { NULL, 0 };
	size_t *column, n = table_rest(s->table, NULL, 0, k, k, &column);

	want_all(s, &c, column, n);
	free(c.at);
}

void
sheet_record(void *arg, const struct cell *cells, size_t fields)
{
	struct sheet *s = arg;

	s->rows++;
	taint_public(&fields, sizeof(fields));
	for (size_t c = 0; c < s->n; c++) {
		cell_public(&cells[c]);
		if (cells[c].missing)
			err_die(STATUS_INPUT, "%s: record %zu has %zu fields, "
			    "or one that is too long", s->name, s->rows,
			    fields);
		cells_add(&s->cell[c], cells[c].text, cells[c].len);
	}
}

void
sheet_read(struct sheet *s)
{
	table_read(s->table, s->column, s->n, sheet_record, s);
}

/* Says in which cell. */
static noreturn void
bad_cell(const struct sheet *s, size_t at, size_t record, const char *what,
    const char *more)
{
	err_die(STATUS_INPUT, "%s: record %zu: column %s: %s%s", s->name,
	    record + 1, sheet_name(s, at), what, more);
}

bool
sheet_numbers(const struct sheet *s, const size_t *at, size_t k, int64_t most,
    int *digits, int64_t *x, const char *words)
{
	int want = *digits;
	size_t bad, c;

	for (c = 0; c < k; c++)
		if (!cells_decimals(&s->cell[at[c]], &want, &bad))
			bad_cell(s, at[c], bad, "not a number", words);
	*digits = FIXED_LEAST(want, FIXED_DIGITS);
	for (c = 0; c < k;) {
		bad = cells_numbers(&s->cell[at[c]], *digits, most, x + c, k);
		if (bad == CELLS_NONE) {
			c++;
			continue;
		}
		if (--*digits < 0)
			bad_cell(s, at[c], bad, "too large", "");
		c = 0;		/* all again, on a coarser grid */
	}
	return *digits == want;
}

void
sheet_close(struct sheet *s)
{
	for (size_t c = 0; c < s->n; c++)
		cells_free(&s->cell[c]);
	table_close(s->table);
	free(s->name);
	free(s->column);
	free(s->cell);
	*s = (struct sheet){ .table = NULL };
}
