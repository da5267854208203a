/*
 * lap_sum: the operations count and sum of laplace, and mean under swap.
 *
 * [DMNS06 Section 3.2] A record that comes or goes moves a column's sum by the
 * larger end of the range, a replaced record by B - A.  Under swap n is public:
 * a mean is the noisy sum divided by n.
 */
#include <math.h>
#include <stdlib.h>

#include "laplace/answer/cover.h"
#include "lap.h"
#include "number/taint.h"
#include "tool/err.h"

#define ROUNDS 8		/* to an interval's end */
#define BOX_STEPS ((u128)1 << 44)	/* in a side; a finer grid is of no
					   use */

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
	.start = note_count, .plan = lap_count_noise, .take = take_count,
	.declare = lap_counts
};

/* --- sums ---------------------------------------------------------------- */

/* The change for the noise to hide if every column were like column c. */
static bool
column_sens(const struct lap *l, size_t c, struct rational *s)
{
	const struct opts *o = &l->opts;
	const struct rational d = { (i128)l->plan.d, 1 };
	const struct range *r = opts_range(o, c);
	struct rational lo, hi;

	if (r == NULL)
		return false;
	lo = r->lo;
	hi = r->hi;
	if (o->neighbors == NEIGHBORS_SWAP && ((l->op->prints & LAP_MEANS) ||
	    opts_public(o, o->group)))
		return rational_sub(s, hi, lo) && rational_mul(s, *s, d);
	lo.num = rational_sign(lo) < 0 ? -lo.num : lo.num;
	hi.num = rational_sign(hi) < 0 ? -hi.num : hi.num;
	*s = rational_cmp(lo, hi) > 0 ? lo : hi;
	return (o->neighbors != NEIGHBORS_SWAP || rational_add(s, *s, *s)) &&
	    rational_mul(s, *s, d);
}

/* Decimals for the mean of column c, no more than the cells'. */
static bool
mean_digits(struct lap *l, size_t c)
{
	struct lap_noise *n = &l->plan.noise[c];
	struct rational s;

	if (!column_sens(l, c, &s) || !rational_div(&s, s,
	    (struct rational){ (i128)l->plan.divisor, 1 }))
		return false;
	n->digits = lap_scale_digits(l, s, c);
	if (l->opts.digits < 0 && (n->digits < 0 || n->digits > n->cell))
		n->digits = n->cell;
	return n->digits <= n->cell;
}

/* The sum of column c on the finest grid with room. */
static bool
plan_column(struct lap *l, size_t c)
{
	const struct sums_column *col = &l->plan.column[c];
	struct lap_noise *n = &l->plan.noise[c];
	bool mean = (l->op->prints & LAP_MEANS) != 0;
	u128 parts = l->plan.d;
	struct rational s;
	int k, least;

	if (!column_sens(l, c, &s))
		return false;
	least = n->digits = lap_scale_digits(l, s, c);
	for (k = lap_cell_digits(l, least); least >= 0 && k >= least; k--) {
		u128 sens;

		n->cell = k;
		if (!lap_column(l, c, k, LAP_ZERO))
			continue;
		sens = lap_sens(l, sums_sens_sum(col, NEIGHBORS_ADD_REMOVE),
		    sums_sens_sum(col, NEIGHBORS_SWAP));
		if (mean && lap_noise_fine(l, c, sens, parts))
			return mean_digits(l, c);
		if (!mean && lap_noise(l, c, sens, parts))
			return true;
	}
	return false;
}

