/*
 * lap_norm: sums, means and covariances for columns that are bounded together.
 *
 * [DMNS06 Section 3.2] With --norm G a record's columns, each divided by the
 * larger end of the range, have an l1 norm of at most G; norm.c has the totals,
 * their sensitivity, and the proof.  G is between 1 and d, the number of
 * columns, and pays where most columns in a record are 0.  Every step after the
 * noise is post-processing.
 *
 * [DMNS06 Theorem 2] Sums and means may have K-norm noise instead, of the box
 * of the ranges cut by the norm (knorm.c): the cells of a record are between
 * norm_cell of the range's ends, or nearer to 0, and B together.
 */
#include <math.h>
#include <stdlib.h>

#include "lap.h"
#include "norm.h"
#include "number/taint.h"
#include "tool/err.h"

#define PARTS 1e12	/* of an error that is no whole number */
#define TWO 1.37	/* of two totals' noise over that of one */

struct norms {
	long double *sum, *product;
};

static int64_t
larger_end(const struct sums_column *c)
{
	u128 most = sums_sens_sum(c, NEIGHBORS_ADD_REMOVE);

	return most > 1 ? (int64_t)most : 1;
}

/* A sum of whole columns in the unit of column c. */
static long double
unit_of(const struct lap *l, size_t c)
{
	return (long double)larger_end(&l->plan.column[c]) /
	    (long double)fixed_pow10(l->plan.cell[c]);
}

static enum norm_kind
kind_of(const struct lap *l)
{
	if (l->op->prints & LAP_PAIRS)
		return NORM_PRODUCTS;
	if (lap_plain(l)->quotient && !l->box)
		return NORM_PARTS;
	return NORM_SUMS;
}

/* For NORM_PARTS: the range has nothing on this side of 0, so no noise. */
static bool
is_empty(const struct lap *l, size_t i)
{
	const struct sums_column *c = l->plan.column;

	if (kind_of(l) != NORM_PARTS || i >= 2 * l->plan.d)
		return false;
	if (i % 2 == 0)
		return c[i / 2].hi <= 0;
	return c[i / 2].lo >= 0;
}

/* The noise for these steps, if they fit; of a cut box by a record's sides. */
static bool
norm_noise(struct lap *l)
{
	struct lap_plan *p = &l->plan;
	struct knorm cut = { .d = p->d, .bound = (uint64_t)p->norm.bound,
	    .replaced = lap_sens(l, 0, 1) == 1 };

	if (!l->box)
		return lap_noise_fine(l, 0, norm_sens(&p->norm,
		    l->opts.neighbors), 1);
	p->side = err_alloc(p->side, p->d, sizeof(*p->side));
	for (size_t c = 0; c < p->d; c++) {
		int64_t most = larger_end(&p->column[c]);
		int64_t lo = norm_cell(&p->norm, p->column[c].lo, most);
		int64_t hi = norm_cell(&p->norm, p->column[c].hi, most);

		p->side[c].down = (uint64_t)FIXED_MOST(-lo, 0);
		p->side[c].up = (uint64_t)FIXED_MOST(hi, 0);
	}
	cut.counted = !cut.replaced && (lap_plain(l)->quotient ||
	    lap_box_counted(l));
	return lap_box_plan(l, cut, lap_sens(l, 1, 1), 0);
}

/* Columns on their finest grids; then the most steps that fit. */
static bool
lap_norm_plan(struct lap *l)
{
	struct norm *n = &l->plan.norm;
	struct rational g;

	if (n->d != 0 && n->d != l->plan.d)
		err_die(STATUS_USAGE, "--norm needs each column named by -c");
	lap_room(l, 1);
	for (size_t c = 0; c < l->plan.d; c++) {
		int first = FIXED_DIGITS;

		if (l->opts.unit.per == PER_SUM)
			first = lap_cell_digits(l, lap_range_digits(l, c,
			    1));
		if (lap_finest(l, c, first, 0, LAP_ZERO, ~(u128)0) < 0)
			return false;
	}
	*n = (struct norm){ kind_of(l), l->plan.d, NORM_STEPS, 0 };
	for (; n->steps > 1; n->steps /= 2) {
		if (!rational_mul(&g, l->args.norm, (struct rational){
		    n->steps, 1 }))
			return false;
		n->bound = (int64_t)fixed_floor_div(g.num, g.den);
		if (n->bound <= NORM_BOUND && norm_noise(l))
			break;
	}
	l->plan.k = 0;		/* the grid is not a printed number's */
	if (l->op->prints & LAP_MEANS)
		l->plan.divisor = l->args.size;	/* 0: not known yet */
	l->m = norm_totals(n) + 1;	/* the last total counts records */
	return n->steps > 1;
}

