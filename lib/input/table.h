/*
 * table: CSV on a file descriptor to cells in chosen columns.
 *
 * Only the sources of table use libcsv.  RFC 4180 quoting, CRLF, byte-order
 * marks, a missing last newline, NULs, blank lines (a record with one empty
 * cell) and an unclosed quote (it ends with the input) are read as people mean
 * them.  The header is public; no message speaks about a data record.
 */
#pragma once

#include <sys/types.h>

#include "number/taint.h"
#include "tool/opts.h"
#include "view.h"

#define TABLE_CELL 65536	/* a longer cell is bad, and not buffered */
#define TABLE_BEFORE 64

/*
 * A cell of the current record; not terminated, valid until the next record.
 * TABLE_BEFORE bytes before a cell's text are readable, if the cell is not
 * missing.
 */
struct cell {
	const char *text;
	size_t len;
	bool missing;		/* no such field, or over-long: len is 0 */
};

/* The contract says that a cell's column is public. */
static inline void
cell_public(const struct cell *cell)
{
	taint_public(cell, sizeof(*cell));
	taint_public(cell->text, cell->len);
}

struct table;

/* Gets the chosen cells of a record, and the record's number of fields. */
typedef void table_record(void *arg, const struct cell *cells, size_t fields);

/*
 * Opens CSV on fd, which stays open, and reads the header, if any.  The way to
 * read (NULL: the fastest) changes no result.  A read error, a lack of memory
 * and a missing header are status 1.
 *
 * A header is public, so the first line must be a header: a line that may be a
 * record, or more than a line, is status 2, and the words quote nothing.  Only
 * then may messages name columns.  A wrong delimiter or a lost quote can make a
 * name of private rows: such a name has a line end, or text after a quote.  A
 * forgotten -H makes names of a private row: then some name is a number or
 * another value, or no name was asked for, and no name is printed.
 */
struct table_how;
struct table_form {
	char delimiter;
	enum header header;
	bool unquoted;		/* a quote is a character like any other */
	const struct schema *schema;	/* or NULL; see table_numbers */
	bool grouped;		/* the rows of --sql's query, in CSV, or
				   between tabs and without quotes */
};
struct table *table_open(int fd, const char *name,
    const struct table_form *form, const struct table_how *how);

/*
 * The records: FILE, on descriptor 0, or standard input.  With --sql a table
 * that reads nothing, and has the columns that options name.
 */
struct table *table_input(const struct opts *o);

/*
 * The call to make once, before the first record from table_input is read: no
 * tool has another way to a record.  NULL: none.
 */
void table_first(void (*call)(void *arg), void *arg);

/* The column with a name or a number from 1; status 1 if none has. */
size_t table_find(struct table *t, const char *want);

/*
 * Columns named by arg: arg is a header name, or a list of names and numbers
 * from 1, names with commas quoted as in CSV.  Allocates *cols for the caller
 * to free, and returns the number of columns.  An unknown or ambiguous name is
 * status 1.
 */
size_t table_columns(struct table *t, const char *arg, size_t **cols);

/* An option's column; an option that names several is status 2. */
size_t table_column(struct table *t, const char *option,
    const char *arg);

/*
 * The columns without -c: the header's columns that no argument among n (NULL:
 * no column) names.  More than `most' columns are status 2, as a choice would
 * be a guess.  Without a header: the first `least' columns.
 */
size_t table_rest(struct table *t, const char *const *named, size_t n,
    size_t least, size_t most, size_t **cols);

/*
 * Column c's name up to the first NUL, for the output or a message.  It is the
 * column's number if there is no header, or if no option has named a column of
 * the header.
 */
const char *table_name(struct table *t, size_t c);

/* The header's text of a column, which is not to be printed. */
const char *table_header(const struct table *t, size_t c);

/*
 * The columns that the query of --sql adds: the number of equal rows, whose
 * name begins with TABLE_OWN and is that of a query, and the end mark.
 * table_counted is the name; status 1 without such a column.
 */
