/*
 * lap_sum: the operations count and sum of laplace, and mean under swap.
 *
 * [DMNS06 Section 3.2] plan/numbers.c has what a record moves the sums by.
 * Under swap n is public: a mean is the noisy sum divided by n.
 */
#include <math.h>
#include <stdlib.h>

#include "lap.h"
#include "number/taint.h"
#include "tool/err.h"

#define ROUNDS 8		/* to an interval's end */

static void
note_count(struct lap *l)
{
	if (l->opts.neighbors == NEIGHBORS_SWAP && l->opts.columns == NULL)
		report_note(&l->report, "swap", "every record counts, so the "
		    "count is public; it gets noise all the same");
}

static void
take_count(void *arg, size_t group, const int64_t *x, uint64_t w)
{
	struct lap *l = arg;

	(void)x;
	total_add(&l->total[group], 1, w);
}

/*
 * [DMNS06 Example 1] A record more or less, or a record that no longer
 * counts.
 */
const struct lap_way lap_count = {
	.start = note_count, .declare = lap_counts, .body = {
	    &(const struct lap_body){ .plan = lap_count_noise,
	    .take = take_count } }
};

/* --- sums ---------------------------------------------------------------- */

void
lap_sum_take(void *arg, size_t group, const int64_t *x, uint64_t w)
{
	const struct lap *l = arg;
	const struct lap_plan *p = &l->plan;
	struct total *t = l->total + group * p->m;

	for (size_t i = 0; i < p->d; i++)
		total_add(t++, sums_offset(&p->column[i], x[i]), w);
	total_add(t, 1, w);
}

/* Records of the only column and the only group. */
void
lap_sum_take_all(void *arg, const int64_t *x, size_t n)
{
	const struct lap *l = arg;
	const struct sums_column *c = l->plan.column;
	i128 sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += fixed_clamp(x[i], c->lo, c->hi);
	total_add(l->total, sum - (i128)n * c->center, 1);
	total_add(l->total + 1, 1, n);
}

static const struct lap_body sum_one = {
	.plan = lap_number_plan, .take = lap_sum_take,
	.take_all = lap_sum_take_all
};

const struct lap_body lap_sum_box = {
	.noise = LAP_ONE_DRAW, .plan = lap_numbers_plan, .take = lap_sum_take,
	.take_all = lap_sum_take_all
};

/* In groups of several sizes the scales of means differ: none is reported. */
static void
lap_sum_declare(struct lap *l)
{
	bool means = (l->plan.op->prints & LAP_MEANS) != 0;

	for (size_t c = 0; c < l->plan.d; c++) {
		if (means)		/* n only adds decimals */
			(void)lap_mean_digits(&l->plan, c);
		lap_describe(&l->plan, c);
		if (means && l->in.groups > 1)
			lap_hide(&l->plan);
		release_answer(&l->out, lap_name(l, c), l->plan.op->name,
		    l->plan.noise[c].digits);
	}
}

/* [DMNS06 Section 3.2] */
const struct lap_way lap_sum = {
	.body = { &sum_one, &lap_sum_box }, .declare = lap_sum_declare
};

/* --- means over a public number of records -------------------------------- */

static void
note_mean(struct lap *l)
{
	char buf[FIXED_TEXT];

	if (l->args.size > 0)
		return;
	if (l->report.sens.den != 0)
		report_note(&l->report, "sensitivity_of_sum", "%s",
		    rational_text(buf, l->report.sens));
	report_note(&l->report, "mean", "the noisy sum divided by the public "
	    "number of records n");
	report_note(&l->report, "scale_formula", "sensitivity_of_sum / (n E)");
	lap_hide(&l->plan);
	l->report.digits = l->opts.digits;
}

/*
 * Half a sum's interval; with --population the noise and a normal error, with
 * the largest variance that the mean allows.
 */
static i128
reach_of(const struct lap *l, size_t c, double sum, u128 n, double side)
{
	const struct lap_noise *noise = &l->plan.noise[c];
	double lo = (double)l->plan.column[c].lo, reach = 0;
	double hi = (double)l->plan.column[c].hi;
	double whole = (double)l->opts.unit.whole;
	struct spread_part part = { { (double)noise->t.s /
	    (double)noise->t.r }, 1, 2, 1 };
	struct spread s = { &part, 1, 0 };
	double blur = whole * (hi - lo) / 2;

	if (!l->args.population)
		return noise->reach;
	if (l->plan.box.d > 0) {
		part = knorm_part(&l->plan.box, 0, 2 * whole * (hi - lo));
		blur += 2 * whole * (hi - lo) * KNORM_BLUR /
		    (double)l->plan.box.m;
	}
	for (int k = 0; k < ROUNDS; k++) {
		double mu = (sum + side * reach) / (double)n, v =
		    fmax((mu - lo) * (hi - mu), 0) * (double)n * whole;

		s.normal = sqrt(v);
		reach = spread_reach(s, lap_alpha(&l->plan)) + blur;
	}
	return (i128)ceil(reach) + 1;
}

/*
 * The mean of column c over n records, from the noisy sum; of no records the
 * middle of the range, and all of it.
 */
static struct answer
mean_of(const struct lap *l, size_t c, i128 sum, u128 n)
{
	const struct lap_noise *noise = &l->plan.noise[c];
	const struct sums_column *col = &l->plan.column[c];
	i128 by = fixed_pow10(noise->cell - noise->digits), down, up;

	if (n > 0) {
		by *= (i128)n;
		down = reach_of(l, c, (double)sum, n, -1);
		up = reach_of(l, c, (double)sum, n, 1);
	} else {
		sum = fixed_floor_div((i128)col->lo + col->hi, 2);
		down = sum - col->lo;
		up = col->hi - sum;
	}
	return (struct answer){ fixed_div(sum, by, FIXED_NEAREST),
	    fixed_div(fixed_add_sat(sum, -down), by, FIXED_FLOOR),
	    fixed_div(fixed_add_sat(sum, up), by, FIXED_CEIL) };
}

static void
mean_answers(struct lap *l, size_t g, struct answer *answer)
{
	size_t d = l->plan.d, m = l->plan.m;
	u128 n = (u128)total_value(&l->total[g * m + d]);
	i128 *x = err_alloc(NULL, m, sizeof(*x));

	taint_public_if(l->opts.neighbors == NEIGHBORS_SWAP, n);
	lap_numbers(l, g, d, x);
	for (size_t c = 0; c < d; c++)
		answer[c] = mean_of(l, c, x[c], n);
	free(x);
}

/* [DMNS06 Section 3.2] */
const struct lap_way lap_mean = {
	.body = { &sum_one, &lap_sum_box }, .note = note_mean,
	.declare = lap_sum_declare, .answers = mean_answers
};
