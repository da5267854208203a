/*
 * lap: what the operations of laplace share.
 *
 * An operation says which records it reads, how it adds them up and what its
 * sensitivity is; options, the plan, noise and output are here.
 */
#ifndef LAP_H
#define LAP_H

#include "input/intake.h"
#include "norm.h"
#include "random/noise.h"
#include "release/release.h"
#include "release/report.h"
#include "sums.h"
#include "tool/opts.h"

enum {
	OPT_SIZE = OPT_OWN, OPT_SENS_COLUMN, OPT_KEYS, OPT_BINS, OPT_ESTIMATE,
	OPT_LAP_METRIC, OPT_UNIVERSE, OPT_FALSE_KEYS, OPT_NORM,
	OPT_POPULATION, OPT_VERSUS
};

/* What an operation takes, beside the options that all of them take. */
enum {
	LAP_RANGE = 1,		/* --range */
	LAP_NEED_RANGE = 2,
	LAP_GROUPS = 4,
	LAP_WEIGHT = 8,
	LAP_RELATION = 16,	/* either --neighbors; else its own only */
	LAP_SENS = 32,		/* -s, --sensitivity-column, operands */
	LAP_BINS = 64,		/* --keys, --bins, --universe */
	LAP_SIZE = 128,		/* --size, under swap */
	LAP_ESTIMATE = 256,
	LAP_PEOPLE = 512,	/* --unit */
	LAP_INTERVAL = 1024,
	LAP_EDGES = 2048,	/* weights in 0..1, whatever the data say */
	LAP_KEYED = 4096,	/* -g with --universe */
	LAP_NORM = 16384,	/* --norm */
	LAP_MOVES = 8192	/* under swap, out of a group into another */
};

/* What an operation prints, of each column but for the count. */
enum {
	LAP_COUNTS = 1, LAP_SUMS = 2, LAP_MEANS = 4, LAP_VARIANCES = 8,
	LAP_DEVIATIONS = 16, LAP_PAIRS = 32, LAP_OTHER = 64
};

#define LAP_MANY ((size_t)1000)		/* columns at most */
#define LAP_BINS_MOST ((uint64_t)10000000)
#define LAP_FINER 9	/* decimals of the cells beyond the printed ones */
#define LAP_FINER_PEOPLE 3	/* with --per sum */
#define LAP_FINER_BINS 6	/* of bins, with --per sum and mean */

struct lap;

struct lap_op {
	const char *name;
	const char *mechanism;
	unsigned prints, takes;
	enum neighbors neighbors;	/* the default */
	size_t least, most, texts;	/* columns; the first are names */
	void (*run)(struct lap *);
};

/* The tool's own options. */
struct lap_args {
	bool has_sens, estimate, others, population;
	struct rational sens;
	struct rational *bin;		/* --bins: A, B and W, or the edges */
	size_t nbins;			/* of them */
	bool steps, dates;		/* A, B and W; or edges, days */
	struct rational false_keys, norm;	/* den 0: not given */
	const char *sens_column, *keys_path, *bins, *metric, *universe, *versus;
	uint64_t size;			/* 0: not given */
	char *node_columns;		/* public, of mst and mincut */
	char *metric_columns;		/* those of --metric, without -c */
	char *keyed_columns;		/* --group and -c, with --universe */
};

/* The noise of one number, and how the number is printed. */
struct lap_noise {
	int cell;		/* decimals of the exact number */
	int grid;		/* decimals of the noise, at most these */
	int digits;		/* decimals that are printed */
	u128 sens;		/* of this number alone, in steps of the grid */
	struct scale t;
	i128 reach;		/* half of --interval, in steps of the grid */
};

/* What is public and known before any data: made in lap_plan.c alone. */
struct lap_plan {
	bool has_eps;
	struct rational eps;
	size_t d;			/* columns, as far as is known */
	struct sums_column *column;	/* d ranges on their own grids */
	int *cell;			/* of so many decimals */
	u128 divisor;			/* of all numbers, after the noise */
	size_t k;			/* kinds of noise: 1 for all, or d */
	struct lap_noise *noise;
	struct norm norm;		/* with --norm */
};

struct lap {
	struct opts opts;		/* constant after lap_check */
	struct lap_args args;
	const struct lap_op *op;
	struct lap_plan plan;
	struct report report;
	struct release out;
	/* data */
	struct intake in;
	struct rng rng;
	size_t m;			/* numbers of each group */
	i128 *value;			/* groups times m, on the cells' grid */
};

/* Takes the tool's own options and hands the rest to opts_take. */
void lap_take(struct lap *l, int code);

/* Options against the operation; sets relation and policy for bad cells. */
void lap_check(struct lap *l);

/* value: the operands after the first become standard input. */
void lap_operands(struct lap *l);

/* mean under --metric: options, and columns once the header is known. */
void lap_metric_check(struct lap *l);
void lap_metric_columns(struct lap *l);

/*
 * The l1 sensitivity of the sums for each unit of distance; 0 where the ranges
 * decide.  False where it does not fit.
 */
bool lap_metric_sens(const struct lap *l, struct rational *sens);

/* The operations. */
void lap_count(struct lap *l);
void lap_sum(struct lap *l);
void lap_hist(struct lap *l);
void lap_take_bins(struct lap *l, const char *arg);
void lap_hist_check(struct lap *l);	/* --check with keys or bins; exits */
void lap_mean(struct lap *l);
void lap_cov(struct lap *l);
void lap_number_value(struct lap *l);
void lap_tree(struct lap *l);
void lap_cut(struct lap *l);
void lap_response(struct lap *l);

#endif
