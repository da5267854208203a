/*
 * lap: the common part of the operations of laplace.
 *
 * An operation chooses the records, the totals and the sensitivity; options,
 * plan, noise and output are common.
 */
#ifndef LAP_H
#define LAP_H

#include "laplace/answer/cover.h"
#include "input/intake.h"
#include "norm.h"
#include "random/knorm.h"
#include "run/run.h"
#include "sums.h"

enum {
	OPT_SIZE = OPT_OWN, OPT_KEYS, OPT_BINS, OPT_ESTIMATE,
	OPT_UNIVERSE, OPT_FALSE_KEYS, OPT_NORM,
	OPT_POPULATION, OPT_VERSUS, OPT_FIT, OPT_MECHANISM
};

/* Options that only some operations take. */
enum {
	LAP_RANGE = 1,		/* --range */
	LAP_NEED_RANGE = 2,
	LAP_GROUPS = 4,
	LAP_WEIGHT = 8,
	LAP_SENS = 16,		/* -s, operands */
	LAP_BINS = 32,		/* --keys, --bins, --universe */
	LAP_SIZE = 64,		/* --size, under swap */
	LAP_ESTIMATE = 128,
	LAP_PEOPLE = 256,	/* --unit */
	LAP_INTERVAL = 512,
	LAP_EDGES = 1024,	/* weights in 0..1, whatever the data say */
	LAP_MOVES = 2048,	/* under swap, out of a group into another */
	LAP_NORM = 4096,	/* --norm */
	LAP_BOX = 16384		/* --mechanism */
};

/* Answers that an operation prints for each column; a single count. */
enum {
	LAP_COUNTS = 1, LAP_SUMS = 2, LAP_MEANS = 4, LAP_VARIANCES = 8,
	LAP_DEVIATIONS = 16, LAP_PAIRS = 32, LAP_OTHER = 64
};

#define LAP_MANY ((size_t)1000)		/* columns at most */
#define LAP_FINER 9	/* decimals of the cells beyond the printed ones */
#define LAP_FINER_PEOPLE 3	/* with --per sum */
#define LAP_FINER_BINS 6	/* for bins, with --per sum and mean */

struct lap;

/*
 * What an operation does under one relation in the steps of run/run.h, which
 * are in lap_run.c.  NULL leaves a part out.
 */
struct lap_way {
	void (*start)(struct lap *);	/* options; public lists */
	bool (*plan)(struct lap *);	/* NULL: no additive noise */
	/* ends the program where an answer's decimals do not fit */
	void (*fit)(const struct lap *);
	void (*note)(struct lap *);	/* on the plan */
	void (*open)(struct lap *);	/* once the header is known */
	/* gets the records, with struct lap; or many of the only group */
	void (*take)(void *arg, size_t group, const int64_t *x, uint64_t w);
	void (*take_all)(void *arg, const int64_t *x, size_t n);
	void (*ask)(struct lap *);	/* once the records are read */
	void (*declare)(struct lap *);	/* columns */
	/* reports column c; NULL: noise i, of plan.k */
	void (*describe)(struct lap *, size_t c);
	/* the answers of a group (NULL: the totals with noise); or all rows */
	void (*answers)(struct lap *, size_t group, struct answer *);
	void (*rows)(struct lap *, uint64_t rel);
	void (*check)(struct lap *);	/* --check, with the input open */
	bool quotient;			/* the error falls with n, hidden */
	size_t own;			/* bytes in l->own, 0 at first */
};

struct lap_op {
	const char *name;
	const char *mechanism;
	unsigned prints, takes;
	size_t least, most, texts;	/* columns; the first are names */
	/* by enum neighbors; the first entry but NULL is the default */
	const struct lap_way *way[2];
	const char *boxed;		/* the mechanism with K-norm noise */
};

/* The tool's own options. */
struct lap_args {
	bool estimate, population, fit, independent;
	struct rational *bin;		/* --bins: A, B and W, or the edges */
	size_t nbins;			/* entries in bin */
	bool steps, dates;		/* A, B and W; or edges, days */
	struct rational sens, false_keys, norm;	/* den 0: not given */
	const char *keys_path, *bins, *universe, *versus;
	uint64_t size;			/* 0: not given */
};

/* A number's noise, and the printed grid. */
struct lap_noise {
	int cell;		/* decimals of the exact number */
	int grid;		/* decimals of the noise, at most `cell' */
	int digits;		/* printed decimals */
	u128 sens;		/* of the number alone, in steps of the grid */
	struct scale t;
	i128 reach;		/* half of --interval, in steps of the grid */
};

