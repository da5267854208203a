/* show: the answers of the pieces as one table. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "describe.h"
#include "number/fixed.h"
#include "tool/err.h"
#include "tool/row.h"

#define BAR 12		/* characters of the longest bar */

/* --- what a piece says ---------------------------------------------------- */

/*
 * Line i of a piece's answer, which has lines alone: the number of records;
 * count, then mean, variance and deviation of each column; three quartiles; or
 * a line for each key.  The mean of yes and no is the share of yes, which says
 * the deviation, too.
 */
static const char *
line_name(const struct describe *d, const struct piece *p, size_t i,
    size_t *column)
{
	static const char *const numbers[][3] = { { "mean", NULL, "sd" },
	    { "share", NULL, NULL } };
	static const char *const quartiles[] = { "p25", "p50", "p75" };

	*column = p->n > 0 ? p->at[0] : 0;
	if (p->kind == PIECE_RECORDS)
		return d->opts.unit.column != NULL && d->opts.unit.most == 0 ?
		    "people" : "records";
	if (p->kind == PIECE_QUARTILES)
		return quartiles[i];
	if (i == 0)
		return p->n == 1 ? "count" : NULL;
	*column = p->at[(i - 1) / 3];
	return numbers[d->column[*column].field->type == SCHEMA_BOOLEAN][(i -
	    1) % 3];
}

void
show_take(struct describe *d, const struct piece *p)
{
	char *rest = p->answer, *line;
	struct schema_list keys = { .n = 0 };
	struct column_view view;
	struct fact f;
	size_t column;

	if (p->kind == PIECE_KEYS) {
		view_open(&view, d->opts.schema, p->view);
		view_keys(&view, &keys);
	}
	for (size_t i = 0; (line = text_field(&rest, "\n")) != NULL &&
	    *line != '\0'; i++) {
		f = (struct fact){ .bar = keys.n > 0 };
		if (keys.n > 0) {
			column = p->at[0];
			f.statistic = err_copy(keys.at[i].text, keys.at[i].len);
		} else
			f.statistic = line_name(d, p, i, &column);
		f.value = text_field(&line, "\t");
		f.lower = text_field(&line, "\t");
		f.upper = text_field(&line, "\t");
		if (f.statistic != NULL)
			describe_add(d, column, f);
	}
	if (p->within != NULL)
		describe_add(d, p->at[0], (struct fact){ "quartiles within",
		    p->within });
}

/* --- the look ------------------------------------------------------------- */

/* A date is a text, and so is a reason. */
static void
show_value(struct row *r, const char *key, const char *value)
{
	struct rational x;

	if (value == NULL || rational_parse(value, &x))
		row_word(r, key, value);
	else
		row_text(r, key, value, strlen(value));
}

static void
show_row(struct text *out, enum format format, const char *column,
    const struct fact *f)
{
	struct row r = { out, format, false };

	text_add(out, format == FORMAT_JSON ? "{" : "");
	row_text(&r, "column", column, strlen(column));
	row_text(&r, "statistic", f->statistic, strlen(f->statistic));
	show_value(&r, "value", f->value);
	show_value(&r, "lower", f->lower);
	show_value(&r, "upper", f->upper);
	text_add(out, format == FORMAT_JSON ? "}\n" : "\n");
}

/* --- for people ----------------------------------------------------------- */

enum { SHOW_NAME, SHOW_STATISTIC, SHOW_VALUE, SHOW_ENDS, SHOW_CELLS };

#define SHOW_MOST 24		/* characters that a cell is filled up to */

/* Characters, of UTF-8. */
static size_t
show_length(const char *text)
{
	size_t n = 0;

	for (; *text != '\0'; text++)
		n += ((unsigned char)*text & 0xc0) != 0x80;
	return n;
}

/* The cells of a line; the last is the caller's to free. */
static void
show_cells(const char *name, const struct fact *f, const char *cell[SHOW_CELLS])
{
	struct text ends = TEXT_INIT;

	if (f->lower != NULL)
		text_printf(&ends, "%s to %s", f->lower, f->upper);
	else if (strcmp(f->statistic, "quartiles within") == 0)
		text_add(&ends, "records");
	cell[SHOW_NAME] = name;
	cell[SHOW_STATISTIC] = f->statistic;
	cell[SHOW_VALUE] = f->value;
	cell[SHOW_ENDS] = text_string(&ends);
}

