/*
 * table_csv: what libcsv (3.0.3) is told and what it tells.
 *
 * CSV_REPALL_NL makes it report every CR and LF outside quotes, blank lines
 * being records without fields; an LF after CR (blanks between count as part
 * of the line ending) is the same ending and passed over here.
 *
 * A cell is over-long when more than TABLE_CELL bytes of it would remain
 * after libcsv's unquoting and stripping.  libcsv grows its buffer without
 * end, so it gets pieces of TABLE_CELL bytes, and after each the unfinished
 * cell is cut; cut() keeps the rule exact wherever the pieces end.
 */
#include <string.h>

#include "err.h"
#include "table_impl.h"

#define GROW 4096	/* libcsv's default is 128 bytes at a time */
#define SHORT 16	/* bytes that are readable in any field */

static char nothing[SHORT];	/* text of an empty field; stays so */

static void
on_row(int end, void *table)
{
	struct table *t = table;

	if (t->fields == 0) {
		if (end == '\n' && t->cr) {
			t->cr = false;
			return;
		}
		t->field(nothing, 0, t);
	}
	t->cr = end == '\r';
	t->row(t);
	t->fields = 0;
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
 * entry_pos counts the bytes of the unfinished cell, the last `spaces` of
 * them blanks that are stripped if the cell ends here, and before those in
 * state TABLE_AFTER a quote that goes as well.  What remains, `sure`, never
 * shrinks: above TABLE_CELL the cell is over-long for certain and its bytes
 * do not matter.  Blanks beyond TABLE_CELL + 1 can go: either the cell ends
 * and all are stripped, or it goes on and is over-long with the rest of them.
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
		if (csv_parse(&t->csv, s, piece, t->field, on_row, t) != piece)
			die(STATUS_INPUT, "out of memory");
		cut(t);
	}
}

/* libcsv forgets a last line of blanks only; it is a record like others. */
void
table_end(struct table *t)
{
	bool blanks = t->csv.pstate == TABLE_BETWEEN && !t->cr &&
	    (t->last == ' ' || t->last == '\t') && t->last != t->delimiter;

	csv_fini(&t->csv, t->field, on_row, t);
	if (blanks)
		on_row(-1, t);
}

void
table_head_field(void *text, size_t len, void *table)
{
	struct table *t = table;
	bool over = t->over || len > TABLE_CELL;

	names_add(&t->header, t->fields++, text, over ? 0 : len, !over);
	t->over = false;
}

void
table_head_row(struct table *t)
{
	t->done = true;
}

/*
 * libcsv reuses its buffer for the next field, so a chosen one is copied: a
 * short one with what lies behind it, which costs two instructions.
 */
static __attribute__((noinline)) void
keep(struct table *t, const char *text, size_t len, bool over)
{
	struct cell *kept = &t->chosen.kept[t->next];
	char *to = t->copy + t->used;

	if (over)
		len = 0;
	if (len <= SHORT)
		memcpy(to, text, SHORT);
	else
		memcpy(to, text, len);
	kept->text = to;
	kept->len = len;
	kept->missing = over;
	t->used += len;
	t->want = t->chosen.columns[++t->next];
}

/* Most fields are not wanted: keep() apart leaves them few instructions. */
void
table_data_field(void *text, size_t len, void *table)
{
	struct table *t = table;
	bool over = t->over;

	t->over = false;
	if (t->fields++ == t->want)
		keep(t, text, len, over || len > TABLE_CELL);
}

void
table_data_row(struct table *t)
{
	const struct chosen *chosen = &t->chosen;
	const struct cell *cells = chosen->kept;
	size_t i;

	for (i = t->next; t->want != SIZE_MAX; i++) {
		chosen->kept[i] = (struct cell){ "", 0, true };
		t->want = chosen->columns[i + 1];
	}
	if (!chosen->same) {
		for (i = 0; i < chosen->count; i++)
			chosen->cells[i] = chosen->kept[chosen->place[i]];
		cells = chosen->cells;
	}
	chosen->record(chosen->arg, cells, t->fields);
	t->next = 0;
	t->used = TABLE_BEFORE;
	t->want = chosen->columns[0];
}