/* Public facts, known before any data: made in lap_plan.c alone. */
struct lap_plan {
	struct rational eps;		/* den 0: none */
	size_t d;			/* columns, as far as is known */
	struct sums_column *column;	/* d ranges on their own grids */
	int *cell;			/* decimals of each grid */
	u128 divisor;			/* of all numbers, after the noise */
	size_t k;			/* kinds of noise: 1 for all, or d */
	struct lap_noise *noise;
	struct knorm box;		/* d 0: each noise by itself */
	struct knorm_side *side;
	struct scale count;		/* beside the box; s 0: none */
	struct norm norm;		/* --norm's */
};

struct lap {
	struct opts opts;		/* constant after lap_check */
	struct lap_args args;
	const struct lap_op *op;
	/* chosen once, by lap_choose, from public parameters */
	const struct lap_way *way;
	bool box;			/* one draw for all columns */
	int64_t *error95;		/* of a cut box's noise, E = 1 */
	void *own;
	struct lap_plan plan;
	struct report report;
	struct release out;
	struct keys list;		/* of --keys */
	/* data */
	struct intake in;
	struct intake_use *use;
	struct rng rng;
	size_t m;			/* totals of each group */
	struct total *total;		/* groups times m */
};

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

/* Does a mean or variance need sums of squares? */
static inline bool
lap_has_squares(const struct lap *l)
{
	return (l->op->prints & LAP_VARIANCES) || l->args.population;
}

/* Options that some ways take. */
void lap_take_bins(struct lap *l, const char *arg);
void lap_operands(struct lap *l);	/* become standard input */

extern const struct lap_way lap_count, lap_sum, lap_mean, lap_unity, lap_cov,
    lap_hist, lap_universe, lap_value, lap_graph, lap_norm, lap_flip;

/*
 * lap_choose.c: the way of the operation under the relation, whatever the
 * columns; and the way with the smallest error for these columns, under the
 * relation that the options name; says so where --norm is not used.
 */
const struct lap_way *lap_plain(const struct lap *l);
void lap_choose(struct lap *l);

/*
 * The 95 % error of column c with the planned noise of --norm, a sum's in units
 * of the larger end; of a mean times n, where most are near 0, and of a
 * covariance, in squared units.
 */
double lap_norm_error(const struct lap *l, size_t c);

/*
 * lap_box.c: K-norm noise, one draw for the numbers of a body, whose sides are
 * in plan.side: makes the noise for neighbors that differ in this many records.
 * The number of records is one of the numbers of the box, or it is public, or
 * gets its own noise with the part count / LAP_COUNT of epsilon, count > 0.
 */
#define LAP_COUNT 64
bool lap_box_plan(struct lap *l, struct knorm body, u128 records,
    unsigned count);

/*
 * For sums: have the sides in plan.side less noise with the count?  If not they
 * become even.
 */
bool lap_box_counted(struct lap *l);

/*
 * Fills l->error95 for planned noise with --norm: what public coins say, in
 * steps.  False where too few attempts at a draw succeed.
 */
bool lap_box_look(struct lap *l);

/*
 * A group's exact totals with a draw of the box's noise, times plan.box.m; the
 * last is the number of records, without noise where no noise is planned.
 */
void lap_box_draw(struct lap *l, size_t group, i128 *x);

/*
 * lap_plan.c: grids, sensitivities and scales, from public parameters alone.
 * A way's plan function fills l->plan by the steps below.  lap_settle calls the
 * plan function, many times where --within searches for epsilon.
 */

/* A column's center. */
enum lap_center { LAP_ZERO, LAP_LOWER };

/* Ends the program: parameters do not fit their grids. */
noreturn void lap_unfit(void);

/* Room for plan.d columns and k kinds of noise. */
void lap_room(struct lap *l, size_t k);

/*
 * Puts column c on the grid with k decimals, with the range as intake rounds
 * ranges; false without room.  For k < 0 the column is counted in units of
 * 10^-k from the lower end, on the integer grid.
 */
bool lap_column(struct lap *l, size_t c, int k, enum lap_center center);

/*
 * Puts column c on the finest grid, k down to `least' decimals, that holds the
 * range in `steps' steps; returns the decimals, or least - 1.
 */
int lap_finest(struct lap *l, size_t c, int k, int least,
    enum lap_center center, u128 steps);

/* B - A for column c. */
bool lap_width(const struct lap *l, size_t c, struct rational *width);

/*
 * Decimals for numbers with noise of about sens/eps (sens while epsilon is
 * open), enough for the range ends in column c (LAP_MANY: no column); or
 * --digits; or -1.
 */
int lap_scale_digits(const struct lap *l, struct rational sens, size_t c);

