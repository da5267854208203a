/*
 * table_scan: records without libcsv.
 *
 * A record without odd bytes (table_marks.c) has one meaning, to libcsv and to
 * anyone.  Cells stand between delimiters outside quotes; they lose their
 * quotes, of which doubled ones become single, or the blanks and tabs around
 * them; all other bytes, NULs too, are plain.  table_scan cuts such records
 * straight out of the read buffer; unused columns are not even looked at.  An
 * odd record goes to libcsv, line by line until libcsv is between records
 * again, and so does an unfinished record at the buffer's end, which saves
 * moving the bytes.
 * tests/prop/table.c and tests/fuzz/table_paths.c hold the two paths against
 * each other.
 */

#include "table_state.h"

#define ODD 4096	/* bytes for libcsv at once after an odd record */

/* A delimiter is none. */
static inline bool
is_blank(const struct table *t, char c)
{
	return (c == ' ' || c == '\t') && c != t->form.delimiter;
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
	if (s < end && *s == '"' && !t->form.unquoted) {
		cell->text = s + 1;
		cell->len = (size_t)(end - s) - 2;
		if (t->marks.doubled &&
		    memchr(cell->text, '"', cell->len) != NULL)
			single_quotes(t, cell);
	} else {
		while (s < end && *s <= ' ' && (is_blank(t, *s) ||
		    (*s == '\0' && t->form.unquoted)))
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

/*
 * The fields of the record that has separators from `first' on and ends at
 * `end'; most records have as many as the last.
 */
static inline size_t
count_fields(const struct marks *m, size_t first, uint32_t end, size_t guess)
{
	size_t last = first + guess - 1;

	if (last >= m->seps || m->sep[last] != end)
		for (last = first; m->sep[last] != end; last++)
			;
	return last - first + 1;
}

/* Reads the marked records at s; returns their bytes. */
static size_t
records(struct table *t, const char *s)
{
	const struct chosen c = t->chosen;
	const struct marks m = t->marks;
	size_t start = 0, first = 0, fields = 1, column, from;

	for (size_t line = 0; line < m.lines; line++, first += fields) {
		const uint32_t end = m.line[line], *sep = m.sep + first;

		fields = count_fields(&m, first, end, fields);
		for (size_t i = 0; i < c.count; i++) {
			column = c.cols[i];
			if (column >= fields) {
				c.cells[i] = (struct cell){ "", 0, true };
				continue;
			}
			from = column == 0 ? start :
			    (size_t)sep[column - 1] + 1;
			cut(t, &c.cells[i], s + from, s + sep[column]);
			if (column == 0)
				table_unmark(&c.cells[i]);
		}
		table_give(t, fields);
		start = (size_t)end + 1;
	}
	return start;
}

/*
 * Marks and reads records, and then an odd record, if any.  Odd records often
 * come together, so libcsv gets many at once.
 */
static size_t
step(struct table *t, const char *s, size_t n)
{
	size_t used;

	t->how.marks(&t->marks, s, n, t->form.delimiter,
	    !t->form.unquoted);
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
