/*
 * lap_cov: the operation cov of laplace.
 *
 * plan/moments.c has the totals.  Before the noise there are integers only;
 * after the noise any computation is post-processing.  The results are clamped
 * to the bounds of the ranges: |C_ab| <= R_a R_b / 4 and C_aa >= 0.
 */
#include <math.h>

#include "laplace/answer/cover.h"
#include "lap.h"

#define MARGIN 1e-9L		/* for losses to floating point */

/* The place of a pair a < b among d columns, row by row. */
static size_t
pair_place(size_t d, size_t a, size_t b)
{
	return a * d - a * (a + 1) / 2 + b - a - 1;
}

/* The decimals that are printed, refused before a charge. */
static void
lap_cov_fit(const struct lap_plan *p)
{
	lap_pairs_fit(p);
	for (size_t a = 0; p->args->fit && a < p->d; a++)
		for (size_t b = a + 1; b < p->d; b++) {
			(void)lap_real_digits(p, lap_length(p, b) /
			    lap_length(p, a));
			(void)lap_real_digits(p, lap_length(p, b));
		}
}

static void
lap_cov_declare(struct lap *l)
{
	const struct lap_plan *p = &l->plan;
	const double *error = l->moments.error, cov = error[COVER_COVARIANCE];

	lap_pairs(l, error[COVER_VARIANCE], cov);
	for (size_t a = 0; l->args.fit && a < p->d; a++)
		for (size_t b = a + 1; b < p->d; b++) {
			long double width = lap_length(p, b);
			long double slope = width / lap_length(p, a);

			lap_pair_column(l, a, b, "corr",
			    lap_real_digits(p, 1), 4 * cov);
			lap_pair_column(l, a, b, "slope",
			    lap_real_digits(p, slope), 4 * cov * (double)slope);
			lap_pair_column(l, a, b, "intercept",
			    lap_real_digits(p, width), 4 * cov * (double)width);
		}
}

/* --- with noise ---------------------------------------------------------- */

/* C_ab for cells on -1..1, 0 without records. */
static long double
lap_cov_estimate(const struct lap_moments *k, size_t d, size_t a, size_t b)
{
	if (a == b)
		return unity_variance(&k->column[a], k->n);
	if (!(k->n > 0))
		return 0;
	return sums_within(k->pair[pair_place(d, a, b)].product /
	    fmaxl(k->n, 1) - unity_mean(&k->column[a], k->n) *
	    unity_mean(&k->column[b], k->n), -1, 1);
}

static struct cover
enclosed(const struct lap *l, size_t a, size_t b)
{
	const struct lap_moments *k = &l->moments;
	struct cover_noise noise = lap_cover(&l->plan);

	if (a == b)
		return cover_variance(&k->column[a], &noise);
	return cover_covariance(&k->pair[pair_place(l->plan.d, a, b)], &noise);
}

static struct answer
answer(const struct lap *l, size_t a, size_t b, int digits)
{
	const struct lap_moments *k = &l->moments;
	long double unit = lap_length(&l->plan, a) *
	    lap_length(&l->plan, b) / 4;
	struct cover ends = { 0, 0 };

	if (l->opts.interval.den > 0)
		ends = enclosed(l, a, b);
	return lap_real(lap_cov_estimate(k, l->plan.d, a, b) * unit,
	    sums_within((long double)ends.lower - MARGIN, a == b ? 0 : -1, 1) *
	    unit, sums_within((long double)ends.upper + MARGIN, -1, 1) * unit,
	    digits);
}

/* The mean of column a in the unit of the column. */
static long double
real_mean(const struct lap *l, size_t a)
{
	const struct lap_moments *k = &l->moments;

	return (long double)l->plan.column[a].lo / (long double)fixed_pow10(
	    l->plan.cell[a]) + (1 + unity_mean(&k->column[a], k->n)) / 2 *
	    lap_length(&l->plan, a);
}

/* The most that x / w may be; infinite where w may be 0. */
static double
ratio_end(double x, double w_lower, double w_upper)
{
	return x / fmax(x > 0 ? w_lower : w_upper, 0);
}

/* How far x may be off, if it lies between two ends. */
static double
end_reach(double x, double lower, double upper)
{
	return fmax(upper - x, x - lower);
}

