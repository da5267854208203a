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
 * cell is cut; cut() keeps the rule exact wherever the pieces end.
 */
#include <string.h>

#include "table_state.h"
#include "tool/err.h"

#define GROW 4096	/* libcsv's default is 128 bytes at a time */

static char nothing[1];	/* an empty field's text; stays empty */

/* A row without fields: the LF of a CRLF, or a record with one empty cell. */
static bool
is_record(struct table *t, int end)
{
	if (end == '\n' && t->cr) {
		t->cr = false;
		return false;
	}
	t->field(nothing, 0, t);
	return true;
}

void
table_start(struct table *t)
{
	if (csv_init(&t->csv, CSV_REPALL_NL) != 0)
		die(STATUS_INPUT, "out of memory");
	csv_set_delim(&t->csv, (unsigned char)t->delimiter);
	csv_set_blk_size(&t->csv, GROW);
}

/*
 * entry_pos counts the bytes of the unfinished cell, the last `spaces` of them
 * blanks that are stripped if the cell ends here, and before those in state
 * TABLE_AFTER a quote that goes as well.  What remains, `sure`, never shrinks:
 * above TABLE_CELL the cell is over-long for certain and the bytes do not
 * matter.  Blanks beyond TABLE_CELL + 1 can go: either the cell ends and every
 * blank is stripped, or the cell goes on and is over-long with the blanks kept.
 */
static void
cut(struct table *t)
{
	struct csv_parser *p = &t->csv;
	size_t sure = p->entry_pos - p->spaces - (p->pstate == TABLE_AFTER);

	if (sure > TABLE_CELL) {
		t->over = true;
		p->entry_pos -= sure;
	}
	if (p->spaces > TABLE_CELL + 1) {
		p->entry_pos -= p->spaces - (TABLE_CELL + 1);
		p->spaces = TABLE_CELL + 1;
	}
}

void
table_feed(struct table *t, const char *s, size_t n)
{
	size_t piece;

	for (; n > 0; n -= piece, s += piece) {
		piece = n < TABLE_CELL ? n : TABLE_CELL;
		if (csv_parse(&t->csv, s, piece, t->field, t->row, t) != piece)
			die(STATUS_INPUT, "out of memory");
		cut(t);
	}
}

/* libcsv forgets a last line with blanks alone; the line is a record. */
void
table_end(struct table *t)
{
	bool blanks = t->csv.pstate == TABLE_BETWEEN && !t->cr &&
	    (t->last == ' ' || t->last == '\t') && t->last != t->delimiter;

	csv_fini(&t->csv, t->field, t->row, t);
	if (blanks)
		t->row(-1, t);
}

void
table_head_field(void *text, size_t len, void *table)
{
	struct table *t = table;

	names_add(&t->header, text, len);
	t->fields++;
	if (t->cut == 0 && memchr(text, '\0', len) != NULL)
		t->cut = t->fields;
}

void
table_head_row(int end, void *table)
{
	struct table *t = table;

	if (t->fields == 0 && !is_record(t, end))
		return;
	t->cr = end == '\r';
	t->done = true;
	t->fields = 0;
}

/* Does column c stand in the next slot? */
static bool
is_next(const struct table *t, size_t c)
{
	return t->next < t->chosen.count &&
	    t->chosen.cols[t->chosen.order[t->next]] == c;
}

/* libcsv reuses the buffer for the next field, so a chosen field is copied. */
void
table_data_field(void *text, size_t len, void *table)
{
	struct table *t = table;
	bool over = t->over || len > TABLE_CELL;
	struct cell cell = { t->copy + t->used, over ? 0 : len, over };
	size_t column = t->fields++;

	t->over = false;
	if (!is_next(t, column))
		return;
	memcpy(t->copy + t->used, text, cell.len);
	t->used += cell.len;
	if (column == 0)
		table_unmark(&cell);
	for (; is_next(t, column); t->next++)
		t->chosen.cells[t->chosen.order[t->next]] = cell;
}

/* The record may be too short for some chosen columns. */
void
table_data_row(int end, void *table)
{
	struct table *t = table;
	const struct chosen *chosen = &t->chosen;

	if (t->fields == 0 && !is_record(t, end))
		return;
	t->cr = end == '\r';
	for (; t->next < chosen->count; t->next++)
		chosen->cells[chosen->order[t->next]] = (struct cell){ "", 0,
		    true };
	chosen->record(chosen->arg, chosen->cells, t->fields);
	t->fields = 0;
	t->next = 0;
	t->used = TABLE_BEFORE;
}

static void
count(struct quotes_count *c, uint64_t line)
{
	if (c->count++ == 0)
		c->line = line;
}

/* A byte in a cell without quotes, or any cell's first byte. */
static void
plain(struct quotes *q, char c)
{
	if (c == q->delimiter || c == '\n' || c == '\r') {
		q->state = QUOTES_START;
	} else if (c == '"' && q->state == QUOTES_START) {
		q->state = QUOTES_INSIDE;
		q->opened = q->line;
		q->long_cell = false;
	} else if (c == '"') {
		count(&q->seen[QUOTES_WITHIN], q->line);
	} else if (c != ' ' && c != '\t') {
		q->state = QUOTES_PLAIN;
	}
}

static void
feed(struct quotes *q, char c)
{
	switch (q->state) {
	case QUOTES_START:
	case QUOTES_PLAIN:
		plain(q, c);
		return;
	case QUOTES_INSIDE:
		if (c == '"')
			q->state = QUOTES_CLOSED;
		else if (c == '\n' && !q->long_cell) {
			q->long_cell = true;
			count(&q->seen[QUOTES_LINES], q->opened);
		}
		return;
	case QUOTES_CLOSED:
		if (c == '"') {
			q->state = QUOTES_INSIDE;
		} else if (c == q->delimiter || c == '\n' || c == '\r') {
			q->state = QUOTES_START;
		} else if (c != ' ' && c != '\t') {
			count(&q->seen[QUOTES_AFTER], q->line);
			q->state = QUOTES_INSIDE;
		}
	}
}

void
quotes_feed(struct quotes *q, const char *s, size_t n)
{
	for (; n > 0; n--, s++) {
		feed(q, *s);
		q->line += *s == '\n';
	}
}
