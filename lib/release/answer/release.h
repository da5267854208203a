/*
 * release: one output, whole or not at all.
 *
 * Memory gathers the release, one path writes the release at the end, and the
 * close is checked.  A full disk is status 1; a closed pipe is quiet.
 *
 * A release is a table.  A tool declares the columns once,
 *	release_table, release_group, release_key, release_answer, and
 *	release_header at the end,
 * and then gives row by row: the number of the release, the labels and the
 * answers.  CSV and TSV print the table; JSON prints an object for each answer,
 * plain text a line for each answer.
 */
#pragma once

#include "input/schema.h"
#include "release/plan/report.h"

/*
 * A released value on the printed grid, and with --interval the interval's
 * ends.
 */
struct answer {
	i128 value, lower, upper;
};

/* A label column, or an answer column with decimals and JSON members. */
struct release_column {
	char *name;
	char *tail;
	int digits;	/* printed, of this release */
	const struct schema_field *date;	/* its answers are dates, or
						   NULL */
	struct rational error95;	/* at the declaration, or */
	i128 half;	/* half of the widest interval, with `most' decimals */
	int most;	/* decimals of the answers before release_follow */
	double error;	/* the least 95 % error of a record, or 0 */
};

/* A release on the way to stdout. */
struct release {
	struct text text;
	/* set by release_table */
	const struct report *report;
	char *head;		/* JSON before a value */
	/* set by the declarations */
	enum format format;	/* after release_header: never the default */
	struct release_column *column;	/* labels first, then answers */
	size_t labels, answers;
	bool has_key;		/* the last label is a key */
	bool follows;		/* a column has an error, and n comes with the
				   draws */
	double n;		/* most records that a group of the release
				   may have */
	/* set before release_row: a text in place of answers */
	const struct label *word;
};

#define RELEASE_INIT { .text = TEXT_INIT }

/*
 * Prints the report where --verbose is given, and starts a table in the format
 * that r->opts names.  r must stay until all is printed.
 */
void release_table(struct release *out, const struct report *r);

/* A label column: a --group column, or the keys, which come last. */
void release_group(struct release *out, const char *column);
void release_key(struct release *out, const char *column);

/*
 * An answer column, printed with `digits' decimals and called column_what; NULL
 * leaves out a part.  JSON describes the values by the report at the time of
 * the call, so that a tool with several scales changes the report between two
 * calls.
 */
void release_answer(struct release *out, const char *column, const char *what,
    int digits);

/*
 * Ends the declarations.  Without --format the release is CSV if an answer
 * needs a name (beside labels or more answers), or plain.
 */
void release_header(struct release *out);

/* Before the answers of a release: their decimals are the declared ones. */
void release_begin(struct release *out);

/*
 * Printed decimals follow the noise: a column with an error, for one record,
 * loses all after the second digit of error / n.  The error is public, and n
 * public or released.
 */
void release_follow(struct release *out, struct answer *rows, size_t n);

/*
 * A row in release number `rel' (from 1): the labels (NULL: no label columns)
 * and the answers, in the order of the declarations.
 */
void release_row(struct release *out, uint64_t rel, const struct label *label,
    const struct answer *answer);

/*
 * For a terminal, after the release: one line of how good it is, from what is
 * public and from released numbers.
 */
void release_tell(const struct release *out);

/*
 * The answer for a noisy x on a grid with `from' decimals, printed with `to': x
 * rounded halves up, and x -+ reach rounded outwards.  Rounding after the noise
 * costs nothing.
 */
struct answer answer_make(i128 x, i128 reach, int from, int to);

/* The q-quantile's name: "p25" for 1/4; buf holds FIXED_TEXT. */
char *answer_percentile(char *buf, struct rational q);
