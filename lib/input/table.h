/*
 * table: CSV on a file descriptor to cells of chosen columns.
 *
 * All of libcsv stays in here.  RFC 4180 quoting, CRLF, byte-order marks, a
 * missing last newline, NULs, blank lines (a record of one empty cell) and an
 * unclosed quote (ends with the input) are taken as people mean them.  The
 * header is public; nothing here speaks about a data record.
 */
#ifndef TABLE_H
#define TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "tool/opts.h"

#define TABLE_CELL 65536	/* a longer cell is bad and is not buffered */
#define TABLE_BEFORE 64

/*
 * A cell of the current record; not terminated, valid until the next one.
 * Unless it is missing, TABLE_BEFORE bytes before its text are readable.
 */
struct cell {
	const char *text;
	size_t len;
	bool missing;		/* no such field, or over-long: len is 0 */
};

struct table;

/*
 * Opens CSV on fd (not closed here) and reads its header, if it has one; how
 * to read (NULL: the fastest way) changes nothing else.  Exits with status 1
 * on a read error, without memory, or without the header.
 *
 * A header is public, so it must be one: a line that may be a record, or more
 * than a line, is status 2, and the words quote nothing of it.  So must it be
 * before a message may name columns: the private rows that a wrong delimiter
 * or a lost quote makes a name of have line ends in them, or text after a
 * quote, and those that a forgotten -H makes names of have numbers.
 */
struct table_how;
struct table *table_open_how(int fd, const char *name, char delimiter,
    enum header header, const struct table_how *how);

static inline struct table *
table_open(int fd, const char *name, char delimiter, enum header header)
{
	return table_open_how(fd, name, delimiter, header, NULL);
}

/* The records: FILE, which is on descriptor 0, or standard input. */
static inline struct table *
table_input(const struct opts *o, enum header header)
{
	return table_open(0, opts_input(o), o->delimiter, header);
}

/*
 * Columns named by arg: the whole of it as one header name, else a list of
 * names and 1-based numbers, names with commas quoted as in CSV.  Allocates
 * *cols; the caller frees it.  Returns their number.  Exits with status 1 for
 * an unknown or ambiguous one.
 */
size_t table_columns(const struct table *t, const char *arg, size_t **cols);

/* The same for an option that names one column; else status 2. */
size_t table_column(const struct table *t, const char *option,
    const char *arg);

/*
 * What is read without -c: a header's columns but those that the n arguments
 * name (NULL: none).  From least to most of them; where there are more, a
 * choice would be a guess: status 2.  Without a header the first `least`.
 */
size_t table_rest(const struct table *t, const char *const *named, size_t n,
    size_t least, size_t most, size_t **cols);

/* Name of column c up to its first NUL, or its number without a header. */
const char *table_name(struct table *t, size_t c);

/* Fields of the header; 0 without one. */
size_t table_width(const struct table *t);

/*
 * From here on the bytes of the input are also given to q, which is for
 * --check.  Where there is no header, only the curator may learn that they
 * are no CSV.
 */
struct quotes;
void table_quotes(struct table *t, struct quotes *q);

/*
 * Reads all remaining records and calls record with the k chosen cells of
 * each, in the order of cols, and the number of fields the record has.
 * Exits with status 1 on a read error or without memory.
 */
void table_read(struct table *t, const size_t *cols, size_t k,
    void (*record)(void *arg, const struct cell *cells, size_t fields),
    void *arg);

/*
 * How several threads read.  A batch is what the records of one piece of the
 * input become: record adds one to it and forget empties it, in any thread;
 * take uses up what is in it, in the caller's thread and in the order of the
 * input.
 */
struct table_crew {
	unsigned threads;	/* the caller's is one of them */
	void **batch;		/* TABLE_BATCHES(threads) of them */
	void (*record)(void *batch, const struct cell *cells, size_t fields);
	void (*forget)(void *batch);
	void (*take)(void *batch);
};

#define TABLE_PIECE 65535	/* bytes that a thread takes at once */
#define TABLE_BATCHES(threads) ((size_t)(threads) + 2)

/*
 * The same as table_read, where table_left is not negative: every record once
 * and in order.
 */
void table_read_pieces(struct table *t, const size_t *cols, size_t k,
    const struct table_crew *crew);

/* Bytes that are left of a regular file; -1: it is something else. */
off_t table_left(const struct table *t);

void table_close(struct table *t);

#endif
