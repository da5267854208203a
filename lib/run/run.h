/*
 * run: the one way of a release.
 *
 * A tool that answers is a table of steps, and run() walks it.  What may be
 * refused is refused before the charge; what stands after the charge ends for
 * reasons of the outside world alone.
 */
#pragma once

#include "input/intake.h"
#include "ledger/ledger.h"
#include "random/rng.h"
#include "release/answer/release.h"

/* The steps in their order; each gets the tool.  NULL leaves a step out. */
struct run_steps {
	/* an option; then all options against each other */
	void (*take)(void *tool, int code);
	void (*check)(void *tool);
	/* grids, scales and memory, from public numbers; fills the report */
	void (*plan)(void *tool);
	/* does the plan, and so --explain, need public files? */
	bool (*waits)(const void *tool);
	/*
	 * The header and public files, which complete the plan; room for what
	 * is read; and what to do with a record, for `arg', the tool.
	 */
	void (*open)(void *tool, struct intake_use *use);
	/* --- the charge, before the first record --- */
	void (*read)(void *tool);	/* NULL: intake_read */
	/* draws that come before all answers; NULL: none */
	void (*ask)(void *tool);
	/* the columns after --group's; NULL: rows writes them */
	void (*declare)(void *tool);
	/*
	 * A release's rows, in public order; false leaves them to answers,
	 * which gives those of a group.
	 */
	bool (*rows)(void *tool, uint64_t rel);
	void (*answers)(void *tool, uint64_t rel, size_t group,
	    struct answer *answer);
	/* what is left to say of the released numbers, on standard error */
	void (*end)(void *tool);
};

struct run {
	const struct run_steps *steps;
	void *tool;
	/* the tool's; what a person's record draws has its own stream */
	struct opts *opts;
	struct report *report;
	struct release *out;
	struct intake *in;	/* groups, if any */
	struct rng *rng;	/* of the noise */
	/* by run */
	struct ledger *ledger;	/* NULL: none */
	bool asked, charged;
};

/* Of a tool's struct t that has these members. */
#define RUN_OF(t) .tool = &(t), .opts = &(t).opts, .report = &(t).report, \
	.out = &(t).out, .rng = &(t).rng

/* main: the exit status. */
int run(struct run *r, int argc, char **argv);

/*
 * Charges the ledger, if there is one and it was not charged: for who reads the
 * input by another way than table_input.
 */
void run_pay(struct run *r);
