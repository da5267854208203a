/* engine_query: what the sources of engine share. */
#pragma once

#include "input/intake.h"

#define ENGINE_CELL "\1"	/* in a template: the cell */

/* How an engine writes SQL, and who prints its rows with a header. */
struct dialect {
	const char *name;
	char quote;		/* of names */
	bool escapes;		/* backslashes in texts mean more */
	const char *text;	/* a value as its text, byte by byte */
	/*
	 * Where the client quotes nothing: a text with blanks for tabs, and for
	 * line ends with \b, which no key has.  Tabs and line ends would make
	 * further cells and rows, and end the release.
	 */
	const char *plain;
	/*
	 * With exact decimals, long enough: what stands around a text that goes
	 * without the blanks and tabs around it, as the tools' cells do; such a
	 * text as a number, or NULL; and quotient and remainder of whole
	 * numbers from 0 up.  NULL: the engine has none.
	 */
	const char *trim[2], *number, *quotient, *rest;
	const char *cell;	/* as text, of a cell: NULL if it is so long
				   that it is none in a file; NULL: as text */
	const char *client;
};

/* A column of the query's rows, c1, c2, ... on the way. */
struct query_cell {
	const char *name;
	const struct bounds *number;	/* NULL: a text */
};

struct query {
	struct text sql;
	const struct dialect *dialect;
	const char *table;
	const struct intake *in;
	const struct intake_use *use;
	struct query_cell *cell;
	size_t n;
};

/*
 * engine_steps.c: may the engine round the cells to the grid, fold the rows of
 * people and add up?  And the part of the query that does: its last table is k,
 * of cells that are NULL or whole steps, or texts, and n.
 */
bool engine_has_steps(const struct query *q);
void engine_steps(struct query *q);

/* A cell of the rows; and how the text of an engine's column is written. */
void engine_cell(struct query *q, const char *name, const struct bounds *b);
void engine_text(struct query *q, const char *column);
void engine_said(struct query *q, const char *s);

/*
 * The format of every cell's number, commas between, and then more, if
 * anything.
 */
void engine_list(struct query *q, const char *format, const char *more);
