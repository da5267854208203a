/*
 * table_csv: the calls to and from libcsv (3.0.3).
 *
 * CSV_REPALL_NL makes libcsv report every CR and LF outside quotes, blank lines
 * being records without fields; an LF after CR (blanks between count as part of
 * the line ending) belongs to the CR's ending and is passed over.
 *
 * A cell is over-long when more than TABLE_CELL bytes would remain after
 * libcsv's unquoting and stripping.  libcsv grows a buffer without end, so
 * libcsv gets pieces of TABLE_CELL bytes, and after each piece the unfinished
 * cell is cut; csv_cut() keeps the rule exact wherever the pieces end.
 */

#include "table_state.h"
#include "tool/err.h"

#define GROW 4096	/* libcsv's default is 128 bytes at a time */
#define BETWEEN 0	/* libcsv's pstate between records, */
#define AFTER 3		/* and after a quote that may close the cell */

static char nothing[1];	/* an empty field's text; stays empty */

static int
is_blank_or_nul(unsigned char c)
{
	return c == ' ' || c == '\t' || c == '\0';
}

/*
 * libcsv always has a quote.  Where the file has none it is a NUL, and NULs
 * before a cell are blanks: a quote in front of a cell would open it, and one
 * within it does nothing.
 */
void
table_csv_quote(struct csv_parser *csv, const struct table_form *form)
{
	if (!form->unquoted)
		return;
	csv_set_quote(csv, '\0');
	csv_set_space_func(csv, is_blank_or_nul);
}

void
table_start(struct table *t)
{
	if (csv_init(&t->csv, CSV_REPALL_NL) != 0)
		err_die(STATUS_INPUT, "out of memory");
	csv_set_delim(&t->csv, (unsigned char)t->form.delimiter);
	table_csv_quote(&t->csv, &t->form);
	csv_set_blk_size(&t->csv, GROW);
}

/*
 * The one place that writes to the inside of libcsv, whose functions know no
 * limit.  entry_pos counts the bytes of the unfinished cell, the last `spaces`
 * of them blanks that are stripped if the cell ends here, and before those in
 * state AFTER a quote that goes as well.  What remains, `sure`, never shrinks:
 * above TABLE_CELL the cell is over-long for certain and the bytes do not
 * matter.  Blanks beyond TABLE_CELL + 1 can go: either the cell ends and every
 * blank is stripped, or the cell goes on and is over-long with the blanks kept.
 */
static void
csv_cut(struct table *t)
{
	struct csv_parser *p = &t->csv;
	size_t sure = p->entry_pos - p->spaces - (p->pstate == AFTER);

	if (sure > TABLE_CELL) {
		t->over = true;
		p->entry_pos -= sure;
	}
	if (p->spaces > TABLE_CELL + 1) {
		p->entry_pos -= p->spaces - (TABLE_CELL + 1);
		p->spaces = TABLE_CELL + 1;
	}
}

/* libcsv reuses the buffer for the next field, so a chosen field is copied. */
static void
take_field(void *text, size_t len, void *table)
{
	struct table *t = table;
	bool over = t->over || len > TABLE_CELL;
	struct cell cell = { t->copy + t->used, over ? 0 : len, over };
	size_t column = t->fields++, end = t->used + cell.len;

	t->over = false;
	memcpy(t->copy + t->used, text, cell.len);
	if (column == 0)
		table_unmark(&cell);
	for (size_t i = 0; i < t->chosen.count; i++)
		if (t->chosen.cols[i] == column) {
			t->chosen.cells[i] = cell;
			t->used = end;
		}
}

/*
 * A row without fields is the LF of a CRLF, or a record with one empty cell.  A
 * record may be too short for some chosen columns.
 */
static void
take_row(int end, void *table)
{
	struct table *t = table;
	const struct chosen *c = &t->chosen;

	if (t->fields == 0 && end == '\n' && t->cr) {
		t->cr = false;
		return;
	}
	if (t->fields == 0)
		take_field(nothing, 0, t);
	t->cr = end == '\r';
	for (size_t i = 0; i < c->count; i++)
		if (c->cols[i] >= t->fields)
			c->cells[i] = (struct cell){ "", 0, true };
	table_give(t, t->fields);
	t->fields = 0;
	t->used = TABLE_BEFORE;
}

void
table_feed(struct table *t, const char *s, size_t n)
{
	size_t piece;

	for (; n > 0; n -= piece, s += piece) {
		piece = n < TABLE_CELL ? n : TABLE_CELL;
		if (csv_parse(&t->csv, s, piece, take_field, take_row, t) !=
		    piece)
			err_die(STATUS_INPUT, "out of memory");
		csv_cut(t);
	}
}

size_t
table_feed_line(struct table *t, const char *s, size_t n)
{
	const char *end = memchr(s, '\n', n);

	n = end == NULL ? n : (size_t)(end - s) + 1;
	table_feed(t, s, n);
	return n;
}

bool
table_between(const struct table *t)
{
	return t->csv.pstate == BETWEEN;
}

/* libcsv forgets a last line of blanks only; it is a record here. */
void
table_end(struct table *t)
{
	bool blanks = table_between(t) && !t->cr &&
	    (t->last == ' ' || t->last == '\t' ||
	    (t->last == '\0' && t->form.unquoted)) &&
	    t->last != t->form.delimiter;

	csv_fini(&t->csv, take_field, take_row, t);
	if (blanks)
		take_row(-1, t);
}

/* --- quotes -------------------------------------------------------------- */

static void
quotes_note(struct quotes *q, enum quotes_kind kind)
{
	if (q->seen[kind].count++ == 0)
		q->seen[kind].line = q->line;
}

static void
feed(struct quotes *q, char c)
{
	bool end = c == q->delimiter || c == '\n' || c == '\r';

	if (c == '"' && q->state == QUOTES_PLAIN)
		quotes_note(q, QUOTES_WITHIN);
	else if (c == '"' && q->state == QUOTES_INSIDE)
		q->state = QUOTES_CLOSED;
	else if (c == '"') {
		if (q->state == QUOTES_START)
			q->opened = q->line;
		q->state = QUOTES_INSIDE;
	} else if (q->state == QUOTES_INSIDE) {
		/* the first line end of the cell */
		if (c == '\n' && q->line == q->opened)
			quotes_note(q, QUOTES_LINES);
	} else if (end)
		q->state = QUOTES_START;
	else if (c != ' ' && c != '\t' && q->state == QUOTES_CLOSED) {
		quotes_note(q, QUOTES_AFTER);
		q->state = QUOTES_INSIDE;
	} else if (c != ' ' && c != '\t')
		q->state = QUOTES_PLAIN;
	q->line += c == '\n';
}

void
quotes_feed(struct quotes *q, const char *s, size_t n)
{
	while (n-- > 0)
		feed(q, *s++);
}
