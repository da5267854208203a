/* show: the answers of the pieces as one table. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "describe.h"
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

/* A line of a terminal; the column's largest count has the longest bar. */
static void
show_line(struct text *out, const char *name, const struct fact *f,
    double largest)
{
	struct text ends = TEXT_INIT;
	int bar = f->bar && largest > 0 ?
	    (int)(strtod(f->value, NULL) / largest * BAR + .5) : 0;

	if (f->lower != NULL)
		text_printf(&ends, "%s to %s", f->lower, f->upper);
	else if (strcmp(f->statistic, "quartiles within") == 0)
		text_add(&ends, "records");
	else if (strcmp(f->statistic, "left out") == 0) {
		text_printf(out, "%-12s left out: %s\n", name, f->value);
		return;
	}
	text_printf(out, "%-12s %-16s %12s  %-*.*s", name, f->statistic,
	    f->value, bar > 0 ? 22 : 0, (int)ends.len, ends.buf);
	text_free(&ends);
	text_add(out, bar > 0 ? "  " : "");
	for (; bar > 0; bar--)
		text_add(out, "#");
	while (out->buf[out->len - 1] == ' ')
		out->len--;
	text_add(out, "\n");
}

static void
show_lines(const struct describe *d, struct text *out)
{
	text_printf(out, "%42s  95 %% of the noise\n", "answer");
	for (size_t i = 0; i < d->columns; i++) {
		const struct described *c = &d->column[i];
		double most = 0;

		for (size_t k = 0; k < c->n; k++)
			if (c->fact[k].bar)
				most = fmax(most, strtod(c->fact[k].value,
				    NULL));
		for (size_t k = 0; k < c->n; k++)
			show_line(out, i > 0 && k == 0 ? c->name : "",
			    &c->fact[k], most);
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
