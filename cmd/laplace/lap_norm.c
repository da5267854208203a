/*
 * lap_norm: sums, means and covariances for columns that are bounded together.
 *
 * [DMNS06 Section 3.2] With --norm G a record's columns, each divided by the
 * larger end of the range, have an l1 norm of at most G; norm.c has the totals,
 * their sensitivity, and the proof.  G is between 1 and d, the number of
 * columns, and pays where most columns in a record are 0.  Every step after the
 * noise is post-processing.
 */
#include <math.h>
#include <stdlib.h>

#include "lap.h"
#include "norm.h"
#include "number/taint.h"
#include "tool/err.h"

struct norms {
	struct norm norm;	/* the planned norm */
	size_t listed;		/* columns */
	int64_t *y;		/* a record's cells */
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
	if ((l->op->prints & LAP_MEANS) && l->opts.neighbors != NEIGHBORS_SWAP)
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

/* Columns on their finest grids; then the most steps that fit. */
static bool
lap_norm_plan(struct lap *l)
{
	struct norms *v = l->own;
	struct norm *n = &v->norm;
	struct rational g;

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
		if (n->bound <= NORM_BOUND && lap_noise_fine(l, 0, norm_sens(n,
		    l->opts.neighbors), 1))
			break;
	}
	l->plan.k = 0;		/* the grid is not a printed number's */
	l->m = norm_totals(n) + 1;	/* the last total counts records */
	return n->steps > 1;
}

/*
 * Scale and error of column c, where its number is one noisy total: a sum, or a
 * mean over a public number of records.
 */
static void
norm_describe(struct lap *l, size_t c)
{
	const struct norms *v = l->own;
	const struct scale *t = &l->plan.noise->t;
	struct report *r = &l->report;
	u128 n = l->op->prints & LAP_MEANS ? l->args.size : 1;
	struct rational unit = { (i128)larger_end(&l->plan.column[c]),
	    fixed_pow10(l->plan.cell[c]) }, parts = { (i128)(n *
	    l->opts.unit.whole), v->norm.steps };
	struct rational reach = { (i128)noise_error95(t), 1 };

	lap_hide(l);
	if (kind_of(l) != NORM_SUMS || l->plan.eps.den == 0 || n == 0 ||
	    !rational_make(&parts, 1, parts.num * parts.den) ||
	    !rational_mul(&unit, unit, parts))
		return;
	if (!rational_mul(&r->scale, unit, (struct rational){ t->s, t->r }))
		r->scale.den = 0;
	if (!rational_mul(&r->error95, unit, reach))
		r->error95.den = 0;
}

/* The error of every column, or about that of a mean with n hidden. */
static void
norm_note_errors(struct lap *l)
{
	double g = rational_real(l->args.norm) *
	    (double)l->opts.unit.records / (double)l->opts.unit.whole;
	bool same = true;

	for (size_t c = 1; c < l->plan.d; c++)
		same = same && unit_of(l, c) == unit_of(l, 0);
	if (kind_of(l) == NORM_PARTS)
		report_note(&l->report, "error95_of_mean", "about %.1f to %.1f "
		    "max(|A|,|B|)/(n E), n records, where most are near 0",
		    3.0 * g, 4.1 * g);
	norm_describe(l, 0);
	if (same || l->report.error95.den == 0)
		return;
	lap_list(l, "scales", l->plan.d, norm_describe, &l->report.scale);
	lap_list(l, "errors95", l->plan.d, norm_describe, &l->report.error95);
	lap_hide(l);
}

static void
lap_norm_note(struct lap *l)
{
	static const char *const totals[] = { "the sums",
	    "of what is above 0, below 0 and left of the norm",
	    "products, sums times norm, and the norm's square" };
	static const char *const scales[][2] = { { "norm", "2 norm" },
	    { "norm", "2 norm" }, { "3 norm^2", "4 norm^2" } };
	char buf[FIXED_TEXT], text[REPORT_NOTE];
	bool swap = l->opts.neighbors == NEIGHBORS_SWAP;
	enum norm_kind kind = kind_of(l);
	struct norms *v = l->own;

	v->listed = l->plan.d;
	report_note(&l->report, "norm", "%s: columns divided by the larger "
	    "ends of their ranges; a record beyond the norm is shrunk to it",
	    rational_text(buf, l->args.norm));
	report_note(&l->report, "totals", "%s; the noise of each has scale "
	    "%s/E%s in these units", totals[kind], scales[kind][swap],
	    lap_times(l, text));
	l->report.noise = "discrete Laplace, exact, on totals of bounded norm";
	l->report.digits = l->opts.digits;
	norm_note_errors(l);
}

static void
lap_norm_opened(struct lap *l)
{
	struct norms *v = l->own;
	size_t d = l->plan.d;

	if (d != v->listed)
		err_die(STATUS_USAGE, "--norm needs each column named by -c");
	v->y = err_alloc(NULL, d, sizeof(*v->y));
	v->sum = err_alloc(NULL, d, sizeof(*v->sum));
	v->product = err_alloc(NULL, l->m, sizeof(*v->product));
}

static void
lap_norm_take(void *arg, size_t group, const int64_t *x, uint64_t w)
{
	const struct lap *l = arg;
	const struct norms *v = l->own;
	const struct sums_column *c = l->plan.column;
	struct total *total = l->total + group * l->m;

	for (size_t i = 0; i < v->norm.d; i++)
		v->y[i] = norm_cell(&v->norm, fixed_clamp(x[i], c[i].lo,
		    c[i].hi), larger_end(&c[i]));
	norm_shrink(&v->norm, v->y);
	norm_add(&v->norm, v->y, w, total);
	total_add(&total[l->m - 1], 1, w);
}

static void
lap_norm_declare(struct lap *l)
{
	if (l->op->prints & LAP_PAIRS) {
		lap_pairs(l);
		return;
	}
	lap_begin(l);
	for (size_t c = 0; c < l->plan.d; c++) {
		norm_describe(l, c);
		lap_declare(l, lap_name(l, c), l->op->name,
		    lap_real_digits(l, unit_of(l, c)));
	}
}

/* The noisy totals of a group, as sums and products; returns n. */
static long double
draw(struct lap *l, size_t g)
{
	struct norms *v = l->own;
	const struct total *e = l->total + g * l->m;
	i128 *t = err_alloc(NULL, l->m, sizeof(*t));
	i128 whole = (i128)l->opts.unit.whole;
	long double count = 1;
	i128 n;

	for (size_t i = 0; i < l->m - 1; i++)
		t[i] = is_empty(l, i) ? 0 : lap_noisy(l, total_value(&e[i]),
		    0) / whole;
	norm_decode(&v->norm, t, v->sum, v->product, &count);
	free(t);
	if (l->opts.neighbors == NEIGHBORS_SWAP) {	/* it is public */
		n = total_value(&e[l->m - 1]);
		taint_public(&n, sizeof(n));
		count = (long double)n / (long double)whole;
	}
	return fmaxl(count, 1);
}

/* Sums and means, or with products the covariances. */
static void
lap_norm_answers(struct lap *l, size_t g, struct answer *a)
{
	const struct norms *v = l->own;
	const struct release_column *column = l->out.column + l->out.labels;
	long double n = draw(l, g), *sum = v->sum, *product = v->product;
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
	.plan = lap_norm_plan, .note = lap_norm_note, .open = lap_norm_opened,
	.take = lap_norm_take, .declare = lap_norm_declare,
	.answers = lap_norm_answers, .own = sizeof(struct norms)
};
