/*
 * lap: the common part of the operations of laplace.
 *
 * An operation chooses the records, the totals, the body that one record moves
 * these in (plan/plan.h), and a decoder; options, plan, noise and output are
 * common.
 */
#pragma once

#include "input/intake.h"
#include "laplace/plan/plan.h"
#include "run/run.h"

enum {
	OPT_SIZE = OPT_OWN, OPT_KEYS, OPT_BINS, OPT_ESTIMATE,
	OPT_UNIVERSE, OPT_FALSE_KEYS, OPT_NORM,
	OPT_POPULATION, OPT_VERSUS, OPT_FIT
};

#define LAP_ONE_DRAW "K-norm of the box that a record moves all columns in, " \
    "discrete, exact: one draw for all, so they depend on each other"

/* A group's moments, with noise. */
struct lap_moments {
	struct unity_moments *column, *pair;	/* pairs a < b, row by row */
	long double n;			/* records, of all columns */
	double error[COVER_VARIANCE + 1];	/* of a record */
	uint64_t (*f)[PAIR_FUNCTIONS];	/* of a record's columns */
};

struct lap {
	struct opts opts;		/* constant after lap_check */
	struct lap_args args;
	struct lap_plan plan;		/* with the way and the body */
	void *own;
	struct report report;
	struct release out;
	struct keys list;		/* of --keys */
	/* data */
	struct intake in;
	struct intake_use *use;
	struct rng rng;
	struct total *total;		/* groups times plan.m */
	struct lap_moments moments;
};

/* --- lap.c: options ------------------------------------------------------- */

/* Takes the tool's own options and hands the rest to opts_take. */
void lap_take(void *arg, int code);

/*
 * Options against the operation; sets relation, way, and policy for bad cells.
 */
void lap_check(void *arg);

/* --check: opens the input to read numbers and names as the operation would. */
void lap_only_check(struct lap *l);

/*
 * Does a person count separately in each cell of a histogram, as --max-groups
 * says if there is no number to fold?
 */
static inline bool
lap_in_cells(const struct lap *l)
{
	const struct unit *u = &l->opts.unit;

	return u->column != NULL && (u->groups > 0 ? u->per == PER_ANY :
	    u->per == PER_NONE && u->most == 0 && l->opts.check);
}

/* Options that some ways take. */
void lap_take_bins(struct lap *l, const char *arg);
void lap_operands(struct lap *l);	/* become standard input */

/* --- lap_run.c: the steps from the plan to the release -------------------- */

extern const struct run_steps lap_steps;

/* The name of input column c. */
const char *lap_name(const struct lap *l, size_t c);

/*
 * The only answer, the operation's by name; with the keys' names and a count
 * for each.
 */
void lap_counts(struct lap *l);

/* A key's row, with the labels of its group. */
void lap_key_row(struct lap *l, uint64_t rel, size_t group, struct label key,
    struct answer answer);

/*
 * A column of answers with this many decimals, or as many of them as follow
 * from its least 95 % error for one record (0: none).
 */
void lap_column_of(struct lap *l, const char *column, const char *what,
    int digits, double error);

/* A real number after the noise, in an interval widened for rounding. */
struct answer lap_real(long double x, long double lower, long double upper,
    int digits);

/* --- lap_draw.c: all the noise but that of keys nobody listed ------------- */

/*
 * A number on the cell grid, with a draw of noise i on the noise grid (0 if
 * non-private); the answer for a number there; or the two steps together.
 */
i128 lap_noisy(struct lap *l, i128 exact, size_t i);
struct answer lap_answer_noisy(const struct lap *l, i128 x, size_t i);
struct answer lap_answer(struct lap *l, i128 exact, size_t i);

/*
 * A group's first n totals with noise, by the plan: as whole steps of the noise
 * grid, x with room for all; or as steps, in persons.
 */
void lap_numbers(struct lap *l, size_t group, size_t n, i128 *x);
void lap_totals(struct lap *l, size_t group, size_t n, long double *x);

/* --- lap_sum.c ------------------------------------------------------------ */

/* One draw for the sums of several columns. */
extern const struct lap_body lap_sum_box;

/* Adds each column, counted from its center, and the number of records. */
void lap_sum_take(void *arg, size_t group, const int64_t *x, uint64_t w);
void lap_sum_take_all(void *arg, const int64_t *x, size_t n);

/* --- lap_moments.c -------------------------------------------------------- */

/*
 * For squares and products: Laplace noise, one draw but for the count, one draw
 * for all; and that for means.
 */
extern const struct lap_body lap_parts, lap_own, lap_joint, lap_line;

/* Room for the moments of a group, which lap_moments_draw fills. */
void lap_moments_open(struct lap *l);
void lap_moments_draw(struct lap *l, size_t group);

/* A record of the moments, in persons. */
long double lap_record(const struct lap *l);

/*
 * The columns of covariances: a column for each pair a <= b, with the error of
 * a variance or a covariance as a part of the ranges.
 */
void lap_pairs(struct lap *l, double var, double cov);
void lap_pair_column(struct lap *l, size_t a, size_t b, const char *what,
    int digits, double error);
