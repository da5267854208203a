/*
 * table_scan: plain records without libcsv.
 *
 * A record without quotes, and without CR but directly before its LF, means
 * the same to libcsv and to anyone: cells are what stands between delimiters,
 * without blanks and tabs around it, and its line ending ends it.  NULs and
 * all other bytes are plain.  Such records are cut here, straight out of the
 * read buffer; unused columns are not even looked at.  Every other record
 * goes to libcsv, line by line until libcsv is between records again (a
 * quoted LF does not end one), and so does what is unfinished at the buffer's
 * end, which saves moving it.
 *
 * Where quoted records follow each other libcsv gets larger blocks: it reads
 * plain records as well, only slower, so where to switch is a question of
 * speed alone.  tests/prop/table.c and tests/fuzz/table.c hold both paths
 * against each other.
 */
#include <string.h>

#include "table_impl.h"

#define STREAK 8	/* hard records in a row after which blocks go */
#define BLOCK 16384

static bool
between(const struct table *t)
{
	return t->csv.pstate == TABLE_BETWEEN;
}

/* A delimiter is none. */
static inline bool
is_blank(const struct table *t, char c)
{
	return (c == ' ' || c == '\t') && c != t->delimiter;
}

/* Nothing but blanks, which after a CR are a part of the line ending. */
static bool
all_blank(const struct table *t, const char *s, const char *end)
{
	while (s < end && is_blank(t, *s))
		s++;
	return s == end;
}

/* The cell in s..end-1, where a CR at the end belongs to the line ending. */
static inline void
cut(const struct table *t, struct cell *cell, const char *s, const char *end)
{
	end -= s < end && end[-1] == '\r';
	while (s < end && is_blank(t, *s))
		s++;
	while (s < end && is_blank(t, end[-1]))
		end--;
	cell->text = s;
	cell->len = (size_t)(end - s);
	cell->missing = cell->len > TABLE_CELL;
	if (cell->missing)
		cell->len = 0;
}

/* One plain record: start in s, its separators, its number of fields. */
static inline void
plain(struct table *t, const char *s, size_t start, const uint32_t *sep,
    size_t fields)
{
	const struct chosen *chosen = &t->chosen;
	struct cell *cell = chosen->cells;
	size_t i, column, from;

	for (i = 0; i < chosen->count; i++, cell++) {
		column = chosen->cols[i];
		if (column >= fields) {
			*cell = (struct cell){ "", 0, true };
			continue;
		}
		from = column == 0 ? start : (size_t)sep[column - 1] + 1;
		cut(t, cell, s + from, s + sep[column]);
	}
	chosen->record(chosen->arg, chosen->cells, fields);
}

/*
 * Reads the complete lines of the marked window at s, or fewer when hard
 * ones follow each other; returns the bytes used.
 */
static size_t
lines(struct table *t, const char *s)
{
	const struct marks *m = &t->marks;
	const uint32_t *hard = m->hard;
	size_t r, end, start = 0, first = 0;

	for (r = 0; r < m->lines && t->streak < STREAK; r++) {
		end = m->sep[m->line[r]];
		if (*hard < end || !between(t)) {
			table_feed(t, s + start, end + 1 - start);
			while (*hard < end)
				hard++;
			t->streak++;
		} else if (t->cr && all_blank(t, s + start, s + end)) {
			t->cr = false;
		} else {
			t->cr = false;
			t->streak = 0;
			plain(t, s, start, m->sep + first,
			    m->line[r] - first + 1);
		}
		first = (size_t)m->line[r] + 1;
		start = end + 1;
	}
	return start;
}

/* What of n bytes at s to give to libcsv while it must have them. */
static size_t
block(const struct table *t, const char *s, size_t n)
{
	const char *end;

	if (!between(t))
		end = memchr(s, '\n', n);
	else
		end = memrchr(s, '\n', n < BLOCK ? n : BLOCK);
	return end == NULL ? n : (size_t)(end - s) + 1;
}

/* Reads on from n bytes at s; returns how many it used. */
static size_t
step(struct table *t, const char *s, size_t n)
{
	size_t window, used;

	if (between(t) && t->streak < STREAK) {
		window = n < t->window ? n : t->window;
		t->how.marks(&t->marks, s, window, t->delimiter);
		used = lines(t, s);
		if (window < n && (used == 0 || t->window < t->how.window))
			t->window *= 2;
		if (used > 0 || window < n)
			return used;
	} else if (between(t)) {
		t->streak--;
		t->window = t->how.window < WINDOW_MIN ? t->how.window :
		    WINDOW_MIN;
	}
	used = block(t, s, n);
	table_feed(t, s, used);
	return used;
}

void
table_scan(struct table *t)
{
	while (t->pos < t->end)
		t->pos += step(t, t->buf + t->pos, t->end - t->pos);
}
