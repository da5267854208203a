/*
 * exec: a function given as a command, on parts of the records.
 *
 * The command reads CSV on standard input and prints one or two numbers.  It
 * is run a bounded number of times at once.
 */
#ifndef EXEC_H
#define EXEC_H

#include <stdbool.h>
#include <stdint.h>

#include "release/release.h"
#include "tool/opts.h"

struct exec {
	char **argv;		/* the command, NULL at the end */
	struct label head;	/* put before the records: the header line */
	const struct label *record;	/* lines, newlines included; of a
				   block, all of them */
	const unsigned *number;	/* of each record in the input, for messages */
	unsigned n;		/* records, at most SUBSETS_MAX; or blocks */
	unsigned jobs;		/* processes at once, at least 1 */
	size_t parts;		/* numbers to print */
	int digits;		/* grid of the numbers */
	int words;		/* where its standard error goes: data may be
				   in it */
	int64_t timeout;	/* milliseconds of a run */
	bool blocks;		/* run s has record[s]; else the subset s of
				   the records (bit i: record i) */
	const int64_t *otherwise;	/* the numbers of a run that fails;
				   NULL: no run may */
};

/* How many runs went wrong, which one first, and the status of waitpid there;
   0: it printed something else. */
struct failure {
	uint32_t first;
	int status;
	uint32_t runs;
};

/*
 * Sets f[p][s] to number p of run s, first <= s < end, as rounded by
 * fixed_cell.  A run fails that ends with another status than 0, prints
 * something else or takes too long.  Where none may it waits for the processes
 * under way and exits with status 1, naming the records of the first one that
 * went wrong: the same for any number of jobs.
 */
void exec_runs(const struct exec *e, uint32_t first, uint32_t end,
    int64_t *const f[2], struct failure *bad);

#endif
