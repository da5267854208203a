/*
 * select_runs: the exponential mechanism and permute-and-flip over long runs of
 * candidates with one score, as on a public grid, without a list of candidates.
 */
#pragma once

#include "meter.h"
#include "noise.h"
#include "number/fixed.h"
#include "rng.h"

#define SELECT_HALVINGS 62	/* J: the least weight counts as 2^-J */
#define SELECT_MANY 86		/* J for choices among many */
#define SELECT_SCALE ((uint64_t)1 << 59)	/* above s and r of a scale */

/*
 * count >= 1 candidates whose scores lie gap below the best.  In a rough run
 * gap is only their least: others have up to t / 4 more, or any gaps in a far
 * run, where the least is at least select_far(t, many).  Each candidate stands
 * for 2^copies equal candidates.
 */
struct select_run {
	u128 gap;
	u128 count;
	bool rough;
	unsigned copies;
	METER_FIELD
};

/* Candidate `place' in a run. */
struct select_place {
	size_t run;
	u128 place;
};

/* The weights of the runs up to a run, and j of the run's candidates. */
struct select_sum {
	struct wide upto;
	unsigned halvings;
};

/*
 * The runs of one choice: the candidates have 2^63 + 1 copies at most, and
 * below 2^86 with `many'.
 */
struct select_runs {
	const struct select_run *run;
	size_t n;
	struct scale t;
	bool many;
	/* a candidate's gap in a rough run; NULL without such runs */
	u128 (*gap)(const void *arg, struct select_place at);
	const void *arg;
	struct select_sum *sum;
};

/*
 * The gap from which a weight exp(-gap / t) is too small to be counted: a
 * candidate there may be in a far run.
 */
static inline u128
select_far(const struct scale *t, bool many)
{
	/* x = 0.7 J in tenths, where a weight is 2^-J */
	u128 cut = 7 * (many ? SELECT_MANY : SELECT_HALVINGS);
	u128 tenths = 10 * (u128)t->r;

	return (cut * t->s + tenths - 1) / tenths;
}

/* Adds the weights; the caller has set run, n, t, gap and arg. */
void select_runs_init(struct select_runs *s);
void select_runs_free(struct select_runs *s);

/* P[candidate] proportional to 2^copies exp(-gap / t), exactly. */
struct select_place select_runs_draw(const struct select_runs *s,
    struct rng *r);

/*
 * [MS20 Algorithm 1] The copies in uniform order, each taken with chance
 * exp(-gap / t): the first taken, exactly.  Some candidate must have gap 0.
 */
struct select_place select_runs_flip(const struct select_runs *s,
    struct rng *r);
