/*
 * describe: a first look at every column of a table.
 *
 * There is no mechanism here.  A look is made of pieces, and each is a release
 * of another tool of the family, a child, with its own share of E.
 */
#pragma once

#include "input/view.h"
#include "run/run.h"

enum piece_kind {
	PIECE_RECORDS,		/* laplace count */
	PIECE_NUMBERS,		/* laplace stats */
	PIECE_QUARTILES,	/* em-quantile */
	PIECE_KEYS,		/* laplace hist */
	PIECE_KINDS
};

struct piece {
	enum piece_kind kind;
	char *columns;		/* as in -c; NULL: none */
	const char *view;	/* the column's keys are of this view */
	size_t *at, n;		/* which of the columns it describes */
	struct rational eps;	/* its share */
	char *within;		/* of quartiles: 95 % of the noise, in
				   records; or NULL */
	char *answer;		/* what the tool printed */
};

/* One line of the look; an end is NULL where there is none. */
struct fact {
	const char *statistic, *value, *lower, *upper;
	bool bar;
};

/* What is described: the table first, without a name, and then its columns. */
struct described {
	const char *name;
	const struct schema_field *field;
	struct fact *fact;
	size_t n, room;
};

struct describe {
	struct opts opts;
	struct report report;
	struct release out;
	struct rng rng;
	struct run *run;
	bool draft;
	struct described *column;
	struct piece *piece;
	size_t columns, pieces;
	int schema;		/* its text, a file */
	int kept;		/* a pipe's bytes, a file; or -1 */
	off_t start;		/* where the input begins */
	u128 bytes;		/* of an answer to a table without records */
};

/* A line for a column. */
void describe_add(struct describe *d, size_t column, struct fact fact);

/* pieces.c: which releases make the look, from the schema alone. */
void pieces_choose(struct describe *d);

/*
 * Divides E, and tries every piece on a table without records: a header, or
 * without one (-1) by --explain.  What a tool refuses of such public facts ends
 * the program.
 */
void pieces_try(struct describe *d, int header);

/* For --explain and --verbose: each piece as a command. */
void pieces_say(const struct describe *d, struct text *out);

/*
 * child.c: the tool of a piece, with one more option (or NULL), on this input
 * (-1: none); its status.  The caller frees what it printed.
 */
int child_run(const struct describe *d, const struct piece *p,
    const char *option, int input, char **out, char **err);

/* The last line of a tool's words, without its name. */
char *child_words(char *err);

/* show.c: the facts of a piece's answer; and the whole look. */
void show_take(struct describe *d, const struct piece *p);
void show_all(const struct describe *d, struct text *out);

/* draft.c: --draft, which prints a schema to begin with, and exits. */
noreturn void draft_print(struct opts *o);