/* Two totals where a range has both sides of 0. */
double
lap_norm_error(const struct lap *l, size_t c)
{
	double steps = (double)l->plan.norm.steps, error;
	double whole = (double)l->opts.unit.whole;

	if (l->box)
		return (double)l->error95[c] / steps / whole /
		    rational_real(lap_epsilon(l));
	error = noise_error95(&l->plan.noise->t) / steps / whole;
	if (kind_of(l) == NORM_PRODUCTS)
		return error / steps;
	if (kind_of(l) == NORM_PARTS && !is_empty(l, 2 * c) &&
	    !is_empty(l, 2 * c + 1))
		error *= TWO;
	return error;
}

/* A number of the report, in the unit of column c, of a sum or a mean. */
static struct rational
norm_fact(const struct lap *l, size_t c, double x)
{
	struct rational fact = { 0, 0 };

	x *= (double)unit_of(l, c);
	x /= (double)l->plan.divisor;
	if (x < PARTS && !rational_make(&fact, (i128)(x * PARTS),
	    (u128)PARTS))
		fact.den = 0;
	return fact;
}

/*
 * Scale and error of column c, where its number is one noisy total: a sum, or a
 * mean over a public number of records.  One draw for all has no scale.
 */
static void
norm_describe(struct lap *l, size_t c)
{
	const struct scale *t = &l->plan.noise->t;
	double scale = (double)t->s / (double)t->r /
	    (double)l->plan.norm.steps / (double)l->opts.unit.whole;

	lap_hide(l);
	if (lap_plain(l)->quotient || (l->op->prints & LAP_PAIRS) ||
	    l->plan.eps.den == 0 || l->plan.divisor == 0)
		return;
	l->report.error95 = norm_fact(l, c, lap_norm_error(l, c));
	if (!l->box)
		l->report.scale = norm_fact(l, c, scale);
}

/* About the error of a mean or a covariance with values near 0, times n E. */
static void
norm_note_near(struct lap *l)
{
	double eps = rational_real(lap_epsilon(l)), least = HUGE_VAL, most = 0;
	bool pairs = (l->op->prints & LAP_PAIRS) != 0;
	static const char *const words[][2] = {
		{ "error95_of_mean", "max(|A|,|B|)" },
		{ "error95_of_covariance", "max(|A|,|B|) max(|A'|,|B'|)" }
	};

	for (size_t c = 0; c < l->plan.d; c++) {
		least = fmin(least, eps * lap_norm_error(l, c));
		most = fmax(most, eps * lap_norm_error(l, c));
	}
	if (pairs || lap_plain(l)->quotient)
		report_note(&l->report, words[pairs][0], "about %.1f to %.1f "
		    "%s/(n E), n records, where most are near 0", least, most,
		    words[pairs][1]);
}

static void
lap_norm_note(struct lap *l)
{
	char buf[FIXED_TEXT];

	report_note(&l->report, "norm", "%s: columns divided by the larger "
	    "ends of their ranges; a record beyond the norm is shrunk to it",
	    rational_text(buf, l->args.norm));
	l->report.noise = l->box ? "K-norm of the box of the ranges, cut by "
	    "the norm, discrete, exact: one draw for all columns, so they "
	    "depend on each other" : "discrete Laplace, exact, on totals of "
	    "bounded norm";
	l->report.digits = l->opts.digits;
	norm_note_near(l);
}

static void
lap_norm_fit(const struct lap *l)
{
	if (l->op->prints & LAP_PAIRS) {
		lap_pairs_fit(l);
		return;
	}
	for (size_t c = 0; c < l->plan.d; c++)
		(void)lap_real_digits(l, unit_of(l, c));
}

static void
lap_norm_opened(struct lap *l)
{
	struct norms *v = l->own;

	v->sum = err_alloc(NULL, l->plan.d, sizeof(*v->sum));
	v->product = err_alloc(NULL, l->m, sizeof(*v->product));
}

