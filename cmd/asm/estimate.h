/*
 * estimate: the computation of asm-estimate, from options to output.
 *
 * A metric has one or two targets (functions with output bounds); each target
 * in each group is searched with a part of epsilon.
 */
#pragma once

#include "asym.h"
#include "bracket.h"
#include "ceiling.h"
#include "input/column.h"
#include "input/intake.h"
#include "input/table.h"
#include "number/fixed.h"
#include "output_bounds.h"
#include "asm/plan/outputs.h"
#include "random/rng.h"
#include "run/run.h"
#include "tally.h"
#include "tool/opts.h"

enum {
	OPT_MECHANISM = OPT_OWN, OPT_PAPER, OPT_BETA, OPT_SPLIT, OPT_STEPS,
	OPT_QUERIES, OPT_START, OPT_ASYMMETRY, OPT_QUANTILE = 'q'
};

enum target { TARGET_VARIANCE, TARGET_QUANTILE, TARGET_SUM, TARGET_MEAN };
enum mechanism {
	MECHANISM_ASM, MECHANISM_ISM, MECHANISM_PF, MECHANISM_CLAMP,
	MECHANISM_BRACKET	/* of mean alone: no --mechanism */
};

/* How a record becomes a term: the number, or a loss over columns. */
enum term {
	TERM_VALUE, TERM_SUM, TERM_SQUARE, TERM_ABSOLUTE, TERM_CLASSES,
	TERM_WRONG, TERM_FIT
};

struct estimate_metric {
	const char *name;		/* in columns, too: age_var */
	const char *words;
	enum term term;
	size_t targets;
	enum target target[2];
	size_t least, most;		/* columns */
	bool classes;			/* the first column is a class */
};

/* A group's data. */
struct estimate_group {
	struct tally tally[2];		/* for each target */
	struct column column;		/* quantile */
	struct under *under;		/* clamp */
	struct bracket_terms *terms;	/* a mean */
};

struct estimate {
	struct opts opts;
	struct report report;
	struct release out;
	const struct estimate_metric *metric;
	/* own options */
	enum mechanism mechanism;
	bool paper, asymmetry, has_queries;
	bool root;		/* of the mean of squares: rmse */
	bool by_size;			/* clamp for many records, asm for
					   few */
	struct rational beta, split, start, quantile;	/* den 0: not given */
	uint64_t steps, queries;	/* 0: not given */
	/* plan: public */
	int cell_digits;
	bool coded;		/* terms and outputs are codes of squared cell
				   steps, as wide as they need to be */
	int step_digits;	/* decimals of an output step */
	int64_t from;			/* --start in output steps */
	struct asym asym[2];		/* a search for each target */
	struct asym clamp;		/* split between ceiling and sum */
	struct rational floor;		/* the cost of asking for a sign */
	struct rational eps;		/* for a target */
	/*
	 * groups from this size on have clamped terms, smaller groups a search;
	 * UINT64_MAX: none clamped
	 */
	uint64_t enough;
	/* data */
	struct intake in;
	struct rng rng;
	struct limits cell;		/* for a cell with a range */
	struct limits term;		/* for a term, in target steps */
	struct ceilings ceilings;
	struct brackets brackets;
	struct estimate_group *group;
	/* an answer is the first or the last of a list; or so large that cells
	   may have ended at 2^62 steps */
	struct { bool first, last, cells; } ends;
	struct answer *answer;	/* repeat for each target of each group */
};

extern const struct run_steps estimate_steps;

/* Of which these are some: options; epsilon is split, and the report filled. */
void estimate_take(void *arg, int code);
void estimate_check(void *arg);
void estimate_plan(void *arg);

/* x printed steps in those of a search or of ceilings, perhaps as a code. */
int64_t estimate_step(const struct estimate *e, int64_t x);

/* An output step, as a number of cell steps to the power k, 1 or 2. */
u128 estimate_unit(const struct estimate *e, int k);

/* Fills the report. */
void estimate_report(struct estimate *e);

/* beta, the ratio of outputs for n records. */
struct rational estimate_beta(const struct estimate *e, size_t t, uint64_t n);

/* How many equally spaced outputs a bounded quantile of n records gets. */
size_t estimate_points(const struct estimate *e, uint64_t n);

/* The most that an output or a term can be without a range. */
int64_t estimate_most(const struct estimate *e);

/* Must the data be asked for terms below 0? */
bool estimate_asks(const struct estimate *e);

/* A target's list of outputs. */
void estimate_outputs(const struct estimate *e, const struct estimate_group *g,
    size_t t, struct outputs *o);

/* The list of ceilings, or of intervals, once the limits are known. */
void estimate_ceilings(struct estimate *e);

/* Draws the --repeat releases for target t in a group, with intervals. */
void estimate_answer(struct estimate *e, const struct estimate_group *g,
    size_t t, struct answer *a);

/* The limits for a term, once the columns are known. */
void estimate_limits(struct estimate *e);

/* A record's term, from numbers or from estimate_loss. */
int64_t estimate_term(const struct estimate *e, const int64_t *x);

/* For intake: a record's or row's loss, as a number in x[0]. */
bool estimate_loss(void *arg, const struct cell *cells, int64_t *x);
