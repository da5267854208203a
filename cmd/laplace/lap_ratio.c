/*
 * lap_ratio: the ratio of two sums.
 *
 * Both sums have noise by one draw, as sum has; the rest is post-processing.
 * Let M > 0 be the upper end of the second column's range, whose lower end is
 * at least 0.  The statistic is X / max(Y, M) of the sums X and Y, so that no
 * noise brings the denominator near 0.  An interval has either sum with half of
 * the chance to miss, and between two ends a quotient is monotone.
 */
#include <math.h>

#include "lap.h"

#define MARGIN 1e-9	/* for losses to floating point */

/* The larger end of column c, in the unit of the column. */
static double
ratio_end(const struct lap_plan *p, size_t c)
{
	const struct sums_column *col = &p->column[c];

	return cover_larger((double)col->lo, (double)col->hi) /
	    (double)fixed_pow10(p->cell[c]);
}

static long double
ratio_unit(const struct lap_plan *p)
{
	return (long double)(ratio_end(p, 0) / ratio_end(p, 1));
}

static void
lap_ratio_fit(const struct lap_plan *p)
{
	(void)lap_real_digits(p, ratio_unit(p));
}

/* What is known before the data are errors of the sums. */
static void
lap_ratio_facts(struct lap_plan *p)
{
	report_note(p->report, "ratio", "the noisy sum of the first column "
	    "divided by that of the second; sensitivity, scale and error are "
	    "the sums'");
}

static void
lap_ratio_declare(struct lap *l)
{
	struct lap_plan *p = &l->plan;
	double error = 0;

	lap_describe(p, 0);
	if (p->report->error95.den > 0)
		error = rational_real(p->report->error95) / ratio_end(p, 1);
	lap_hide(p);
	p->k = 0;		/* no noise is the ratio's */
	l->out.n = 1;
	lap_pair_column(l, 0, 1, "ratio", lap_real_digits(p, ratio_unit(p)),
	    error);
}

/* How far sum c, in the unit of the column, may be off. */
static double
ratio_reach(const struct lap *l, size_t c)
{
	const struct rational part = l->opts.interval;
	const struct rational half = { part.num + part.den, 2 * part.den };
	double whole = (double)l->opts.unit.whole;

	if (part.den == 0 || l->opts.non_private)
		return 0;
	return (1 + MARGIN) * knorm_reach(&l->plan.box, c, half) / whole /
	    (double)fixed_pow10(l->plan.cell[c]);
}

static void
lap_ratio_answers(struct lap *l, size_t g, struct answer *answer)
{
	const struct lap_plan *p = &l->plan;
	double least = ratio_end(p, 1), low, high, near, far;
	long double x[2];

	lap_totals(l, g, 2, x);
	for (size_t c = 0; c < 2; c++)
		x[c] /= (long double)fixed_pow10(p->cell[c]);
	low = (double)x[0] - ratio_reach(l, 0);
	high = (double)x[0] + ratio_reach(l, 0);
	near = fmax((double)x[1] - ratio_reach(l, 1), least);
	far = fmax((double)x[1] + ratio_reach(l, 1), least);
	l->out.n = fmax(l->out.n, (double)x[1] / least);
	*answer = lap_real(x[0] / fmaxl(x[1], (long double)least),
	    (long double)(low / (low > 0 ? far : near)),
	    (long double)(high / (high > 0 ? near : far)),
	    l->out.column[l->out.labels].digits);
}

/* [DMNS06 Section 3.2] */
const struct lap_way lap_ratio = {
	.body = { &lap_sum_box }, .fit = lap_ratio_fit,
	.facts = lap_ratio_facts, .declare = lap_ratio_declare,
	.answers = lap_ratio_answers
};