/* Decimals for a column's cells in a sum printed with `printed' decimals. */
int lap_cell_digits(const struct lap *l, int printed);

/*
 * Decimals without a known scale: for parts of the range, or of its second
 * power.
 */
int lap_range_digits(const struct lap *l, size_t c, int power);

/* B - A as a real number, for use behind the noise. */
long double lap_length(const struct lap *l, size_t c);

/* Ends the program if `most' does not fit 64 bits with these decimals. */
void lap_fit(long double most, int digits);

/* E, or 1 if no epsilon is given. */
struct rational lap_epsilon(const struct lap *l);

/* 1 minus the probability of --interval. */
double lap_alpha(const struct lap *l);

/* Decimals for an answer up to `most', or --digits. */
int lap_real_digits(const struct lap *l, long double most);

/*
 * How far a record moves the groups' answers together, if a record that comes
 * or goes moves one group by `coming', and a replaced one by `replaced'.
 */
u128 lap_sens(const struct lap *l, u128 coming, u128 replaced);

/*
 * Noise i for a number with sensitivity sens on the cell grid, with one part in
 * `parts' of epsilon.  Where sens is whole on the printed grid, the number is
 * rounded first and the noise drawn on the printed grid; lap_plan.c has the
 * proof.
 */
bool lap_noise(struct lap *l, size_t i, u128 sens, u128 parts);

/* Noise i drawn on the cell grid. */
bool lap_noise_fine(struct lap *l, size_t i, u128 sens, u128 parts);

/* Noise 0 for the counts of m keys, or of all records; a record has one key. */
bool lap_count_noise(struct lap *l);

/*
 * " times K", where neighbours are K records apart, as with --max-rows; or
 * nothing.
 */
const char *lap_times(const struct lap *l, char buf[REPORT_NOTE]);

/* lap_describe reports noise i.  lap_hide reports no number of the noise. */
void lap_describe(struct lap *l, size_t i);
void lap_hide(struct lap *l);

/* Reports all numbers if they are alike; if not, hides, and returns false. */
bool lap_describe_all(struct lap *l);

/* Finds epsilon for --within, plans (else status 2), fills the report. */
void lap_settle(struct lap *l);

/* lap_run.c: the steps from the plan to the release. */
void lap_plan(void *arg);
void lap_open(void *arg, struct intake_use *use);
void lap_ask(void *arg);
void lap_declare(void *arg);
bool lap_rows(void *arg, uint64_t rel);
void lap_answers(void *arg, uint64_t rel, size_t g, struct answer *answer);

/* How many records all groups have: the last total of each counts them. */
u128 lap_all_records(struct lap *l);

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

/* A column of answers with this many decimals. */
void lap_column_of(struct lap *l, const char *column, const char *what,
    int digits);

/* A real number behind the noise, in an interval widened for rounding. */
struct answer lap_real(long double x, long double lower, long double upper,
    int digits);

/*
 * A number on the cell grid, with a draw of noise i on the noise grid (0 if
 * non-private); the answer for a number there; or the two steps together.
 */
i128 lap_noisy(struct lap *l, i128 exact, size_t i);
struct answer lap_answer_noisy(const struct lap *l, i128 x, size_t i);
struct answer lap_answer(struct lap *l, i128 exact, size_t i);

/* A group's first n totals with noise, independent or the box's, likewise. */
void lap_all_noisy(struct lap *l, size_t group, size_t n, i128 *x);

/*
 * A record in the totals with noise i, in steps; and this noise in records, for
 * an interval.
 */
long double lap_unit(const struct lap *l, size_t i);
struct cover_noise lap_cover(const struct lap *l, size_t i);
struct cover_noise lap_box_cover(const struct lap *l);

/* Notes a 95 % error times E, from the middle of the range to an end. */
void lap_note_error(struct lap *l, const struct cover_noise *noise,
    enum cover_part part);

/*
 * The columns of covariances: a column for each pair a <= b; and
 * whether the decimals fit, or the program ends.
 */
void lap_pairs(struct lap *l);
void lap_pairs_fit(const struct lap *l);

/*
 * lap_moments.c: K-norm noise for means, stats and covariances of several
 * columns.
 */
bool lap_moments_plan(struct lap *l);
void lap_moments_note(struct lap *l);

/* Adds w times a record to a group's totals, the number of records last. */
void lap_moments_take(const struct lap *l, const int64_t *x, uint64_t w,
    struct total *t);

/*
 * A group's columns with noise, and products into pairs a < b, row by row, in
 * persons of `record' records each; returns the number of persons.
 */
long double lap_moments_draw(struct lap *l, size_t group, long double record,
    struct unity_moments *column, struct unity_moments *pair);

#endif
