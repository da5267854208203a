/* table_impl: the inside of table, shared by its sources and its tests. */
#ifndef TABLE_IMPL_H
#define TABLE_IMPL_H

#include <csv.h>
#include <stdint.h>

#include "table.h"

#define TABLE_READ 131072	/* bytes asked of the kernel at once */
#define TABLE_BETWEEN 0		/* libcsv's pstate before a record's first byte */
#define TABLE_AFTER 3		/* after what may be a closing quote */

/* How to read; the result does not depend on it. */
struct table_how {
	size_t read;		/* bytes asked of the kernel at once */
	bool (*split)(struct table *t);	/* NULL: libcsv reads it all */
};

/* A column's name, or its number where there is no name. */
struct name {
	size_t column;
	size_t len;
	char *text;
	bool usable;		/* false: over-long, or only a number */
};

struct names {
	struct name *list;
	size_t count;
	size_t room;
};

/* A chosen column and the place of its cell among those handed out. */
struct choice {
	size_t column;
	size_t slot;
};

/* What the record callbacks work on. */
struct chosen {
	struct choice *order;	/* by column; a column may come twice */
	struct cell *cells;	/* by slot */
	size_t *start;		/* of a cell in copy, by slot */
	size_t count;
	void (*record)(void *arg, const struct cell *cells, size_t fields);
	void *arg;
};

struct table {
	int fd;
	const char *name;
	struct table_how how;
	char delimiter;

	char *buf;		/* bytes pos..end-1 are not yet parsed */
	size_t pos;
	size_t end;
	bool eof;
	char last;		/* byte of the input so far */

	struct csv_parser csv;
	void (*field)(void *text, size_t len, void *table);
	void (*row)(struct table *t);
	size_t fields;		/* of the current record that are complete */
	bool over;		/* the current cell was cut */
	bool cr;		/* the last record ended in CR: LF may follow */
	bool done;		/* the header is complete */

	struct names header;
	struct names numbers;

	struct chosen chosen;
	size_t next;		/* in chosen.order */
	char *copy;		/* chosen cells of the current record */
	size_t used;
	size_t room;
};

struct table *table_open_how(int fd, const char *name, char delimiter,
    bool header, struct table_how how);

/* Bytes of the file to buf; false at its end.  buf must be used up. */
bool table_fill(struct table *t);

/* table_csv.c: gives n bytes to libcsv, or tells it of the input's end. */
void table_start(struct table *t);
void table_feed(struct table *t, const char *s, size_t n);
void table_end(struct table *t);

/* libcsv's callbacks for the header's fields and for those of records. */
void table_head_field(void *text, size_t len, void *table);
void table_head_row(struct table *t);
void table_data_field(void *text, size_t len, void *table);
void table_data_row(struct table *t);

/* table_names.c */
void names_add(struct names *names, size_t column, const char *text,
    size_t len, bool usable);
void names_free(struct names *names);

#endif
