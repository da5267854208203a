/*
 * records: a few whole records as CSV lines, each with a sensitivity.
 *
 * For sp-exec: the chosen columns (every column without -c) are written again
 * as CSV, quoted where needed; a record may carry a private sensitivity or
 * epsilon [CD20 Definition 7.1].
 */
#pragma once

#include "exec.h"
#include "sp.h"
#include "subsets.h"

struct records {
	struct table *table;
	struct text head;		/* the header line */
	struct text *text;		/* for each record, or block: */
	size_t texts;			/* as many at most */
	struct label *line;		/* the texts, once read */
	unsigned number[SUBSETS_MAX];	/* place in the input or slice */
	int64_t sens[SUBSETS_MAX];	/* 1 .. the public S, in steps */
	unsigned n;
	/* while reading */
	struct sp *sp;
	size_t *cols;			/* columns written, sensitivity and
					   epsilon, --unit, --slice */
	size_t k;
	size_t all;
	struct ids people;		/* with --unit */
	struct rng coins;		/* with --blocks, of records */
	int64_t *of[2];			/* the blocks' numbers, sorted */
	uint64_t total;
	uint64_t problems;
};

/* The command of sp-exec on the records, or on blocks. */
struct exec records_exec(const struct records *r);

/* The columns of standard input, and room for the records. */
void records_open(struct records *r, struct sp *sp);

/*
 * Reads the records, into sp->blocks with --blocks.  Without exits with
 * status 1 on more than SUBSETS_MAX records, and leaves out a record whose
 * sensitivity rounds to 0, as such a record has no influence, and under
 * --on-bad drop a record with a bad cell in either column.  Under --check:
 * names the faults, and exits.
 */
void records_read(struct records *r);

/*
 * The value for the data: the command among the operands of r->sp is run on
 * every subset, and the numbers are clamped to --range and preprocessed.  A
 * number in steps, or two in half steps.
 */
void records_value(const struct records *r, int64_t *value);

/* A number from the command clamped to --range, if given. */
int64_t records_clamp(const struct sp *sp, size_t part, int64_t x);

/*
 * blocks.c: any command on any number of records, run on secret blocks.
 * With --blocks: as sp_check and sp_plan.
 */
void blocks_check(struct sp *sp);
void blocks_plan(struct sp *sp);

/* Runs the command on the blocks; under --check exits. */
void blocks_run(const struct records *r);

/* A choice among the blocks' numbers for each part. */
void blocks_answers(const struct records *r, struct answer *answer);
