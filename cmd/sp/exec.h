/*
 * exec: a function given as a command, on every subset of a few records.
 *
 * The command reads CSV on standard input and prints one or two numbers.  It
 * is run once for each non-empty subset, a bounded number of times at once.
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
	const struct label *record;	/* lines, newlines included */
	const unsigned *number;	/* of each record in the input, for messages */
	unsigned n;		/* records, at most SUBSETS_MAX */
	unsigned jobs;		/* processes at once, at least 1 */
	size_t parts;		/* numbers to print */
	int digits;		/* grid of the numbers */
	bool loud;		/* lets standard error through: data may be
				   in it */
};

/*
 * Sets f[p][s] to number p for the subset s (bit i: record i), s > 0, as
 * rounded by fixed_cell.  Where the command cannot be run, fails, or prints
 * something else, it waits for the processes under way and exits with status
 * 1, naming the records of the first subset that went wrong: the same one
 * for any number of jobs.
 */
void exec_subsets(const struct exec *e, int64_t *const f[2]);

#endif
