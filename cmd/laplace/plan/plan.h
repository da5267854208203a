/*
 * plan: what laplace knows before the data: grids, sensitivities and scales,
 * from public numbers alone.
 *
 * A release of several numbers is totals, the body that one record moves them
 * in, and a decoder.  A way has one body or several, and lap_choose takes the
 * one with the least errors.
 */
#pragma once

#include "laplace/answer/cover.h"
#include "laplace/norm.h"
#include "random/knorm.h"
#include "release/plan/report.h"

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
	LAP_NORM = 4096		/* --norm */
};

/* Answers that an operation prints for each column; a single count. */
enum {
	LAP_COUNTS = 1, LAP_SUMS = 2, LAP_MEANS = 4, LAP_VARIANCES = 8,
	LAP_DEVIATIONS = 16, LAP_PAIRS = 32, LAP_RATIOS = 64, LAP_OTHER = 128
};

#define LAP_MANY ((size_t)1000)		/* columns at most */

struct lap;
struct lap_plan;
struct answer;

/* What one record moves the totals in; how they get noise and are read. */
struct lap_body {
	const char *noise;		/* the law, in words; NULL: on the
					   number itself */
	/* the noise for p->eps; false: it does not fit, or does not serve;
	   NULL: no additive noise */
	bool (*plan)(struct lap_plan *p);
	/* gets the records, with struct lap; or many of the only group */
	void (*take)(void *arg, size_t group, const int64_t *x, uint64_t w);
	void (*take_all)(void *arg, const int64_t *x, size_t n);
	/* reads noisy totals, in records, as moments */
	void (*decode)(struct lap *l, const long double *x);
};

#define LAP_BODIES 4

/*
 * What an operation does under one relation in the steps of run/run.h, which
 * are in lap_run.c.  NULL leaves a part out.
 */