static bool
is_reason(const struct fact *f)
{
	return strcmp(f->statistic, "left out") == 0;
}

/* Cells are as wide as the widest of their kind. */
static void
show_widen(size_t width[SHOW_CELLS], const char *name, const struct fact *f)
{
	const char *cell[SHOW_CELLS];

	if (is_reason(f))
		return;
	show_cells(name, f, cell);
	for (int i = 0; i < SHOW_CELLS; i++)
		width[i] = FIXED_MOST(width[i], FIXED_LEAST(SHOW_MOST,
		    show_length(cell[i])));
	free((char *)cell[SHOW_ENDS]);
}

static void
show_fill(struct text *out, size_t from, size_t to)
{
	for (; from < to; from++)
		text_add(out, " ");
}

/* Why a column is left out is no cell. */
static void
show_reason(struct text *out, size_t width, const char *name, const char *why)
{
	text_add(out, name);
	show_fill(out, show_length(name), width);
	text_printf(out, "  left out: %s\n", why);
}

/* A line of a terminal; the column's largest count has the longest bar. */
static void
show_line(struct text *out, const size_t width[SHOW_CELLS], const char *name,
    const struct fact *f, double largest)
{
	int bar = f->bar && largest > 0 ?
	    (int)(strtod(f->value, NULL) / largest * BAR + .5) : 0;
	const char *cell[SHOW_CELLS];

	show_cells(name, f, cell);
	for (int i = 0; i < SHOW_CELLS; i++) {
		size_t own = show_length(cell[i]);

		if (i == SHOW_VALUE)
			show_fill(out, own, width[i]);
		text_add(out, cell[i]);
		if (i != SHOW_VALUE)
			show_fill(out, own, width[i]);
		text_add(out, "  ");
	}
	for (; bar > 0; bar--)
		text_add(out, "#");
	while (out->buf[out->len - 1] == ' ')
		out->len--;
	text_add(out, "\n");
	free((char *)cell[SHOW_ENDS]);
}

static void
show_lines(const struct describe *d, struct text *out)
{
	static const struct fact head = { .statistic = "", .value = "answer",
	    .lower = NULL };
	size_t width[SHOW_CELLS] = { 0 };

	for (size_t i = 0; i < d->columns; i++)
		for (size_t k = 0; k < d->column[i].n; k++)
			show_widen(width, i > 0 ? d->column[i].name : "",
			    &d->column[i].fact[k]);
	show_line(out, width, "", &head, 0);
	out->len--;
	text_add(out, "  95 % of the noise\n");
	for (size_t i = 0; i < d->columns; i++) {
		const struct described *c = &d->column[i];
		double most = 0;

		for (size_t k = 0; k < c->n; k++)
			if (c->fact[k].bar)
				most = fmax(most, strtod(c->fact[k].value,
				    NULL));
		for (size_t k = 0; k < c->n; k++) {
			const char *name = i > 0 && k == 0 ? c->name : "";

			if (is_reason(&c->fact[k]))
				show_reason(out, width[SHOW_NAME], name,
				    c->fact[k].value);
			else
				show_line(out, width, name, &c->fact[k], most);
		}
	}
}

void
show_all(const struct describe *d, struct text *out)
{
	static const struct fact head = { "statistic", "value", "lower",
	    "upper" };
	enum format format = d->opts.format;

	if (format == FORMAT_DEFAULT)
		format = isatty(STDOUT_FILENO) ? FORMAT_PLAIN : FORMAT_CSV;
	if (format == FORMAT_PLAIN) {
		show_lines(d, out);
		return;
	}
	if (format != FORMAT_JSON)
		show_row(out, format, "column", &head);
	for (size_t i = 0; i < d->columns; i++)
		for (size_t k = 0; k < d->column[i].n; k++)
			show_row(out, format, i > 0 ? d->column[i].name : "",
			    &d->column[i].fact[k]);
}
