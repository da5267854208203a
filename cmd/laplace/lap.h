/*
 * lap: what the operations of laplace share.
 *
 * An operation says which records it reads, how it adds them up and what its
 * sensitivity is; options, grids, noise and output are here.
 */
#ifndef LAP_H
#define LAP_H

#include "input/intake.h"
#include "random/noise.h"
#include "release/release.h"
#include "release/report.h"
#include "sums.h"
#include "tool/opts.h"

enum {
	OPT_SIZE = OPT_OWN, OPT_SENS_COLUMN, OPT_KEYS, OPT_BINS, OPT_ESTIMATE,
	OPT_LAP_METRIC
};

/* What an operation takes, beside the options that all of them take. */
enum {
	LAP_RANGE = 1,		/* --range */
	LAP_NEED_RANGE = 2,
	LAP_GROUPS = 4,
	LAP_WEIGHT = 8,
	LAP_RELATION = 16,	/* either --neighbors; else its own only */
	LAP_SENS = 32,		/* -s, --sensitivity-column */
	LAP_BINS = 64,		/* --keys, --bins */
	LAP_SIZE = 128,		/* --size, under swap */
	LAP_ESTIMATE = 256
};

#define LAP_MANY ((size_t)1000)		/* columns at most */
#define LAP_BINS_MOST ((uint64_t)10000000)

struct lap;

struct lap_op {
	const char *name;
	const char *mechanism;
	unsigned takes;
	enum neighbors neighbors;	/* the default */
	size_t least, most, texts;	/* columns; the first are names */
	void (*run)(struct lap *);
};

struct lap {
	struct opts opts;
	struct report report;
	struct release out;
	const struct lap_op *op;
	/* arguments of its own options */
	bool has_sens, estimate;
	struct rational sens_arg, bin_lo, bin_hi, bin_width;
	const char *sens_column, *keys_path, *bins_arg, *metric;
	uint64_t size;			/* 0: not given */
	char *node_columns;		/* public, of mst and mincut */
	char *metric_columns;		/* those of --metric, without -c */
	/* the plan: public, see lap_plan */
	size_t d;			/* columns, as far as is known */
	struct sums_column *column;	/* d ranges on the grid of the cells */
	int cell_digits;		/* that grid; r->digits is printed */
	bool counting;			/* no decimals unless asked for */
	bool whole;			/* cells on the printed grid */
	bool fine;			/* --digits is for the printed ones */
	bool centred;			/* sums about the middle of the range */
	struct rational unit_sens;	/* 0: from the columns */
	u128 sens;			/* in cell steps, at least 1 */
	struct scale t;
	/* data */
	struct intake in;
	struct rng rng;
	size_t m;			/* numbers of each group */
	struct label *key;		/* their m names, or NULL */
	char *key_text;
	i128 *value;			/* groups times m, in cell steps */
	i128 *noise;			/* repeat times that */
};

/* Takes the tool's own options and hands the rest to opts_take. */
void lap_take(struct lap *l, int code);

/* The operation called name; status 2 where there is none. */
const struct lap_op *lap_find(const char *name);

/* Options against the operation; sets relation and policy for bad cells. */
void lap_check(struct lap *l);

/*
 * Grids, integer sensitivity and noise scale of sums over l->d columns (or of
 * unit_sens); fills the report.  False where it does not fit.
 */
bool lap_plan(struct lap *l, bool has_eps, struct rational eps);

/* Smallest digits with 10^-k <= limit / parts, or -1. */
int lap_digits(const struct lap *l, struct rational limit, bool hold);

#endif
