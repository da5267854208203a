/* lap_ops: the steps that operations of laplace are made of, and they. */
#ifndef LAP_OPS_H
#define LAP_OPS_H

#include "lap.h"

/* The ranges on a grid of k decimals, as intake rounds them; or false. */
bool lap_columns(struct lap *l, int k);

/* Digits for a value in the widest range (squared) whose scale is unknown. */
int lap_wide_digits(const struct lap *l, bool squared);

#define LAP_FINER 9	/* decimals of the cells beyond the printed ones */

/* Scale and error in the report of noise on a grid of k decimals. */
void lap_report_scale(struct report *r, const struct scale *t, int k);

/* The report names no sensitivity, scale or error. */
void lap_hide(struct lap *l);

/* --within by means of plan, then plan, or status 2. */
typedef bool lap_plan_fn(struct lap *l, bool has_eps, struct rational eps);
void lap_settle(struct lap *l, lap_plan_fn *plan);

/* Notes on groups and formula, then --explain, the ledger's first word. */
void lap_prepare(struct lap *l);

/* Opens input; columns that a name list hid may change the plan. */
void lap_open(struct lap *l, lap_plan_fn *plan);

/* m values of 0 for each group; n draws of scale t (0s if non-private). */
void lap_values(struct lap *l);
void lap_rng(struct lap *l);
i128 *lap_draw(struct lap *l, size_t n, const struct scale *t);

/* Names of the m numbers: the columns. */
void lap_name_columns(struct lap *l);
void lap_name_pairs(struct lap *l);

/* x of the cell grid to `digits` decimals, halves up; post-processing. */
i128 lap_round(i128 x, int from, int digits);

/* floor(x / n + 1/2), n > 0. */
i128 lap_nearest(i128 x, i128 n);

/* Exact sums of each group; all counts, which are public under swap. */
struct sums *lap_read_sums(struct lap *l, bool products);
void lap_free_sums(struct lap *l, struct sums *s);
u128 lap_everybody(const struct lap *l, const struct sums *s);

/* Mean of column a from its sum; without records the middle of the range. */
i128 lap_mean_of(const struct lap *l, size_t a, i128 sum, u128 n);

/* Adds noise to the values, rounds, releases, frees. */
void lap_write(struct lap *l);

/* For operations that write by themselves. */
void lap_begin(struct lap *l);
void lap_number(struct lap *l, uint64_t rel, size_t group, size_t i, i128 x,
    int digits);
void lap_end(struct lap *l);

/* Refreshes what JSON says beside a value after the report has changed. */
void lap_retail(struct lap *l);

/*
 * Puts cov's columns on the finest grid from `from` decimals down on which
 * they are at most SUMS_WIDTH wide; squared cell steps in a printed step.
 */
bool lap_narrow(struct lap *l, int from);
u128 lap_cov_unit(const struct lap *l, int digits);

/*
 * mean under --metric: options, columns once the header is known, and the
 * sensitivity of the sums for each unit of distance (unit_sens).
 */
void lap_metric_check(struct lap *l);
void lap_metric_columns(struct lap *l);
bool lap_metric_sens(struct lap *l);

/* The operations, and those of mean and cov under add-remove. */
void lap_count(struct lap *l);
void lap_sum(struct lap *l);
void lap_hist(struct lap *l);
void lap_mean(struct lap *l);
void lap_mean_split(struct lap *l);
void lap_cov(struct lap *l);
void lap_cov_split(struct lap *l);
/* value: the operands after the first are the numbers. */
void lap_operands(struct lap *l);
void lap_number_value(struct lap *l);
void lap_tree(struct lap *l);
void lap_cut(struct lap *l);
void lap_flip(struct lap *l);

#endif
