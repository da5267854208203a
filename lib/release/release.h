/*
 * release: one output, whole or not at all.
 *
 * Everything is gathered in memory, written by one path at the end, and the
 * close is checked.  A full disk is status 1; a closed pipe is quiet.
 *
 * A release is a table.  A tool declares its columns once,
 *	release_table, release_group, release_key, release_answer, and
 *	release_header at the end,
 * and then gives it row by row: a row has the number of the release, its
 * labels and all its answers.  CSV and TSV print the table; JSON prints an
 * object for each answer, plain text a line for each.
 */
#ifndef RELEASE_H
#define RELEASE_H

#include "number/fixed.h"
#include "report.h"
#include "tool/text.h"

/*
 * One value of a release on the grid that is printed, and with --interval the
 * ends of its interval (else nothing looks at them).
 */
struct answer {
	i128 value, lower, upper;
};

/* A column: of labels, or of answers with their decimals and JSON members. */
struct release_column {
	char *name;
	char *tail;
	int digits;
};

/* What is on its way to stdout. */
struct release {
	struct text text;
	/* set by release_table */
	const struct report *report;
	char *head;		/* JSON before a value */
	struct ledger *ledger;	/* NULL: none */
	/* set by the declarations */
	enum format format;	/* after release_header: never the default */
	struct release_column *column;	/* labels first, then answers */
	size_t labels, answers;
	bool has_key;		/* the last label is a key */
	/* set before release_row: a text in place of every answer */
	const struct label *word;
};

#define RELEASE_INIT { .text = TEXT_INIT }

/*
 * The last step before input is looked at: prints --explain and exits; opens
 * the ledger and asks it.  A retry of a stored release prints its bytes and
 * exits; what the ledger refuses ends with status 3.  A tool that finds its
 * epsilon in its input calls this twice: without it only a retry is answered.
 */
void release_prepare(struct release *out, const struct report *r);

/*
 * Starts a table in the format of r->opts.  r must stay until release_flush.
 */
void release_table(struct release *out, const struct report *r);

/* A column of labels: one of --group by its name, or the keys, the last. */
void release_group(struct release *out, const char *column);
void release_key(struct release *out, const char *column);

/*
 * A column of answers, printed with so many decimals: called column_what, or
 * by the one that is given, or by neither (NULL).  JSON describes its values
 * by the report as it stands at this call, so that a tool whose answers differ
 * in scale changes the report between two calls.
 */
void release_answer(struct release *out, const char *column, const char *what,
    int digits);

/*
 * Ends the declarations.  Where no format was asked for it becomes CSV if an
 * answer needs a name (there are labels, or several answers), else plain.
 */
void release_header(struct release *out);

/*
 * One row of release number `rel` (from 1): all labels, in the order declared
 * (NULL where there are none), and all answers.
 */
void release_row(struct release *out, uint64_t rel, const struct label *label,
    const struct answer *answer);

/*
 * The answer for x on a grid of `from` decimals, which carries noise, printed
 * with `to` decimals: x rounded halves up, and x -+ reach rounded outwards.
 * All this comes after the noise, so that it costs nothing.
 */
struct answer answer_make(i128 x, i128 reach, int from, int to);

/* What the q-quantile is called: "p25" for 1/4; buf holds FIXED_TEXT. */
char *answer_percentile(char *buf, struct rational q);

/*
 * Charges the ledger, if there is one; then writes everything to stdout,
 * closes it, frees; status 1 on failure.
 */
void release_flush(struct release *out);

#endif
