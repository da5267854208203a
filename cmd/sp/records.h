/*
 * records: a few whole records as lines of CSV, each with its sensitivity.
 *
 * For sp-exec: the chosen columns (all without -c) are written again as CSV,
 * quoted where needed; a record may carry a sensitivity or an epsilon of its
 * own [CD20 Definition 7.1].
 */
#ifndef RECORDS_H
#define RECORDS_H

#include "sp.h"
#include "subsets.h"
#include "tool/text.h"

struct records {
	struct table *table;
	struct text head;		/* the header line */
	struct text text[SUBSETS_MAX];
	struct label line[SUBSETS_MAX];
	unsigned number[SUBSETS_MAX];	/* place in the input or slice */
	int64_t sens[SUBSETS_MAX];	/* 1 .. the public S, in steps */
	unsigned n;
	/* while reading */
	const struct sp *sp;
	size_t *cols;			/* what is written, the two, --slice */
	size_t k;
	size_t all;
	bool has_sens, has_eps;
	uint64_t total;
	uint64_t problems;
};

/*
 * Reads standard input.  Exits with status 1 on more than SUBSETS_MAX records.
 * A record whose sensitivity rounds to 0 has no influence at all and is left
 * out; so is one with a bad cell in either column under --on-bad drop.  Names
 * of columns may be NULL.  Under --check: says what is wrong, and exits.
 */
void records_read(struct records *r, const struct sp *sp,
    const char *sens_column, const char *eps_column);

/*
 * The value of all records: the command among the operands of r->sp is run on
 * every subset, its numbers are clamped to --range and preprocessed.  One
 * number in steps, or two in half steps; the caller frees it.
 */
int64_t *records_value(const struct records *r);

/* Frees all but the table. */
void records_free(struct records *r);

#endif
