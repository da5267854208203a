/*
 * lap_plan: grids, sensitivities and scales, from public parameters alone.
 *
 * A way's plan function fills l->plan by the steps below.  lap_settle calls the
 * plan function, many times where --within searches for epsilon.
 */
#ifndef LAP_PLAN_H
#define LAP_PLAN_H

#include "lap.h"

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
 * Decimals without a known scale: for parts of the range, or of the squared
 * range.
 */
int lap_range_digits(const struct lap *l, size_t c, bool squared);

/* B - A as a real number, for use behind the noise. */
long double lap_length(const struct lap *l, size_t c);

/* Ends the program if `most' does not fit 64 bits with these decimals. */
void lap_fit(long double most, int digits);

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
 * lap_describe reports noise i.  lap_hide reports no sensitivity and no scale.
 * lap_describe_all reports every kind of noise if they are alike; if not, hides
 * and returns false.
 */
void lap_describe(struct lap *l, size_t i);
void lap_hide(struct lap *l);
bool lap_describe_all(struct lap *l);

/* Finds epsilon for --within, plans (else status 2), fills the report. */
void lap_settle(struct lap *l);

#endif
