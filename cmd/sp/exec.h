/*
 * exec: a function given as a command, run on parts of the records.
 *
 * The command reads CSV on standard input and prints one or two numbers.  The
 * number of runs at once is bounded.
 */
#pragma once

#include "release/answer/release.h"

struct exec {
	char **argv;		/* the command, NULL at the end */
	struct label head;	/* put before the records: the header line */
	const struct label *record;	/* lines, newlines included; for a block
				   the block's lines */
	const unsigned *number;	/* each record's in the input, for messages */
	unsigned n;		/* records, at most SUBSETS_MAX; or blocks */
	unsigned jobs;		/* processes at once, at least 1 */
	size_t parts;		/* numbers to print */
	int digits;		/* the numbers' grid */
	int words;		/* where standard error goes: may hold data */
	int64_t timeout;	/* milliseconds for a run */
	bool blocks;		/* run s has record[s]; without blocks the
				   subset s of the records (bit i: record i) */
	const int64_t *otherwise;	/* the numbers for a failed run; NULL:
				   no run may fail */
};

/*
 * How many runs went wrong, the first such run, and the run's status from
 * waitpid; 0: the run printed no proper numbers.
 */
struct failure {
	uint32_t first;
	int status;
	uint32_t runs;
};

/*
 * Status 2 where execvp would not find a file to run: with a ledger the command
 * begins to run when the charge has been paid.
 */
void exec_find(const char *name);

/*
 * Sets f[p][s] to number p of run s, first <= s < end, as rounded by
 * fixed_cell.  A run fails that ends with a status above 0, prints no proper
 * numbers or takes too long.  If no run may fail, exec_runs waits for the
 * processes under way and exits with status 1, naming the records of the first
 * failed run: one message for any number of jobs.
 */
void exec_runs(const struct exec *e, uint32_t first, uint32_t end,
    int64_t *const f[2], struct failure *bad);