/* A column for the box on the finest grid of `most' steps, for decimals. */
static bool
box_column(struct lap *l, size_t c, u128 most)
{
	struct lap_noise *n = &l->plan.noise[c];
	struct sums_column *col = &l->plan.column[c];
	struct rational s;

	if (!column_sens(l, c, &s))
		return false;
	n->digits = lap_scale_digits(l, s, c);
	n->cell = n->digits < 0 ? -1 : lap_cell_digits(l, n->digits);
	while (n->cell >= n->digits && (!lap_column(l, c, n->cell, LAP_ZERO) ||
	    (n->cell > n->digits && (sums_steps(col) > most ||
	    sums_sens_sum(col, NEIGHBORS_ADD_REMOVE) > most))))
		n->cell--;
	n->grid = n->cell;
	return n->digits >= 0 && n->cell >= n->digits &&
	    (!(l->op->prints & LAP_MEANS) || mean_digits(l, c));
}

/*
 * The sides of the box, for records that come and go; replaced records of
 * public groups move a sum by B - A either way.  Says whether the records are
 * counted.
 */
static bool
box_sides(struct lap *l)
{
	bool replaced = lap_sens(l, 0, 1) == 1;

	for (size_t c = 0; c < l->plan.d; c++) {
		const struct sums_column *col = &l->plan.column[c];
		int64_t down = FIXED_MOST(-col->lo, 0);
		int64_t up = FIXED_MOST(col->hi, 0);
		int64_t most = FIXED_MOST(up, down);

		if (replaced)
			up = down = most = col->hi - col->lo;
		l->plan.side[c] = (struct knorm_side){ (uint64_t)down,
		    (uint64_t)up };
		l->plan.noise[c].sens = (u128)FIXED_MOST(most, 1);
	}
	return !replaced && lap_box_counted(l);
}

/* [DMNS06 Theorem 2] K-norm noise: a swap of private groups is two moves. */
static bool
plan_box(struct lap *l)
{
	bool fits = false;

	l->plan.side = err_alloc(l->plan.side, l->plan.d,
	    sizeof(*l->plan.side));
	for (u128 most = BOX_STEPS; !fits && most > 1; most >>= 4) {
		for (size_t c = 0; c < l->plan.d; c++)
			if (!box_column(l, c, most))
				return false;
		fits = lap_box_plan(l, (struct knorm){ .d = l->plan.d,
		    .counted = box_sides(l) }, lap_sens(l, 1, 1), 0);
	}
	return fits;
}

/* With --size a mean is planned before the data are read. */
static bool
plan_sums(struct lap *l)
{
	l->m = l->plan.d + 1;
	lap_room(l, l->plan.d);
	l->plan.divisor = l->args.size > 0 ? l->args.size : 1;
	if (l->box)
		return plan_box(l);
	for (size_t c = 0; c < l->plan.d; c++)
		if (!plan_column(l, c))
			return false;
	return true;
}

/* The sum of each column, and the number of records. */
static void
lap_sum_take(void *arg, size_t group, const int64_t *x, uint64_t w)
{
	const struct lap *l = arg;
	struct total *t = l->total + group * l->m;

	for (size_t i = 0; i < l->plan.d; i++, t++) {
		const struct sums_column *c = &l->plan.column[i];

		total_add(t, fixed_clamp(x[i], c->lo, c->hi), w);
	}
	total_add(t, 1, w);
}

/* Records of the only column and the only group. */
static void
lap_sum_take_all(void *arg, const int64_t *x, size_t n)
{
	const struct lap *l = arg;
	const struct sums_column *c = l->plan.column;
	i128 sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += fixed_clamp(x[i], c->lo, c->hi);
	total_add(l->total, sum, 1);
	total_add(l->total + 1, 1, n);
}

static void
lap_sum_ask(struct lap *l)
{
	if (l->opts.neighbors == NEIGHBORS_SWAP)
		lap_all_records(l);
}

static void
declare_sums(struct lap *l)
{
	for (size_t c = 0; c < l->plan.d; c++) {
		lap_describe(l, c);
		release_answer(&l->out, lap_name(l, c), "sum",
		    l->plan.noise[c].digits);
	}
}

