/*
 * synth: what smalldb and mwem share: a universe, its queries, a scale c of
 * [KPAK20] for each of them, and a synthetic histogram as output.
 *
 * Neighbours swap one record of element i for one of element j, for a budget
 * of epsilon d(i,j); without a metric d is 1.  n is public.
 */
#ifndef SYNTH_H
#define SYNTH_H

#include "dx/universe/universe.h"
#include "mwem.h"
#include "random/select.h"
#include "release/release.h"
#include "release/report.h"

enum {
	OPT_TOTAL = UNIVERSE_OWN,
	OPT_ALPHA, OPT_RECORDS, OPT_BETA, OPT_LIMIT,
	OPT_AVERAGE, OPT_LAST, OPT_REPLAY, OPT_PAPER, OPT_START,
	OPT_MECHANISM, OPT_SAMPLE
};

#define SYNTH_TOTAL \
	{ OPT_TOTAL, "total", "N", "the public number of records" }

/* What mwem measures: all cells, marginals, intervals, or chosen queries. */
enum synth_start {
	SYNTH_HISTOGRAM, SYNTH_MARGINALS, SYNTH_TREE, SYNTH_UNIFORM,
	SYNTH_BEST
};

struct synth {
	struct opts opts;
	struct report report;
	struct release out;
	struct universe u;
	uint64_t total;		/* n; 0 before it is known */
	bool given_total;
	/* smalldb */
	bool has_alpha;
	struct rational alpha, beta;
	uint64_t records;	/* m; 0: by alpha */
	double limit;		/* candidates */
	/* mwem */
	uint64_t rounds;	/* T; 0: by a rule */
	bool average, last, replay, paper;
	enum synth_start start;
	enum select_kind kind;
	uint64_t sample;	/* records to draw; 0: none */
	/* after synth_scale: normal forms and scales c, with epsilon */
	struct normal q;
	/* after synth_levels: marginals of 1, 2, ... attributes, and of all */
	struct workload *lower;
	struct normal *level;
	size_t levels;
	struct rng rng;
};

/* Takes the options of both tools and hands the rest to opts_take. */
void synth_take(struct synth *s, int code);

/* Checks what both share; the notes of the tool are in the report before. */
void synth_check(struct synth *s);

/* Reads the public universe; the queries on their finest grids. */
void synth_open(struct synth *s);

/* Reads the private counts; under --check exits.  n is known then. */
void synth_count(struct synth *s);

/* Coefficients at most this; false when that is too coarse to go on. */
bool synth_coarser(struct synth *s, int64_t *most);

/* Works out normal forms and the scales of all queries. */
void synth_scale(struct synth *s);

/*
 * The same of the marginals of fewer attributes than those of a workload of
 * nothing but marginals, one attribute first, as far as there is room, and
 * after it of the cells, where these can be counted.  Returns which of the
 * levels is the workload, from 1 on; 0: it is another.
 */
size_t synth_levels(struct synth *s);
void synth_levels_close(struct synth *s);

/*
 * Mean over the queries of c as a part of their width, and the largest, both
 * for reports and public choices.
 */
double synth_mean_scale(const struct synth *s, double *most);

/*
 * Noise for the count of every cell: a record that moves from i to j changes
 * two counts by 1, so a scale of 2 / (E min d) is private.  False where two
 * elements have distance 0.
 */
bool synth_cell_scale(const struct synth *s, struct scale *t);

/* The largest scale of the entries' noise, for the report. */
void synth_report_scale(struct synth *s, const struct scale *noise);

/* The header line of the output, and the line of element i without its end. */
void synth_header(struct synth *s, const char *last);
void synth_line(struct synth *s, uint64_t rel, size_t i);

/* One release: a count for each element, on the grid of synth_digits. */
void synth_counts(struct synth *s, uint64_t rel, const i128 *count);
int synth_digits(const struct synth *s);

/* Counts that add up to n exactly, by y in proportion. */
void synth_round(struct synth *s, const double *y, i128 *count);

/*
 * Rounds some of these counts of y the other way, so that dense queries have
 * answers nearer to those of y; order: of the cells, a random one.
 */
void synth_nearer(const struct synth *s, const double *y, const size_t *order,
    i128 *count);

/* M records drawn by y. */
void synth_draws(struct synth *s, uint64_t rel, const double *y);

/* How far a long computation is, on a terminal; synth_end wipes it. */
void synth_progress(const char *what, double part);

/* Writes everything and frees. */
void synth_end(struct synth *s);

/* The two tools, after synth_check. */
void synth_smalldb(struct synth *s);
void synth_mwem(struct synth *s);

#endif
