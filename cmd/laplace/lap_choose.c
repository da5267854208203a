/*
 * lap_choose: which noise several columns get, by public numbers alone.
 *
 * Three mechanisms: independent Laplace noise with a share of epsilon for each
 * column; one draw of K-norm noise for the box that a record moves in
 * (knorm.c); Laplace noise on totals that --norm bounds together (norm.c).
 * Errors are compared as root mean squares, over columns in units of their
 * ranges, of many records, and divided by sqrt(2)/E: independent noise for one
 * sum in units of the larger end has the error 1.
 */
#include <math.h>

#include "lap.h"

/* Columns from which on no statistic has more noise than by itself. */
#define STATS_COLUMNS 4
#define SQUARE_COLUMNS 3

/*
 * The noise of one number out of n: a box has the mean square (n + 2)(n + 3)/6
 * with the count, which is 0 to 1, (n + 1)(n + 2)/3 without, which is -1 to 1.
 * A mean at y from the middle of its range, -1/2 to 1/2, with the count, has (n
 * + 2)(n + 3)(1/12 + y^2/3).  A covariance of columns with means m on -1..1 has
 * 1 + 2 m^2 times the square of a number, in the unit of a quarter of the range
 * squared, and under swap, where a record is one less and one more, 4 times;
 * under add-remove without the part of E for the count.
 *
 * The error with K-norm noise over that with independent noise, for means of
 * which --norm allows no more than G/d of the range.
 */
static double
choose_gain(const struct lap *l)
{
	bool swap = l->opts.neighbors == NEIGHBORS_SWAP;
	double d = (double)l->plan.d, n = d + d * (d + 1) / 2;
	double rest = swap ? 1 : 1 - cbrt(0.6 / ((n + 1) * (n + 2)));
	double y = fmax(0.5 - rational_real(l->args.norm) / d, 0);

	if (l->op->prints & LAP_PAIRS)
		return sqrt((n + 1) * (n + 2) / 3 * (1 + 8 * y * y)) /
		    (rest * d * (d + 1));
	if (swap)
		return sqrt((d + 1) * (d + 2) / 6) / d;
	if (l->op->prints & LAP_SUMS)
		return sqrt((d + 2) * (d + 3) / 12) / d;
	return sqrt((d + 2) * (d + 3) * (1. / 12 + y * y / 3)) / d;
}

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
	    l->args.metric == NULL && l->plan.d >= least;
}

/* Noise of a column with the norm, in norms; `both' sides of 0 hold values. */
static double
choose_factor(bool swap, bool parts, bool both)
{
	if (swap || (parts && both))
		return 2;
	return parts ? M_SQRT2 : 1;
}

/*
 * Has an answer less noise with the norm than without?  Sums and swap: by the
 * scales.  A mean with n hidden has 2 G against d, or sqrt(2) G where a range
 * has nothing on one side of 0, so that one total of two needs no noise; a
 * covariance 3 sqrt(2) G^2 against half of d (d + 1)/2 at least, as measured on
 * many records.  Under swap these are 4 sqrt(2) G^2 and twice that half.
 */
static bool
choose_norm_pays(const struct lap *l)
{
	bool swap = l->opts.neighbors == NEIGHBORS_SWAP;
	bool parts = (l->op->prints & LAP_MEANS) && !swap;
	double d = (double)l->plan.d, g = rational_real(l->args.norm);
	double with = 0, without = 0;

	for (size_t c = 0; c < l->plan.d; c++) {
		const struct range *r = opts_range(&l->opts, c);
		double lo = rational_real(r->lo), hi = rational_real(r->hi);
		double most = fmax(fabs(lo), fabs(hi)), width = hi - lo;

		with += choose_factor(swap, parts, lo < 0 && hi > 0) * g *
		    most / width / d;
		without += l->op->prints == LAP_SUMS && !swap ? most / width :
		    1;
	}
	if (l->op->prints & LAP_PAIRS) {
		/* of (B-A)^2/n, twice that under add-remove */
		with *= (swap ? 1 : 6) * M_SQRT2 * with;
		without = d * (d + 1) / 2;
	}
	return with < (l->box ? choose_gain(l) : 1) * without;
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
	norm = l->args.norm.den != 0 && choose_norm_pays(l);
	l->box = l->box && !norm;
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
