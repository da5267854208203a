/*
 * synth: the common part of smalldb and mwem: a universe, queries, a scale c of
 * [KPAK20] for each query, and a synthetic histogram as output.
 *
 * Neighbours swap a record of element i for a record of element j, for a budget
 * of epsilon d(i,j); without a metric d is 1.  n is public.
 *
 * Or a record comes or goes as well, for a budget of epsilon R, and n is
 * hidden.  A record that comes changes every noisy number by half the largest
 * change of a moved record: a partition in one cell instead of two, a centered
 * answer by half the width (mwem.c).  So comings and goings ask for the scales
 * of moves over a distance of 2 R, whatever the elements, and each scale is the
 * larger of the two.  Without a metric R is 1, and records come and go alone: a
 * move is a going and a coming, for 2 epsilon.
 */
#pragma once

#include "dx/universe/universe.h"
#include "dx/plan/workload.h"
#include "dx/plan/normal.h"
#include "number/fixed.h"
#include "random/noise.h"
#include "random/rng.h"
#include "random/select.h"
#include "run/run.h"
#include "synth_way.h"
#include "tool/opts.h"
#include "tool/row.h"

enum {
	OPT_TOTAL = UNIVERSE_OWN,
	OPT_ALPHA, OPT_RECORDS, OPT_BETA, OPT_LIMIT,
	OPT_LAST, OPT_REPLAY, OPT_PAPER, OPT_START,
	OPT_MECHANISM, OPT_SAMPLE, OPT_ZEROS, OPT_WIDE
};

#define SYNTH_TOTAL \
	{ OPT_TOTAL, "total", "N", "the public number of records" }

#define SYNTH_SHIFT 12	/* 2^62 units for 2^24 cells with 2^26 records */

struct synth {
	struct opts opts;
	struct report report;
	struct release out;
	struct universe u;
	struct rational eps;	/* left beside n: the scales' epsilon */
	uint64_t n;		/* the counts' sum */
	uint64_t total;		/* n, or the known part of n */
	double variance;	/* of total; 0: n is public */
	bool given_total;
	/* smalldb */
	struct rational alpha, beta;	/* alpha.den 0: not given */
	uint64_t records;	/* m; 0: by alpha */
	double limit;		/* candidates */
	bool paper;
	/* mwem */
	uint64_t rounds;	/* T; 0: by a rule */
	unsigned shift;		/* a record counts as 2^shift; SYNTH_SHIFT
				   for records with epsilons of their own */
	bool last, replay;
	const struct way *start;	/* asked for; NULL: the best */
	enum select_kind kind;
	uint64_t sample;	/* records to draw; 0: none */
	bool zeros;		/* write rows of count 0, too */
	bool wide;		/* attributes and pairs, however few cells */
	double memory;		/* bytes, as the ways tell */
	/* after synth_scale: normal forms and scales c, with epsilon */
	struct normal q;
	struct rng rng;
	void *own;		/* the tool's */
};

/*
 * Steps of run/run.h that both tools have.  synth_check wants the tool's notes
 * in the report before; synth_open reads the public universe, the queries on
 * their finest grids.
 */
void synth_take(void *arg, int code);
void synth_check(void *arg);
void synth_plan(void *arg);
bool synth_waits(const void *arg);
void synth_open(struct synth *s);

/*
 * Reads the private counts, n in all; under --check exits.  Refuses --digits by
 * the largest n that there may be: a hidden n decides nothing.
 */
void synth_count(void *arg);

/* The source of noise; NULL: no noise is added. */
struct rng *synth_noise(struct synth *s);

/* The n for a release: n itself, a promise, or n with noise. */
void synth_total(struct synth *s);

/*
 * Coarser coefficients of a query that has some, with their scales, in a new
 * workload; false where there are none, or too coarse ones.  (Queries without
 * coefficients stay where they are: ways that are open look at them.)
 */
bool synth_coarser(struct synth *s, int64_t *most);

/* Works out normal forms and the queries' scales. */
void synth_scale(struct synth *s);

/* Does each entry's scale fit if the budget is in this many parts? */
bool synth_fits(const struct normal *q, i128 parts);

/* synth_scale for further queries, to q. */
void synth_entries(const struct synth *s, const struct workload *w,
    struct normal *q);

/*
 * The mean over the queries of c as a part of the width, and the largest, for
 * reports and public choices.
 */
double synth_mean_scale(const struct synth *s, double *most);

/* R, where records come and go. */
struct rational synth_presence(const struct synth *s);

/*
 * Noise for the count of every cell: a record that moves from i to j changes
 * two counts by 1, so a scale of 2 / (E d) is private for d = min d(i,j); one
 * that comes or goes changes one count, so that 1 / (E R) is.  In parts of
 * 2^-shift of a record.  False where two elements have distance 0.
 */
bool synth_cell(const struct synth *s, unsigned shift, struct rational *c);
bool synth_cell_scale(const struct synth *s, unsigned shift, struct scale *t);

/* The largest scale of the entries' noise, for the report. */
void synth_report_scale(struct synth *s, const struct scale *noise);

/* A line of the output, which begins with the release where there are some. */
struct row synth_row(struct synth *s, const char *release);

/* The header line of the output. */
void synth_header(struct synth *s, const char *last);

/* One release: a count for each element, on the grid of synth_digits. */
void synth_counts(struct synth *s, uint64_t rel, const i128 *count);
int synth_digits(const struct synth *s);

/* M records drawn by y. */
void synth_draws(struct synth *s, uint64_t rel, const double *y);

/* A long computation's progress, on a terminal; done = all wipes the line. */
void synth_progress(size_t done, size_t all);

/* The report, which may tell n with noise: charged by now. */
void synth_end(void *arg);

/* The two tools. */
extern const struct run_steps synth_smalldb, synth_mwem;

/* Is the domain a list of more combinations than can be counted? */
bool synth_is_wide(const struct synth *s);

/* Refuses options that do not go with attributes and pairs. */
void synth_wide_check(struct synth *s);
void synth_wide_open(struct synth *s);
void synth_wide_read(struct synth *s);
void synth_wide_rows(struct synth *s, uint64_t rel);