#define TABLE_OWN "dputils_"
#define TABLE_END TABLE_OWN "end"
const char *table_counted(const struct table *t);

/* In the place of a column: the number of a person's rows, folded. */
#define TABLE_ROWS "rows"

bool table_has(const struct table *t, const char *name);

/* Does table_name give names? */
bool table_named(const struct table *t);

/* Names may be printed from now on: the file is public, or the curator asks. */
void table_show(struct table *t);

/* Is the header one name, with a character in it that often delimits? */
bool table_doubtful(const struct table *t);

/* The header's fields; 0 without a header. */
size_t table_width(const struct table *t);

/*
 * What a tolerant reader passes over: quotes where RFC 4180 has none, cells
 * over several lines, and a quote that is never closed, so that its cell takes
 * the rest of the input.
 */
enum quotes_state {
	QUOTES_START,		/* of a cell */
	QUOTES_PLAIN,		/* in a cell without quotes */
	QUOTES_INSIDE,		/* in a quoted cell, from line `opened` on */
	QUOTES_CLOSED		/* after a quote that may be the last */
};

/* Quotes in a plain cell, text after a closing quote, cells of lines. */
enum quotes_kind { QUOTES_WITHIN, QUOTES_AFTER, QUOTES_LINES, QUOTES_KINDS };

/* How many, and the first one's line in the input. */
struct quotes_count {
	uint64_t count;
	uint64_t line;
};

struct quotes {
	char delimiter;
	enum quotes_state state;
	uint64_t line;		/* the last byte's */
	uint64_t opened;	/* line of the last opening quote */
	struct quotes_count seen[QUOTES_KINDS];
};

/* The input's next n bytes; line is to be set before the first. */
void quotes_feed(struct quotes *q, const char *s, size_t n);

/*
 * From here on q gets the input's bytes, too, for --check.  Without a header
 * only the curator may learn that the input is not CSV.
 */
void table_quotes(struct table *t, struct quotes *q);

/*
 * Reads the remaining records: the k chosen cells of each, in the order of
 * cols.  A read error and a lack of memory are status 1.
 */
void table_read(struct table *t, const size_t *cols, size_t k,
    table_record *record, void *arg);

/*
 * Reading by several threads.  The records in a piece of the input become a
 * batch: record adds a record and forget empties the batch, in any thread; take
 * uses up the batch, in the caller's thread and in input order.
 */
struct table_crew {
	unsigned threads;	/* the caller's thread included */
	void **batch;		/* TABLE_BATCHES(threads) batches */
	table_record *record;
	void (*forget)(void *batch);
	void (*take)(void *batch);
};

#define TABLE_PIECE 65535	/* bytes that a thread takes at once */
#define TABLE_BATCHES(threads) ((size_t)(threads) + 2)

/*
 * table_read by several threads, where table_left is not negative: every record
 * once and in order.
 */
void table_read_pieces(struct table *t, const size_t *cols, size_t k,
    const struct table_crew *crew);

/*
 * With a schema a chosen cell comes as its column's view has it (view.h): as a
 * key, or as a number in the slots that number[] names, of which it has one for
 * each slot.  A cell without the form of its column comes as missing, or,
 * unless somebody asks why, as a text that is no number; table_raw gives the
 * text that stood there.
 */
void table_numbers(struct table *t, const bool *number, bool why);
struct label table_raw(const struct table *t, const struct cell *cell);

/* The view of a column; NULL without a schema. */
const struct column_view *table_view(struct table *t, size_t column);

/* The column of the file: a view of it has a number of its own. */
size_t table_real(const struct table *t, size_t column);

/* Are both, or what they are views of, one column of the file? */
bool table_same(const struct table *t, size_t one, size_t other);

/* Bytes left in a regular file; -1: no regular file. */
off_t table_left(const struct table *t);

void table_close(struct table *t);
