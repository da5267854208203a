/* lap_run: the steps from the plan to the release. */
#ifndef LAP_RUN_H
#define LAP_RUN_H

#include "lap_plan.h"

/* An operation, from its way's first step to the release; frees. */
void lap_run(struct lap *l);

/* A draw of noise i, 0 if non-private. */
i128 lap_draw(struct lap *l, const struct scale *t);

/* How many records all groups have: the last total of each counts them. */
u128 lap_all_records(struct lap *l);

/* The name of input column c. */
const char *lap_name(const struct lap *l, size_t c);

/* Begins the release, with the groups' labels. */
void lap_begin(struct lap *l);

/* A column of answers with this many decimals. */
void lap_declare(struct lap *l, const char *column, const char *what,
    int digits);

/* A real number behind the noise, in an interval widened for rounding. */
struct answer lap_real(long double x, long double lower, long double upper,
    int digits);

/*
 * A number on the cell grid, with a draw of noise i on the noise grid; the
 * answer for a number there; or the two steps together.
 */
i128 lap_noisy(struct lap *l, i128 exact, size_t i);
struct answer lap_answer_noisy(const struct lap *l, i128 x, size_t i);
struct answer lap_answer(struct lap *l, i128 exact, size_t i);

/*
 * A record in the totals with noise i, in steps; and this noise in records, for
 * an interval.
 */
long double lap_unit(const struct lap *l, size_t i);
struct cover_noise;
struct cover_noise lap_cover(const struct lap *l, size_t i);

/* The columns of covariances: lap_begin, and a column for each pair a <= b. */
void lap_pairs(struct lap *l);

#endif
