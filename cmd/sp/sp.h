/*
 * sp: the code that sp-median, sp-mean and sp-var share.
 *
 * Each tool names the function to preprocess; options, grid, reading, noise and
 * output are sp's.
 */
#pragma once

#include "input/column.h"
#include "input/intake.h"
#include "ordered.h"
#include "random/knorm.h"
#include "run/run.h"

enum {
	OPT_SIZE = OPT_OWN, OPT_SENS_COLUMN, OPT_BLOCKS, OPT_TIMEOUT, SP_TRIM
};

#define SP_BLOCKS 100000	/* in sp-exec, and seconds for a run, at most */
#define SP_SECONDS 1000000
#define SP_PARTS 16	/* columns at most */

/* Rows for every sp tool; sp-var leaves the rest out. */
#define SP_ROWS \
	{ OPT_SIZE, "size", "N", \
	    "with --range: about N records, rather fewer", OPEN }, \
	{ 's', "sensitivity", "S[,S...]", \
	    "most one record may move each result", OPEN }
#define SP_CENTER \
	{ 'm', "center", "CENTER[,...]", "the result for no data", OPEN }

struct sp {
	struct opts opts;
	struct report report;
	struct release out;
	const char *what;	/* the statistic, to name answers with */
	char named[FIXED_TEXT];	/* or its name, made of an option */
	struct ordered f;	/* its kind and alpha; nothing for variances */
	bool squared;		/* variance: S in squared units, no center */
	bool may_pair;		/* two numbers may share an l1 sensitivity */
	bool command;		/* operands are a command, */
	uint64_t blocks;	/* the command's runs; 0: on subsets, */
	uint64_t timeout;	/* milliseconds at most */
	size_t sens_given, centers_given;	/* how many */
	uint64_t size;		/* 0: not given */
	const char *sens_column;
	struct rational sens_arg[SP_PARTS], center_arg[SP_PARTS];
	/* after sp_plan */
	size_t parts;		/* numbers in a release */
	size_t shares;		/* numbers with an S each: parts; 1 for a pair,
				   whose S is in [0] */
	int digits;		/* grid for S, the function and the noise; the
				   report's is printed */
	int cell_digits[SP_PARTS];	/* the cells' grids */
	int64_t sens[SP_PARTS];	/* S in steps, rounded up */
	int64_t center[SP_PARTS];
	struct scale t;		/* the noise's; for a pair in half steps */
	struct knorm box;	/* the noise's for several shares */
	struct knorm_side side[SP_PARTS];
	struct rational noted[3][SP_PARTS];	/* to report for each share: S,
						   scale, 95 % error */
	i128 reach[SP_PARTS];	/* half the width of --interval, in steps */
	bool far;		/* a variance may have come from the largest
				   number that fits */
	/* entry g * parts + p is part p in group g */
	struct intake in;
	bool weighted;		/* may a weight not be 1? */
	int64_t *value;		/* before the noise */
	struct column *group;	/* values; for a pair u and v */
	struct totals *total;	/* of the values */
	struct rng rng;
};

/*
 * The steps of run/run.h.  sp_take takes -s, -m, --size, and hands the rest to
 * opts_take; sp_plan chooses the grid and rounds S up.  The function's own
 * notes must be in sp->report before sp_check.
 */
void sp_take(void *arg, int code);
void sp_check(void *arg);
void sp_plan(void *arg);
void sp_open(void *arg, struct intake_use *use);
void sp_ask(void *arg);
void sp_declare(void *arg);
void sp_answers(void *arg, uint64_t rel, size_t g, struct answer *answer);
void sp_end(void *arg);

#define SP_STEPS .plan = sp_plan, .open = sp_open, .ask = sp_ask, \
	.declare = sp_declare, .answers = sp_answers, .end = sp_end

/*
 * sp_plan.c: grid, S and noise for this epsilon (den 0: none yet); false where
 * no grid fits.
 */
bool sp_scale(struct sp *sp, struct rational eps);

/* Two numbers with one S, for the sum of the two changes. */
static inline bool
sp_is_pair(const struct sp *sp)
{
	return sp->parts > sp->shares;
}
