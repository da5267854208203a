/* lap_run: the steps from the plan to the release. */
#ifndef LAP_RUN_H
#define LAP_RUN_H

#include "lap_plan.h"

/* Notes on groups and formula, then --explain, the ledger's first word. */
void lap_prepare(struct lap *l);

/* Opens input; columns that a name list hid may change the plan. */
void lap_open(struct lap *l, lap_plan_fn *plan);

/* m values of 0 for each group. */
void lap_values(struct lap *l);

/* One draw of noise i, 0 if non-private. */
i128 lap_draw(struct lap *l, const struct scale *t);

/* Exact totals of each group; how many records all groups have. */
struct sums *lap_read_sums(struct lap *l, enum sums_kind kind);
void lap_free_sums(struct lap *l, struct sums *s);
u128 lap_all_records(const struct lap *l, struct sums *s);

/* The name of column c of the input. */
const char *lap_name(const struct lap *l, size_t c);

/*
 * The release: begin, with the labels of groups; answers and their header;
 * rows; end, which frees.
 */
void lap_begin(struct lap *l);
void lap_header(struct lap *l);
void lap_row(struct lap *l, uint64_t rel, size_t group,
    const struct answer *answer);
void lap_end(struct lap *l);

/* The answer for a number on its cells' grid, with a draw of noise i. */
struct answer lap_answer(struct lap *l, i128 exact, size_t i);

/* The answer for a number that has noise i, on that noise's grid. */
struct answer lap_answer_noisy(struct lap *l, i128 x, size_t i);

/* The values with noise, a row for each group. */
void lap_write(struct lap *l);

#endif