static void
lap_norm_take(void *arg, size_t group, const int64_t *x, uint64_t w)
{
	const struct lap *l = arg;
	const struct norm *n = &l->plan.norm;
	const struct sums_column *c = l->plan.column;
	struct total *total = l->total + group * l->m;
	int64_t y[LAP_MANY];

	for (size_t i = 0; i < n->d; i++)
		y[i] = norm_cell(n, fixed_clamp(x[i], c[i].lo, c[i].hi),
		    larger_end(&c[i]));
	norm_shrink(n, y);
	norm_add(n, y, w, total);
	total_add(&total[l->m - 1], 1, w);
}

/* A public number of records is what a mean is divided by. */
static void
lap_norm_ask(struct lap *l)
{
	u128 n;

	if (l->opts.neighbors != NEIGHBORS_SWAP)
		return;
	n = lap_all_records(l) / l->opts.unit.whole;
	if ((l->op->prints & LAP_MEANS) && l->in.groups == 1)
		l->plan.divisor = n;
}

static void
lap_norm_declare(struct lap *l)
{
	if (l->op->prints & LAP_PAIRS) {
		lap_pairs(l);
		return;
	}
	for (size_t c = 0; c < l->plan.d; c++) {
		norm_describe(l, c);
		lap_column_of(l, lap_name(l, c), l->op->name,
		    lap_real_digits(l, unit_of(l, c)));
	}
}

/* A group's noisy totals, in persons, but the count of a cut box, in parts. */
static void
norm_draw(struct lap *l, size_t g, i128 *t)
{
	i128 by = (i128)l->opts.unit.whole;

	if (l->box) {
		lap_box_draw(l, g, t);
		by *= (i128)l->plan.box.m;
	}
	for (size_t i = 0; i < l->m - 1; i++) {
		if (!l->box)
			t[i] = is_empty(l, i) ? 0 : lap_noisy(l,
			    total_value(&l->total[g * l->m + i]), 0);
		t[i] /= by;
	}
}

/* A group's sums and products; returns n. */
static long double
norm_group(struct lap *l, size_t g)
{
	struct norms *v = l->own;
	i128 *t = err_alloc(NULL, l->m, sizeof(*t)), n;
	long double whole = (long double)l->opts.unit.whole, count = 1;

	norm_draw(l, g, t);
	norm_decode(&l->plan.norm, t, v->sum, v->product, &count);
	if (l->box && lap_plain(l)->quotient)
		count = (long double)t[l->m - 1] / whole /
		    (long double)l->plan.box.m;
	free(t);
	if (l->opts.neighbors == NEIGHBORS_SWAP) {	/* it is public */
		n = total_value(&l->total[g * l->m + l->m - 1]);
		taint_public(&n, sizeof(n));
		count = (long double)n / whole;
	}
	return fmaxl(count, 1);
}

/* Sums and means, or with products the covariances. */
static void
lap_norm_answers(struct lap *l, size_t g, struct answer *a)
{
	const struct norms *v = l->own;
	const struct release_column *column = l->out.column + l->out.labels;
	long double n = norm_group(l, g), *sum = v->sum, *product = v->product;
	size_t d = l->plan.d;

	for (size_t c = 0; c < d; c++) {
		long double u = unit_of(l, c), cell = (long double)
		    fixed_pow10(l->plan.cell[c]);

		sum[c] *= u;
		if ((l->op->prints & LAP_SUMS) == 0)
			sum[c] = sums_within(sum[c] / n, (long double)
			    l->plan.column[c].lo / cell, (long double)
			    l->plan.column[c].hi / cell);
		if ((l->op->prints & LAP_PAIRS) == 0)
			*a++ = lap_real(sum[c], 0, 0, column++->digits);
	}
	for (size_t x = 0; (l->op->prints & LAP_PAIRS) && x < d; x++)
		for (size_t y = x; y < d; y++) {
			long double most = lap_length(l, x) *
			    lap_length(l, y) / 4;

			*a++ = lap_real(sums_within(*product++ / n *
			    unit_of(l, x) * unit_of(l, y) - sum[x] * sum[y],
			    x == y ? 0 : -most, most), 0, 0,
			    column++->digits);
		}
}

const struct lap_way lap_norm = {
	.plan = lap_norm_plan, .fit = lap_norm_fit, .note = lap_norm_note,
	.open = lap_norm_opened, .take = lap_norm_take,
	.ask = lap_norm_ask, .declare = lap_norm_declare,
	.describe = norm_describe, .answers = lap_norm_answers,
	.own = sizeof(struct norms)
};
