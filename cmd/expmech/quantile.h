/* quantile: the steps of em-quantile between options and output. */
#pragma once

#include "input/column.h"
#include "input/intake.h"
#include "quantile_tree.h"
#include "random/select.h"
#include "run/run.h"

enum { OPT_MECHANISM = OPT_OWN, OPT_PRIOR };

struct quantile {
	struct opts opts;
	struct report report;
	struct release out;
	struct rational *asked;	/* m quantiles in the option's order */
	size_t m;
	enum select_kind kind;
	struct rational interval;	/* in ranks; den 0: none */
	bool log_prior, no_range;
	/* the plan */
	int digits;		/* the candidates' grid */
	int64_t lo, hi;		/* its ends */
	uint32_t *level;	/* ascending, in parts of tree.denominator */
	size_t *place;		/* asked[i]'s among the levels */
	struct quantile_tree tree;
	uint64_t needs;		/* records, for answers among them */
	/* the data: a column for each group */
	struct intake in;
	struct rng rng;		/* proves the source; blocks of groups draw */
	struct column *column;
	/* answer[((rel groups) + group) m + place] for releases rel, from 0 */
	int64_t *answer;
};

extern const struct run_steps quantile_steps;

/* Of which these are some. */
void quantile_take(void *arg, int code);
void quantile_check(void *arg);
void quantile_plan_all(void *arg);

/*
 * Puts sensitivity and scale for the answer at this place among the levels into
 * the report, for --explain and the JSON members.
 */
void quantile_describe(struct quantile *q, size_t place);
