/*
 * records: a few whole records as lines of CSV, each with its sensitivity.
 *
 * For sp-exec: the chosen columns (all without -c) are written again as CSV,
 * quoted where needed; a record may carry a sensitivity or an epsilon of its
 * own [CD20 Definition 7.1].
 */
#ifndef RECORDS_H
#define RECORDS_H

#include "exec.h"
#include "input/ids.h"
#include "sp.h"
#include "subsets.h"
#include "tool/text.h"

struct records {
	struct table *table;
	struct text head;		/* the header line */
	struct text *text;		/* of each record, or block */
	struct label line[SUBSETS_MAX];
	unsigned number[SUBSETS_MAX];	/* place in the input or slice */
	int64_t sens[SUBSETS_MAX];	/* 1 .. the public S, in steps */
	unsigned n;
	/* while reading */
	struct sp *sp;
	size_t *cols;			/* what is written, the two, --unit,
					   --slice */
	size_t k;
	size_t all;
	struct ids people;		/* with --unit */
	uint64_t total;
	uint64_t problems;
};

/* The command of sp-exec on these records, or blocks of them. */
struct exec records_exec(const struct records *r);

/*
 * Reads standard input, into sp->blocks where there are any.  Else exits with
 * status 1 on more than SUBSETS_MAX records, and leaves out a record whose
 * sensitivity rounds to 0, as it has no influence at all, and under --on-bad
 * drop one with a bad cell in either column.
 * Under --check: says what is wrong, and exits.
 */
void records_read(struct records *r, struct sp *sp);

/*
 * The value of all records: the command among the operands of r->sp is run on
 * every subset, its numbers are clamped to --range and preprocessed.  One
 * number in steps, or two in half steps; the caller frees it.
 */
int64_t *records_value(const struct records *r);

/* A number of the command clamped to its --range, if there is one. */
int64_t records_clamp(const struct sp *sp, size_t part, int64_t x);

/* Frees all but the table. */
void records_free(struct records *r);

#endif
