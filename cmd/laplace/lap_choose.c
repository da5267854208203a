/*
 * lap_choose: which noise several columns get, by public numbers alone.
 *
 * Mechanisms: independent Laplace noise with a share of epsilon for each
 * column; one draw of K-norm noise for the box that a record moves in
 * (knorm.c); with --norm, which bounds the columns together, Laplace noise on
 * totals (norm.c), or K-norm noise of the box cut by the norm.  With --norm
 * each is planned, and the 95 % errors are compared that --explain would say.
 */
#include <math.h>
#include <stdlib.h>

#include "lap.h"

/* Columns from which on no statistic has more noise than by itself. */
#define STATS_COLUMNS 4
#define SQUARE_COLUMNS 3

#define SURE 0.96	/* of an error's square, by public coins: less is
				   better */

static bool
choose_may_box(const struct lap *l)
{
	bool swap = l->opts.neighbors == NEIGHBORS_SWAP;
	size_t least = 2;

	if (l->op->prints & LAP_COUNTS)
		least = STATS_COLUMNS;
	else if (lap_has_squares(l) && !(swap && (l->op->prints & LAP_MEANS)))
		least = SQUARE_COLUMNS;
	return (l->op->takes & LAP_BOX) && !l->args.independent &&
	    l->plan.d >= least;
}

/*
 * The 95 % error of column c in parts of its range, near 0, times n: of the
 * planned noise.  Under a norm of G the means of d columns are G/d on average,
 * which is where the covariances by ranges alone err.
 */
static double
choose_error(struct lap *l, size_t c)
{
	const struct range *r = opts_range(&l->opts, c);
	double lo = rational_real(r->lo), hi = rational_real(r->hi);
	double u = fmax(fabs(lo), fabs(hi)) / (hi - lo);
	double z = fmin(fabs(lo + hi) / (hi - lo), 1);
	double n = (double)l->plan.divisor;
	bool pairs = (l->op->prints & LAP_PAIRS) != 0;
	struct cover_noise noise;

	if (l->way == &lap_norm)
		return lap_norm_error(l, c) * (pairs ? u * u : u);
	if (pairs || l->way->quotient) {
		noise = lap_cover(l, 0);
		z -= pairs * 2 * u * rational_real(l->args.norm) /
		    (double)l->plan.d;
		return cover_error95(&noise, pairs ? COVER_COVARIANCE :
		    COVER_MEAN, fmax(z, 0));
	}
	lap_describe(l, c);
	return rational_real(l->report.error95) * n / (hi - lo);
}

/* The squares over all columns, planned for E = 1. */
static double
choose_errors(struct lap *l, const struct lap_way *way, bool box)
{
	double all = 0;

	l->way = way;
	l->box = box;
	l->plan.box.d = 0;
	l->plan.eps = (struct rational){ 1, 1 };
	if (!way->plan(l) || (box && way == &lap_norm && !lap_box_look(l)))
		return HUGE_VAL;
	for (size_t c = 0; c < l->plan.d; c++) {
		double x = choose_error(l, c);

		all += x * x;
	}
	return all;
}

/* Is the norm used? */
static bool
choose_norm(struct lap *l)
{
	bool box = l->box;
	double ranges = choose_errors(l, lap_plain(l), box);
	double totals = choose_errors(l, &lap_norm, false);

	if (box && !(l->op->prints & LAP_PAIRS) && choose_errors(l, &lap_norm,
	    true) < SURE * fmin(ranges, totals))
		return true;
	l->box = box && ranges <= totals;
	return totals < ranges;
}

const struct lap_way *
lap_plain(const struct lap *l)
{
	if (l->args.false_keys.den != 0)
		return &lap_universe;
	return l->op->way[l->opts.neighbors];
}

void
lap_choose(struct lap *l)
{
	bool norm;

	l->box = choose_may_box(l);
	norm = l->args.norm.den != 0 && l->plan.d > 1 && choose_norm(l);
	l->plan.box.d = 0;
	l->plan.eps.den = 0;
	l->way = lap_plain(l);
	if (norm)
		l->way = &lap_norm;
	if ((l->op->prints & LAP_PAIRS) && l->plan.d == 1)
		l->way = &lap_unity;
	if (l->args.norm.den != 0 && !norm)
		report_note(&l->report, "norm", "not used: the ranges alone "
		    "need no more noise");
	if (l->box) {
		l->report.mechanism = l->op->boxed;
		l->report.noise = "K-norm of the box that a record moves all "
		    "columns in, discrete, exact: one draw for all, so they "
		    "depend on each other";
	}
}
