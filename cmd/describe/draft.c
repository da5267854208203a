/*
 * draft: a schema to begin with, from the data: for the curator alone.  Limits
 * and keys are a person's to write, so their places are empty: what the data
 * say of them is private.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "describe.h"
#include "input/table.h"
#include "tool/err.h"

#define FORMS 9
#define WORDS 8		/* of a list, at most */

/* What a column may be, the best first; all of its cells have this form. */
static const struct form {
	enum schema_type type;
	const char *words, *format, *point;
} forms[FORMS] = {
	{ SCHEMA_INTEGER, "\"integer\"", NULL, "." },
	{ SCHEMA_NUMBER, "\"number\"", NULL, "." },
	{ SCHEMA_NUMBER, "\"number\", \"decimalChar\": \",\"", NULL, "," },
	{ SCHEMA_DATE, "\"date\"", NULL, "." },
	{ SCHEMA_DATE, "\"date\", \"format\": \"%d.%m.%Y\"", "%d.%m.%Y", "." },
	{ SCHEMA_DATE, "\"date\", \"format\": \"%d/%m/%Y\"", "%d/%m/%Y", "." },
	{ SCHEMA_DATE, "\"date\", \"format\": \"%m/%d/%Y\"", "%m/%d/%Y", "." },
	{ SCHEMA_DATETIME, "\"datetime\"", NULL, "." },
	{ SCHEMA_TIME, "\"time\"", NULL, "." }
};
enum { COMMA = 2,	/* among them: no number in a file of commas, */
    DAY_FIRST = 5, MONTH_FIRST };	/* and dates that may be either */

enum { YES, NO, NOTHING, LISTS };
static const char *const known[LISTS] = {
	" yes y true t ja oui si sim on ", " no n false f nein non nao off ",
	" na n/a null nan none - . ? \\n " };

/* Words as they are written. */
struct found {
	char *word[WORDS];
	size_t n;
};

struct drafted {
	bool not[FORMS], other;	/* no such form; some cell is no yes or no */
	struct found list[2];
};

struct draft {
	struct schema_field form[FORMS];
	struct drafted *column;
	size_t n;
	struct found missing;
};

/* Is the cell a known word?  Then its spelling is kept. */
static bool
draft_word(struct found *f, const char *words, const struct cell *cell)
{
	for (; words[1] != '\0'; words = strchr(words + 1, ' '))
		if (strncasecmp(words + 1, cell->text, cell->len) == 0 &&
		    words[cell->len + 1] == ' ')
			break;
	if (words[1] == '\0')
		return false;
	for (size_t i = 0; i < f->n; i++)
		if (strlen(f->word[i]) == cell->len &&
		    memcmp(f->word[i], cell->text, cell->len) == 0)
			return true;
	if (f->n < WORDS)
		f->word[f->n++] = err_copy(cell->text, cell->len);
	return true;
}

static void
draft_record(void *arg, const struct cell *cells, size_t fields)
{
	struct draft *d = arg;
	char room[SCHEMA_BEFORE + SCHEMA_ROOM] = { 0 };

	for (size_t c = 0; c < FIXED_LEAST(d->n, fields); c++) {
		struct drafted *col = &d->column[c];

		if (cells[c].missing || cells[c].len == 0 ||
		    draft_word(&d->missing, known[NOTHING], &cells[c]))
			continue;
		col->other |= !draft_word(&col->list[YES], known[YES],
		    &cells[c]) && !draft_word(&col->list[NO], known[NO],
		    &cells[c]);
		for (size_t i = 0; i < FORMS; i++) {
			struct label text = { cells[c].text, cells[c].len };

			col->not[i] |= !schema_cell(&d->form[i], &text,
			    room + SCHEMA_BEFORE, true);
		}
	}
}

static void
draft_list(struct text *out, const char *name, const struct found *f)
{
	text_printf(out, "\"%s\": [", name);
	for (size_t i = 0; i < f->n; i++) {
		text_add(out, i > 0 ? ", " : "");
		text_json(out, f->word[i], strlen(f->word[i]));
	}
	text_add(out, "]");
}

static void
draft_field(struct text *out, const struct drafted *c, const char *name)
{
	size_t i = 0;

	while (i < FORMS && c->not[i])
		i++;
	if (i == DAY_FIRST && !c->not[MONTH_FIRST])
		err_warn("column %s: day or month first?  Every cell reads "
		    "both ways; the draft has the day first", name);
	if (!c->other && c->list[YES].n > 0 && c->list[NO].n > 0) {
		text_add(out, "\"boolean\",\n     ");
		draft_list(out, "trueValues", &c->list[YES]);
		text_add(out, ", ");
		draft_list(out, "falseValues", &c->list[NO]);
	} else if (i == FORMS)
		text_add(out, "\"string\", \"constraints\": {\"enum\": []}");
	else
		text_printf(out, "%s,\n     \"constraints\": {\"minimum\": "
		    "null, \"maximum\": null}", forms[i].words);
}

static void
draft_schema(const struct draft *d, struct table *t, const struct opts *o,
    struct text *out)
{
	const bool dialect = o->delimiter != ',';

	text_add(out, "{\n");
	if (dialect) {
		text_add(out, "  \"dialect\": {\"delimiter\": ");
		text_json(out, &o->delimiter, 1);
		text_add(out, "},\n  \"schema\": {\n");
	}
	text_add(out, "  \"fields\": [\n");
	for (size_t i = 0; i < d->n; i++) {
		text_add(out, "    {\"name\": ");
		text_json(out, table_name(t, i), strlen(table_name(t, i)));
		text_add(out, ", \"type\": ");
		draft_field(out, &d->column[i], table_name(t, i));
		text_add(out, i + 1 < d->n ? "},\n" : "}\n");
	}
	text_add(out, "  ],\n  ");
	draft_list(out, "missingValues", &d->missing);
	text_add(out, dialect ? "}\n}\n" : "\n}\n");
}

noreturn void
draft_print(struct opts *o)
{
	static struct label nothing = { "", 0 };
	struct draft d = { .missing = { { "" }, 1 } };
	struct text out = TEXT_INIT;
	struct table *t;
	size_t *cols;

	o->check = true;	/* the curator's, without a ledger */
	opts_check(o);
	t = table_input(o);
	table_show(t);
	for (size_t i = 0; i < FORMS; i++)
		d.form[i] = (struct schema_field){ .type = forms[i].type,
		    .format = forms[i].format, .bare = true,
		    .point = { forms[i].point, 1 }, .group = { "", 0 },
		    .missing = { &nothing, 1, 1 } };
	d.n = table_width(t);
	d.column = err_alloc(NULL, d.n, sizeof(*d.column));
	cols = err_alloc(NULL, d.n, sizeof(*cols));
	for (size_t i = 0; i < d.n; i++) {
		cols[i] = i;
		d.column[i].not[COMMA] = o->delimiter == ',';
	}
	table_read(t, cols, d.n, draft_record, &d);
	free(cols);
	draft_schema(&d, t, o, &out);
	text_output(out.buf, out.len);
	exit(STATUS_OK);
}