/* [DMNS06 Section 3.2] */
const struct lap_way lap_sum = {
	.plan = plan_sums, .take = lap_sum_take, .take_all = lap_sum_take_all,
	.ask = lap_sum_ask, .declare = declare_sums
};

/*
 * --- means over a public number of records
 * ----------------------------------
 */

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
	if (l->plan.d == 1)
		report_note(&l->report, "scale_formula", "sensitivity_of_sum / "
		    "(n E)");
	else
		report_note(&l->report, "scale_formula", "%zu times the "
		    "sensitivity / (n E), of each mean", l->plan.d);
	lap_hide(l);
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
	if (l->box) {
		part = knorm_part(&l->plan.box, 0, 2 * whole * (hi - lo));
		blur += 2 * whole * (hi - lo) * KNORM_BLUR /
		    (double)l->plan.box.m;
	}
	for (int k = 0; k < ROUNDS; k++) {
		double mu = (sum + side * reach) / (double)n, v =
		    fmax((mu - lo) * (hi - mu), 0) * (double)n * whole;

		s.normal = sqrt(v);
		reach = spread_reach(s, lap_alpha(l)) + blur;
	}
	return (i128)ceil(reach) + 1;
}

/* Of no records: the middle of the range, and all of it. */
static struct answer
mean_of_none(const struct lap_noise *noise, const struct sums_column *col)
{
	i128 middle = fixed_floor_div((i128)col->lo + col->hi, 2);

	return (struct answer){
		fixed_round(middle, noise->cell, noise->digits, FIXED_NEAREST),
		fixed_round(col->lo, noise->cell, noise->digits, FIXED_FLOOR),
		fixed_round(col->hi, noise->cell, noise->digits, FIXED_CEIL) };
}

/* The mean of column c over n records, from the noisy sum. */
static struct answer
mean_of(const struct lap *l, size_t c, i128 sum, u128 n)
{
	const struct lap_noise *noise = &l->plan.noise[c];
	const struct sums_column *col = &l->plan.column[c];
	i128 by = (i128)n * fixed_pow10(noise->cell - noise->digits);

	if (n == 0)
		return mean_of_none(noise, col);
	return (struct answer){ fixed_div(sum, by, FIXED_NEAREST),
	    fixed_div(fixed_add_sat(sum, -reach_of(l, c, (double)sum, n, -1)),
		by, FIXED_FLOOR), fixed_div(fixed_add_sat(sum,
		reach_of(l, c, (double)sum, n, 1)), by, FIXED_CEIL) };
}

static void
lap_mean_ask(struct lap *l)
{
	u128 n = lap_all_records(l) / l->opts.unit.whole;

	l->plan.divisor = FIXED_MOST(n, 1);
}

/* In groups of several sizes the scales differ: then none is reported. */
static void
declare_means(struct lap *l)
{
	for (size_t c = 0; c < l->plan.d; c++) {
		(void)mean_digits(l, c);	/* n only adds decimals */
		lap_describe(l, c);
		if (l->in.groups > 1)
			lap_hide(l);
		release_answer(&l->out, lap_name(l, c), "mean",
		    l->plan.noise[c].digits);
	}
}

static void
mean_answers(struct lap *l, size_t g, struct answer *answer)
{
	size_t d = l->plan.d;
	u128 n = (u128)total_value(&l->total[g * l->m + d]);
	i128 *x = err_alloc(NULL, d + 1, sizeof(*x));

	taint_public_if(l->opts.neighbors == NEIGHBORS_SWAP, n);
	lap_all_noisy(l, g, d, x);
	for (size_t c = 0; c < d; c++)
		answer[c] = mean_of(l, c, x[c], n);
	free(x);
}

/* [DMNS06 Section 3.2] */
const struct lap_way lap_mean = {
	.plan = plan_sums, .note = note_mean,
	.take = lap_sum_take,
	.take_all = lap_sum_take_all,
	.ask = lap_mean_ask, .declare = declare_means, .answers = mean_answers
};