struct lap_way {
	void (*start)(struct lap *);	/* options; public lists */
	const struct lap_body *body[LAP_BODIES];
	/* ends the program where an answer's decimals do not fit */
	void (*fit)(const struct lap_plan *);
	void (*facts)(struct lap_plan *);	/* for the report, */
	void (*note)(struct lap *);	/* or with what is no plan */
	void (*open)(struct lap *);	/* once the header is known */
	void (*ask)(struct lap *);	/* once the records are read */
	void (*declare)(struct lap *);	/* columns */
	/* reports column c; NULL: noise i, of p->k */
	void (*describe)(struct lap_plan *p, size_t c);
	/* the answers of a group (NULL: the totals with noise); or all rows */
	void (*answers)(struct lap *, size_t group, struct answer *);
	void (*rows)(struct lap *, uint64_t rel);
	void (*check)(struct lap *);	/* --check, with the input open */
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
	bool estimate, population, fit;
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

/* Public facts.  The upper part is chosen once; the lower is for one eps. */
struct lap_plan {
	const struct opts *opts;
	const struct lap_args *args;
	const struct lap_op *op;
	struct report *report;
	const struct lap_way *way;
	const struct lap_body *body;
	struct rational eps;		/* den 0: none */
	size_t d;			/* columns, as far as is known */
	size_t m;			/* totals of each group */
	bool counted;			/* the last counts the records */
	uint64_t each;			/* ns of a record in each release */
	struct sums_column *column;	/* d ranges on their own grids */
	int *cell;			/* decimals of each grid */
	u128 divisor;			/* of all numbers, after the noise */
	size_t k;			/* kinds of noise in the report */
	struct lap_noise *noise;
	size_t alike;			/* totals in a row with one noise */
	struct knorm box;		/* d 0: Laplace noise */
	struct knorm_side *side;
	struct scale count;		/* beside the box; s 0: none */
	struct norm norm;		/* --norm's */
	int64_t *error95;		/* of a cut box's noise, E = 1 */
};

extern const struct lap_way lap_count, lap_sum, lap_mean, lap_stats, lap_cov,
    lap_ratio, lap_hist, lap_universe, lap_value, lap_graph, lap_norm, lap_flip;

/* Is a mean the quotient of two noisy numbers?  Its error falls with n. */
static inline bool
lap_quotient(const struct lap_plan *p)
{
	return (p->op->prints & LAP_MEANS) != 0 &&
	    p->opts->neighbors != NEIGHBORS_SWAP;
}

/* --- choose.c ------------------------------------------------------------- */

/* The way of the operation under the relation, without --norm. */
const struct lap_way *lap_plain(const struct lap_plan *p);

/* The way and the body with the least errors, by public numbers alone. */
void lap_choose(struct lap_plan *p);

/* --- plan.c: the steps of a body's plan, and the report ------------------- */

/* A column's center. */
enum lap_center { LAP_ZERO, LAP_LOWER };

/* Ends the program: parameters do not fit their grids. */
noreturn void lap_unfit(void);

/* Room for p->d columns and k noises; no noise yet. */
void lap_room(struct lap_plan *p, size_t k);

/*
 * Puts column c on the finest grid, k down to `least' decimals, that holds the
 * range in `steps' steps, as intake rounds ranges; returns the decimals, or
 * least - 1.  For k < 0 the column is counted in units of 10^-k from the lower
 * end, on the integer grid.
 */
int lap_finest(struct lap_plan *p, size_t c, int k, int least,
    enum lap_center center, u128 steps);

/*
 * Decimals for numbers with noise of about sens/eps (sens while epsilon is
 * open), enough for the range ends in column c (LAP_MANY: no column); or
 * --digits; or -1.
 */
int lap_scale_digits(const struct lap_plan *p, struct rational sens, size_t c);

/*
 * Decimals for a column's cells in a sum printed with `printed' decimals; of
 * any other total, which may be as fine as there is room.
 */
int lap_cell_digits(const struct lap_plan *p, int printed);
int lap_first_digits(const struct lap_plan *p, size_t c);

/*
 * Decimals without a known scale: for parts of the range, or of its second
 * power.
 */
int lap_range_digits(const struct lap_plan *p, size_t c, int power);

/* B - A as a real number, for use after the noise. */
long double lap_length(const struct lap_plan *p, size_t c);

/* Ends the program if `most' does not fit 64 bits with these decimals. */
void lap_fit(long double most, int digits);

/* Decimals for an answer up to `most', or --digits. */
int lap_real_digits(const struct lap_plan *p, long double most);

/* E, or 1 if no epsilon is given; 1 minus the probability of --interval. */
struct rational lap_epsilon(const struct lap_plan *p);
double lap_alpha(const struct lap_plan *p);

/*
 * How far a record moves the groups' answers together, if a record that comes
 * or goes moves one group by `coming', and a replaced one by `replaced'.
 */
u128 lap_sens(const struct lap_plan *p, u128 coming, u128 replaced);

/*
 * Noise i for a number with sensitivity sens on the cell grid, with one part in
 * `parts' of epsilon; drawn there.  Or where sens is whole on the printed grid,
 * the number is rounded first and the noise drawn on the printed grid; plan.c
 * has the proof.
 */
bool lap_noise_fine(struct lap_plan *p, size_t i, u128 sens, u128 parts);
bool lap_noise(struct lap_plan *p, size_t i, u128 sens);

/* Noise 0 for the counts of m keys, or of all records; a record has one key. */
bool lap_count_noise(struct lap_plan *p);

/*
 * " times K", where neighbours are K records apart, as with --max-rows; or
 * nothing.
 */
const char *lap_times(const struct lap_plan *p, char buf[REPORT_NOTE]);

/* lap_describe reports noise i.  lap_hide reports no number of the noise. */
void lap_describe(struct lap_plan *p, size_t i);
void lap_hide(struct lap_plan *p);

/* Reports all numbers if they are alike; if not, hides, and returns false. */
bool lap_describe_all(struct lap_plan *p);

/* Finds epsilon for --within, plans (else status 2), fills the report. */
void lap_settle(struct lap_plan *p);

/* --- box.c ---------------------------------------------------------------- */

/*
 * K-norm noise, one draw for the numbers of a body, whose sides are in p->side:
 * makes the noise for neighbors that differ in this many records.  The number
 * of records is one of the numbers of the box, or it is public, or gets its own
 * noise with the part count / LAP_COUNT of epsilon, count > 0.
 */
#define LAP_COUNT 64
bool lap_box_plan(struct lap_plan *p, struct knorm body, u128 records,
    unsigned count);

/*
 * For sums: have the sides in p->side less noise with the count?  If not they
 * become even.
 */
bool lap_box_counted(struct lap_plan *p);

/* --- numbers.c: sums, and means over a public number of records ----------- */

bool lap_number_plan(struct lap_plan *p);	/* of one column */
bool lap_numbers_plan(struct lap_plan *p);	/* by one draw */

/* Decimals for the mean of column c, no more than the cells'. */
bool lap_mean_digits(struct lap_plan *p, size_t c);

/* --- moments.c: moments of columns and pairs ------------------------------ */

/* What is added up: cells; their squares, too; products of two, too. */
enum moments { MOMENTS_LINE, MOMENTS_SQUARE, MOMENTS_PRODUCT };

enum moments lap_moments(const struct lap_plan *p);

/* Pairs of columns of which products are added up. */
size_t lap_moments_pairs(const struct lap_plan *p);

bool lap_moments_parts(struct lap_plan *p);	/* Laplace noise */
bool lap_moments_own(struct lap_plan *p);	/* of the count alone */
bool lap_moments_joint(struct lap_plan *p);	/* one draw for all */
bool lap_moments_line(struct lap_plan *p);
void lap_moments_note(struct lap_plan *p);

/* The unit of total i: what a record moves it, or its part, by at most. */
long double lap_unit(const struct lap_plan *p, size_t i);

/* The noise of the totals, in persons, for an interval. */
struct cover_noise lap_cover(const struct lap_plan *p);

/* Ends the program where the decimals of pairs do not fit. */
void lap_pairs_fit(const struct lap_plan *p);

/* Does --explain say an error of this part? */
bool lap_says(const struct lap_plan *p, enum cover_part part);

/* --- cut.c: columns bounded together by --norm ---------------------------- */

bool lap_norm_totals(struct lap_plan *p);	/* Laplace noise */
bool lap_norm_cut(struct lap_plan *p);		/* the box, cut */

/* The larger end of column c in steps; a sum of whole columns in its unit. */
int64_t lap_norm_end(const struct sums_column *c);
long double lap_norm_unit(const struct lap_plan *p, size_t c);

/* For NORM_PARTS: the range has nothing on this side of 0, so no noise. */
bool lap_norm_empty(const struct lap_plan *p, size_t i);

/*
 * The 95 % error of column c, a sum's in units of the larger end; of a mean
 * times n, where most are near 0, and of a covariance, in squared units.
 */
double lap_norm_error(const struct lap_plan *p, size_t c);

/*
 * look.c: fills p->error95 for a planned cut box: what public coins say, in
 * steps.  False where too few attempts at a draw succeed.
 */
bool lap_box_look(struct lap_plan *p);

void lap_norm_describe(struct lap_plan *p, size_t c);
void lap_norm_note(struct lap_plan *p);
void lap_norm_fit(const struct lap_plan *p);