/* How far a released mean may be off, in the unit of the column. */
static double
mean_reach(const struct lap *l, size_t a, const struct cover_noise *noise)
{
	const struct unity_moments *m = &l->moments.column[a];
	struct cover c = cover_mean(m, noise);
	double x = (1 + (double)unity_mean(m, l->moments.n)) / 2;

	return end_reach(x, c.lower, c.upper) *
	    (double)lap_length(&l->plan, a);
}

/*
 * How far correlation, slope and intercept may be off.  The covariance, the two
 * variances and the two means each miss with a fifth of alpha, and between
 * their ends quotients and products are monotone; infinite where a variance may
 * be 0.
 */
static void
fit_reach(const struct lap *l, size_t a, size_t b, const long double x[3],
    double reach[3])
{
	const struct lap_moments *k = &l->moments;
	struct cover_noise noise = lap_cover(&l->plan);
	struct cover c, v, w;
	double unit = (double)(lap_length(&l->plan, b) / lap_length(&l->plan,
	    a)), near, far, off;

	noise.alpha /= 5;
	c = cover_covariance(&k->pair[pair_place(l->plan.d, a, b)], &noise);
	v = cover_variance(&k->column[a], &noise);
	w = cover_variance(&k->column[b], &noise);
	near = sqrt(fmax(v.lower, 0) * fmax(w.lower, 0));
	far = sqrt(v.upper * w.upper);
	reach[0] = end_reach((double)x[0],
	    fmax(-1, -ratio_end(-c.lower, near, far)),
	    fmin(1, ratio_end(c.upper, near, far)));
	reach[1] = end_reach((double)x[1],
	    -ratio_end(-c.lower, v.lower, v.upper) * unit,
	    ratio_end(c.upper, v.lower, v.upper) * unit);
	off = mean_reach(l, a, &noise);
	reach[2] = mean_reach(l, b, &noise) + reach[1] *
	    (fabs((double)real_mean(l, a)) + off) + fabs((double)x[1]) * off;
}

/*
 * The regression line of column b over column a, from released moments alone:
 * the slope is C_ab/C_aa, the correlation in -1..1.  Where a noisy variance is
 * 0, slope and correlation are 0.
 */
static void
fit(const struct lap *l, size_t a, size_t b,
    const struct release_column *column, struct answer *answer)
{
	size_t d = l->plan.d;
	long double v = lap_cov_estimate(&l->moments, d, a, a), slope = 0;
	long double x[3] = { 0 };
	double reach[3] = { 0 };
	long double w = lap_cov_estimate(&l->moments, d, b, b);

	if (v > 0 && w > 0) {
		x[0] = sums_within(lap_cov_estimate(&l->moments, d, a, b) /
		    sqrtl(v * w), -1, 1);
		slope = x[0] * sqrtl(w / v) * lap_length(&l->plan, b) /
		    lap_length(&l->plan, a);
	}
	x[1] = slope;
	x[2] = real_mean(l, b) - slope * real_mean(l, a);
	if (l->opts.told)
		fit_reach(l, a, b, x, reach);
	for (int i = 0; i < 3; i++) {
		answer[i] = lap_real(x[i], x[i] - (long double)reach[i], x[i] +
		    (long double)reach[i], column[i].digits);
	}
}

static void
lap_cov_answers(struct lap *l, size_t g, struct answer *a)
{
	const struct release_column *column = l->out.column + l->out.labels;
	size_t d = l->plan.d;

	lap_moments_draw(l, g);
	for (size_t i = 0; i < d; i++)
		for (size_t j = i; j < d; j++)
			*a++ = answer(l, i, j, column++->digits);
	for (size_t i = 0; l->args.fit && i < d; i++)
		for (size_t j = i + 1; j < d; j++, column += 3, a += 3)
			fit(l, i, j, column, a);
}

/* [DMNS06 Proposition 1] */
const struct lap_way lap_cov = {
	.body = { &lap_parts, &lap_own, &lap_joint }, .fit = lap_cov_fit,
	.facts = lap_moments_note, .open = lap_moments_open,
	.declare = lap_cov_declare, .answers = lap_cov_answers
};
