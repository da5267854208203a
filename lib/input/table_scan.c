/*
 * table_scan: records without libcsv.
 *
 * A record without odd bytes (table_marks.c) has one meaning, to libcsv and to
 * anyone.  Cells stand between delimiters outside quotes; they lose the blanks
 * and tabs around them, then the quotes; doubled quotes become single; all
 * other bytes, NULs too, are plain. table_scan cuts such records straight out
 * of the read buffer; unused columns are not even looked at.  An odd record
 * goes to libcsv, line by line until libcsv is between records again, and so
 * does an unfinished record at the buffer's end, which saves moving the bytes.
 * tests/prop/table.c and tests/fuzz/table_paths.c hold the two paths against
 * each other.
 */

#include "table_state.h"

#define ODD 4096	/* bytes for libcsv at once behind an odd record */

/* A delimiter is none. */
static inline bool
is_blank(const struct table *t, char c)
{
	return (c == ' ' || c == '\t') && c != t->delimiter;
}

/* Makes doubled quotes single in a copy, which has room for each cell. */
static __attribute__((noinline)) void
single_quotes(const struct table *t, struct cell *cell)
{
	size_t slot = (size_t)(cell - t->chosen.cells), n = 0;
	char *copy = t->copy + TABLE_BEFORE + slot * (TABLE_CELL + 1);

	for (size_t i = 0; i < cell->len && n <= TABLE_CELL; i++) {
		i += cell->text[i] == '"';
		copy[n++] = cell->text[i];
	}
	cell->text = copy;
	cell->len = n;
}

/* The cell in s..end-1, where a CR at the end belongs to the line ending. */
static inline void
cut(const struct table *t, struct cell *cell, const char *s, const char *end)
{
	end -= s < end && end[-1] == '\r';
	if (s < end && *s == '"') {
		cell->text = s + 1;
		cell->len = (size_t)(end - s) - 2;
		if (memchr(cell->text, '"', cell->len) != NULL)
			single_quotes(t, cell);
	} else {
		while (s < end && *s <= ' ' && is_blank(t, *s))
			s++;
		while (s < end && end[-1] <= ' ' && is_blank(t, end[-1]))
			end--;
		cell->text = s;
		cell->len = (size_t)(end - s);
	}
	cell->missing = cell->len > TABLE_CELL;
	/* cppcheck-suppress knownConditionTrueFalse; it is not */
	if (cell->missing)
		cell->len = 0;
}

/* Where in marked bytes the next record begins. */
struct spot {
	size_t start;		/* a byte, */
	size_t line;		/* the place of the line's LF in the marks, */
	size_t sep;		/* and of the first separator */
	size_t fields;		/* of the record */
};

/*
 * Finds the record's end: most records have as many fields as the last.
 */
static inline size_t
find_end(struct spot *p, const struct marks *m)
{
	uint32_t end = m->line[p->line];
	size_t last = p->sep + p->fields - 1;

	if (last >= m->seps || m->sep[last] != end) {
		for (last = p->sep; m->sep[last] != end; last++)
			;
		p->fields = last - p->sep + 1;
	}
	return end;
}

/* Reads the marked records at s; returns their bytes. */
static size_t
records(struct table *t, const char *s)
{
	const struct chosen *c = &t->chosen;
	const struct marks m = t->marks;
	const size_t *cols = c->cols;
	struct cell *cells = c->cells;
	struct spot p = { 0, 0, 0, 1 };
	size_t column, from, end;
	const uint32_t *sep;

	while (p.line < m.lines) {
		end = find_end(&p, &m);
		sep = m.sep + p.sep;
		for (size_t i = 0; i < c->count; i++) {
			column = cols[i];
			if (column >= p.fields) {
				cells[i] = (struct cell){ "", 0, true };
				continue;
			}
			from = column == 0 ? p.start :
			    (size_t)sep[column - 1] + 1;
			cut(t, &cells[i], s + from, s + sep[column]);
			if (column == 0)
				table_unmark(&cells[i]);
		}
		c->record(c->arg, cells, p.fields);
		p.start = end + 1;
		p.sep += p.fields;
		p.line++;
	}
	return p.start;
}

/*
 * Marks and reads records, and then an odd record, if any.  Odd records often
 * come together, so libcsv gets many at once.
 */
static size_t
step(struct table *t, const char *s, size_t n)
{
	size_t used;

	t->how.marks(&t->marks, s, n, t->delimiter);
	used = records(t, s);
	if (used > 0 && t->marks.odd != SIZE_MAX)
		used += table_feed_line(t, s + used, n - used);
	if (used > 0)
		return used;
	if (t->marks.odd != SIZE_MAX && n > ODD)
		n = ODD;
	table_feed(t, s, n);
	return n;
}

/* Behind a CR libcsv knows whether an LF belongs to it. */
void
table_scan(struct table *t)
{
	while (t->pos < t->end) {
		const char *s = t->buf + t->pos;
		size_t n = t->end - t->pos;

		if (table_between(t) && !t->cr)
			t->pos += step(t, s, n);
		else
			t->pos += table_feed_line(t, s, n);
	}
}
