/*
 * sheet: a public CSV, of which some columns are read.
 *
 * The universe itself, a file of queries and the file of a metric are sheets.
 * All about their cells may be told.
 */
#pragma once

#include "cells.h"
#include "input/table.h"
#include "tool/opts.h"
#include "tool/text.h"

struct sheet {
	struct table *table;
	char *name;		/* in messages */
	size_t *column;		/* those that are read */
	struct cells *cell;	/* of each */
	size_t n;
	size_t rows;
};

/* Columns of a sheet by their places in cell. */
struct columns {
	size_t *at;
	size_t n;
};

/* Opens a file without a header, or with one, whose names may be numbers. */
void sheet_open(struct sheet *s, const struct opts *o, const char *option,
    const char *path, enum header header);

/* The column of this number is to be read: appends its place to a list. */
void sheet_want(struct sheet *s, struct columns *c, size_t column);

/* The same of all columns that arg names. */
void sheet_columns(struct sheet *s, struct columns *c, const char *arg);

/* Appends a name to such an arg. */
void sheet_list(struct text *arg, const char *name, size_t len);

/* The same of the first k columns of a file that has k. */
void sheet_first(struct sheet *s, size_t k);

static inline const char *
sheet_name(const struct sheet *s, size_t at)
{
	return table_name(s->table, s->column[at]);
}

/* Takes the cells of a record; a missing cell ends the program. */
void sheet_record(void *s, const struct cell *cells, size_t fields);

/* Reads all records. */
void sheet_read(struct sheet *s);

/*
 * The numbers of k columns on one decimal grid: x[record * k + column].  The
 * least number of decimals comes in, the grid's goes out; false: the grid is
 * the finest with room for `most', and some numbers are rounded.  A cell that
 * is no number (these words are added) or too large ends the program.
 */
bool sheet_numbers(const struct sheet *s, const size_t *at, size_t k,
    int64_t most, int *digits, int64_t *x, const char *words);

void sheet_close(struct sheet *s);
