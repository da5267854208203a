/*
 * table_state: a table's state during reading, and the steps of reading, for
 * the sources of table and for tests.
 */
#pragma once

#include <csv.h>
#include <string.h>

#include "ids.h"
#include "table.h"
#include "table_marks.h"
#include "view.h"

#define TABLE_MARK "\357\273\277"	/* UTF-8 byte-order mark */
#define TABLE_MARK_LEN 3
/*
 * Bytes that the checks for the mark and a magic number may read one by one
 * before a whole read follows: 3 and 4.
 */
#define TABLE_FIRST 16
#define TABLE_READ 131072	/* bytes asked of the kernel at once */

/* How to read; no result depends on the way. */
struct table_how {
	size_t read;		/* bytes asked of the kernel at once */
	marks_fn *marks;	/* NULL: libcsv reads everything */
	size_t piece;		/* bytes that a thread takes at once */
};

struct names {
	char **list;		/* each up to the first NUL */
	size_t count;
	size_t room;
};

/* The chosen columns and their cells. */
struct chosen {
	size_t *cols;		/* by slot, in the caller's order */
	struct cell *cells;	/* by slot */
	size_t count;		/* of slots */
	table_record *record;
	void *arg;
	struct meaning *meaning;	/* by slot, with a schema; */
	struct known *known;	/* and the cells that they have met */
};

/*
 * How a slot's cell is read by the schema.  Most cells mean what they say, and
 * need no map: words that are no codes, and numbers of digits with a point,
 * where a key has no needless zeros.  Dates and words for yes and no come again
 * and again, and what they mean is known.
 */
enum meaning_quick { QUICK_NONE, QUICK_KNOWN, QUICK_WORD, QUICK_FIGURE,
	QUICK_NUMBER };

struct meaning {
	const struct column_view *view;	/* NULL: as text */
	bool number;
	enum meaning_quick quick;
	bool whole;		/* plain numbers have no point */
	bool units;		/* may stand around them */
	uint64_t codes;		/* the lengths of codes, or of any cell */
	struct label raw;	/* the cell before the map */
	char room[SCHEMA_BEFORE + SCHEMA_ROOM];
};

/*
 * A short cell of a slot, and what it means: a function of its bytes alone, so
 * that nothing tells whether it was known.  A record's later slots may take the
 * place of the earlier ones, so each cell is a copy in its slot's room.
 */
struct known {
	const struct meaning *slot;	/* NULL: no cell */
	bool missing;
	unsigned char len;
	struct id id;
	char text[ID_NEAR];
};

/* Columns beyond these are views, in the order in which they were named. */
#define TABLE_VIEW (SIZE_MAX / 2)

struct table_views {
	struct column_view **at;
	size_t *column;		/* of the file */
	size_t n;
};

struct table {
	int fd;
	const char *name;
	struct table_how how;
	struct table_form form;
	struct table_views *views;	/* of this table; not of a thread's */
	const bool *number;	/* of table_numbers; NULL: all are keys */
	bool why;		/* a number is none is asked */

	char *room;		/* buf's room, from TABLE_BEFORE bytes before */
	char *buf;		/* bytes pos..end-1 are not yet parsed */
	size_t pos;
	size_t end;
	bool eof;
	char last;		/* byte read so far */
	bool by_place;		/* read by place, not in sequence: */
	off_t at;		/* the place of the byte after buf's last, */
	off_t limit;		/* and of the first unwanted byte */

	struct csv_parser csv;
	size_t fields;		/* complete fields in the current record */
	bool over;		/* the current cell was cut */
	bool cr;		/* the last record ended in CR: LF may follow */

	struct marks marks;

	struct quotes *quotes;	/* NULL: nobody asks */

	struct names header;	/* none without a header */
	bool named;		/* may its names be printed? */
	struct names numbers;

	struct chosen chosen;
	char *copy;		/* its cells: room for the longest, and for a
				   cell that nobody reads */
	size_t used;
};

/* A table that has read nothing yet. */
struct table *table_new(int fd, const char *name,
    const struct table_form *form, const struct table_how *how);

/*
 * The columns to read, and the function that gets records; the caller keeps
 * cols.
 */
void table_choose(struct table *t, const size_t *cols, size_t k,
    table_record *record, void *arg);
void table_unchoose(struct table *t);

/* Makes table_first's call, if t has records and the call was not made. */
void table_begin(const struct table *t);

/* Reads file bytes into buf, which must be used up; false without bytes. */
bool table_fill(struct table *t);

/* Parses buf, and leaves an unfinished record to libcsv. */
void table_parse(struct table *t);

/*
 * table_meaning.c: the views of the chosen columns, and a record's cells by
 * these views.
 */
/* Is it a column of --sql's own? */
bool table_is_own(const struct table *t, size_t column);
const struct column_view *table_view_add(struct table *t, size_t column,
    const struct column_view *view);
void table_views_free(struct table_views *v);
void table_mean(struct table *t, const size_t *cols);
void table_unmean(struct table *t);
void table_translate(struct known *known, struct meaning *m, struct cell *cell);

/* Is the cell read without the map?  False: nothing is known. */
static inline bool
table_stands(const struct meaning *m, const struct cell *cell)
{
	const char *c = cell->text;

	if (m->codes >> (cell->len & 63) & 1 || m->quick <= QUICK_KNOWN)
		return false;
	if (m->quick == QUICK_FIGURE)
		return m->number && fixed_is_plain(c, cell->len, m->whole);
	/* between blanks there may be a code */
	return cell->len > 0 && *c > ' ' && c[cell->len - 1] > ' ' &&
	    (m->quick == QUICK_WORD || cell->len < SCHEMA_BEFORE);
}

/* Gives the caller the record with these cells. */
static inline void
table_give(struct table *t, size_t fields)
{
	struct meaning *m = t->chosen.meaning;

	for (size_t i = 0; m != NULL && i < t->chosen.count; i++, m++)
		if (!table_stands(m, &t->chosen.cells[i]))
			table_translate(t->chosen.known, m,
			    &t->chosen.cells[i]);
	t->chosen.record(t->chosen.arg, t->chosen.cells, fields);
}

/*
 * Takes a byte-order mark off the first cell of every record, so that a record
 * means the same wherever it stands.
 */
static inline void
table_unmark(struct cell *cell)
{
	if (cell->len < TABLE_MARK_LEN ||
	    memcmp(cell->text, TABLE_MARK, TABLE_MARK_LEN) != 0)
		return;
	cell->text += TABLE_MARK_LEN;
	cell->len -= TABLE_MARK_LEN;
}

/* table_csv.c: gives n bytes to libcsv, or tells libcsv the input's end. */
void table_start(struct table *t);
void table_csv_quote(struct csv_parser *csv, const struct table_form *form);
void table_feed(struct table *t, const char *s, size_t n);
/* Up to the first line end, or n bytes; returns how many. */
size_t table_feed_line(struct table *t, const char *s, size_t n);
void table_end(struct table *t);
/* Is libcsv between two records?  Blanks may have come. */
bool table_between(const struct table *t);

/* table_scan.c: reads buf. */
void table_scan(struct table *t);

/* table_names.c */
void names_free(struct names *names);
/*
 * Reads the first line, line end included.  Ends the program, status 2, where
 * the line is no header.
 */
void names_header(struct table *t, const struct text *line,
    enum header header);
/* A table of the columns that options name, with nothing to read. */
struct table *names_table(const struct opts *o, const struct table_form *form);
/* Without a header the fields of a schema name the columns, in order. */
void names_schema(struct table *t);
