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

/* Where in a marked window the next line begins. */
struct spot {
	const char *s;		/* the window, */
	size_t start;		/* a byte, */
	size_t line;		/* the place of its LF in the marks, */
	size_t sep;		/* and of its first separator */
	size_t fields;		/* of the line */
};

/*
 * Finds the end of the line: lines mostly have as many fields as the one
 * before.
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

/* Passes over the line that ends there. */
static inline void
next_line(struct spot *p, size_t end)
{
	p->start = end + 1;
	p->sep += p->fields;
	p->line++;
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
	while (s < end && *s <= ' ' && is_blank(t, *s))
		s++;
	while (s < end && end[-1] <= ' ' && is_blank(t, end[-1]))
		end--;
	cell->text = s;
	cell->len = (size_t)(end - s);
	cell->missing = cell->len > TABLE_CELL;
	/* cppcheck-suppress knownConditionTrueFalse; it is not */
	if (cell->missing)
		cell->len = 0;
}

/* Plain records from p up to the next hard line. */
static inline void
plain(struct table *t, struct spot *p, size_t hard)
{
	const struct chosen c = t->chosen;
	const struct marks m = t->marks;
	size_t i, column, from, end;
	const uint32_t *sep;

	while (p->line < m.lines && (end = find_end(p, &m)) < hard) {
		sep = m.sep + p->sep;
		for (i = 0; i < c.count; i++) {
			column = c.cols[i];
			if (column >= p->fields) {
				c.cells[i] = (struct cell){ "", 0, true };
				continue;
			}
			from = column == 0 ? p->start :
			    (size_t)sep[column - 1] + 1;
			cut(t, &c.cells[i], p->s + from, p->s + sep[column]);
		}
		c.record(c.arg, c.cells, p->fields);
		next_line(p, end);
	}
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
	struct spot p = { s, 0, 0, 0, 1 };
	size_t end;

	while (p.line < m->lines && t->streak < STREAK) {
		end = find_end(&p, m);
		if (*hard < end || !between(t)) {
			table_feed(t, s + p.start, end + 1 - p.start);
			while (*hard < end)
				hard++;
			t->streak++;
			next_line(&p, end);
			continue;
		}
		t->streak = 0;
		if (t->cr && all_blank(t, s + p.start, s + end))
			next_line(&p, end);
		else
			plain(t, &p, *hard);
		t->cr = false;
	}
	return p.start;
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
