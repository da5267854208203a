/*
 * lap_plan: grids, sensitivities and scales, from public parameters alone.
 *
 * A way fills l->plan by a function of its own, made of these steps;
 * lap_settle calls it, again and again where --within searches for epsilon.
 */
#ifndef LAP_PLAN_H
#define LAP_PLAN_H

#include "lap.h"

/* What a plan takes for the center of a column. */
enum lap_center { LAP_ZERO, LAP_MIDDLE, LAP_LOWER };

/* Ends the program where parameters do not fit their grids. */
noreturn void lap_unfit(void);

/* Room for plan.d columns and k kinds of noise. */
void lap_room(struct lap *l, size_t k);

/*
 * Column c on the grid of k decimals, as intake rounds its range; or false.
 * With k < 0, from the lower end, in units of 10^-k on the grid of integers.
 */
bool lap_column(struct lap *l, size_t c, int k, enum lap_center center);

/*
 * Puts column c on the finest grid of k to least decimals that holds its range
 * in so many steps; returns its decimals, or least - 1.
 */
int lap_finest(struct lap *l, size_t c, int k, int least,
    enum lap_center center, u128 steps);

/* B - A of column c. */
bool lap_width(const struct lap *l, size_t c, struct rational *width);

/*
 * Decimals for numbers that are known as well as `limit`, and that hold the
 * range of column c (LAP_MANY: of none); or those of --digits; or -1.
 */
int lap_digits(const struct lap *l, struct rational limit, size_t c);

/* The same for limit = scale sens/eps, or sens as long as epsilon is open. */
int lap_scale_digits(const struct lap *l, struct rational sens, size_t c);

/* Decimals of a column's cells for a sum that is printed with so many. */
int lap_cell_digits(const struct lap *l, int printed);

/* Decimals where the scale is unknown: for parts of the range, or squared. */
int lap_range_digits(const struct lap *l, size_t c, bool squared);

/* The same as a number, for what follows the noise. */
long double lap_length(const struct lap *l, size_t c);

/* Ends the program if no such number is printed with so many decimals. */
void lap_fit(long double most, int digits);

/* 1 minus the probability of --interval. */
double lap_alpha(const struct lap *l);

/* Decimals of an answer that is at most `most', or those of --digits. */
int lap_real_digits(const struct lap *l, long double most);

static inline long double
lap_within(long double x, long double lo, long double hi)
{
	return x < lo ? lo : x > hi ? hi : x;
}

/*
 * What a record moves the answers of all groups, of those that it moves by
 * `coming' when it comes or goes and by `replaced' when it is replaced.
 */
u128 lap_sens(const struct lap *l, u128 coming, u128 replaced);

/*
 * Noise i for a number of sensitivity sens on its cells' grid, which gets one
 * part in `parts` of epsilon.  Where sens is whole on the printed grid the
 * number is rounded to that and the noise drawn there; see lap_plan.c.
 */
bool lap_noise(struct lap *l, size_t i, u128 sens, u128 parts);

/* The same, on the grid of the cells. */
bool lap_noise_fine(struct lap *l, size_t i, u128 sens, u128 parts);

/* Noise 0 for counts that a record moves by sens in all: of whole numbers. */
bool lap_count_noise(struct lap *l, u128 sens);

/* The same for counts of the m keys, of which a record has one. */
bool lap_hist_noise(struct lap *l);

/*
 * Makes the report that of noise i; or without sensitivity and scale; or that
 * of all kinds of noise, if they are alike (else false, and it has none).
 */
void lap_describe(struct lap *l, size_t i);
void lap_hide(struct lap *l);
bool lap_describe_all(struct lap *l);

/* --within by means of the plan, then it, or status 2; then the report. */
void lap_settle(struct lap *l);

#endif
