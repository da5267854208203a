/*
 * lap_norm: sums, means and covariances of columns that are bounded together.
 *
 * [DMNS06 Section 3.2] With --norm G the columns of a record, each divided by
 * the larger end of its range, have an l1 norm of at most G; norm.c has the
 * totals, what a record moves them, and the proof.  G is between 1 and d, the
 * number of columns, and pays where most columns of a record are 0.  All that
 * follows the noise is post-processing.
 */
#include "lap_norm.h"

#include <math.h>
#include <stdlib.h>

#include "lap_cov.h"
#include "norm.h"
#include "tool/err.h"


struct norms {
	struct lap *l;
	struct norm norm;
	size_t k;		/* totals; one more counts records */
	struct total *total;	/* of each group */
	int64_t *y;		/* the cells of a record */
};

static int64_t
larger_end(const struct sums_column *c)
{
	int64_t lo = c->lo < 0 ? -c->lo : c->lo;
	int64_t hi = c->hi < 0 ? -c->hi : c->hi, most = lo > hi ? lo : hi;

	return most > 0 ? most : 1;
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
	return (l->op->prints & LAP_MEANS) && l->opts.neighbors !=
	    NEIGHBORS_SWAP ? NORM_PARTS : NORM_SUMS;
}

/*
 * Does the noise of an answer have a smaller scale with the norm than without,
 * each column in units of its range, in the mean over the columns?
 */
static bool
pays(const struct lap *l)
{
	bool swap = l->opts.neighbors == NEIGHBORS_SWAP, known = true;
	double d = (double)l->plan.d, g = rational_real(l->args.norm);
	double with = 0, without = 0;

	for (size_t c = 0; c < l->plan.d; c++) {
		const struct range *r = opts_range(&l->opts, c);
		double lo = rational_real(r->lo), hi = rational_real(r->hi);
		double most = fmax(fabs(lo), fabs(hi)), width = hi - lo;

		known = known && width > 0;
		with += (swap ? 2 : 1) * g * most / width / d;
		without += l->op->prints == LAP_SUMS && !swap ? most / width :
		    1;
	}
	if (l->op->prints & LAP_PAIRS) {
		/* d (d + 1)/2 parts of epsilon; of (B-A)^2/n, four times so */
		with *= swap ? with : 3 * with;
		without = d * (d + 1) / 2;
	}
	return known && with < without;
}

bool
lap_norm_pays(struct lap *l)
{
	const struct opts *o = &l->opts;

	if (l->args.norm.den == 0)
		return false;
	if (o->has_interval || o->has_within || l->args.metric != NULL ||
	    l->args.universe != NULL)
		die(STATUS_USAGE, "--norm takes no --interval, --within, "
		    "--metric and --universe");
	if (o->columns == NULL || rational_cmp(l->args.norm,
	    (struct rational){ 1, 1 }) < 0)
		die(STATUS_USAGE, "--norm needs the columns, by -c, and a norm "
		    "of 1 or more: a record with one column at the end of its "
		    "range has the norm 1");
	if (pays(l))
		return true;
	report_note(&l->report, "norm", "not used: the ranges alone need no "
	    "more noise");
	return false;
}

/* Columns on their finest grids; then the most steps that fit. */
static bool
plan(struct lap *l)
{
	struct norm *n = &l->plan.norm;
	struct rational g;

	lap_room(l, 1);
	for (size_t c = 0; c < l->plan.d; c++) {
		int k = l->opts.per != PER_SUM ? FIXED_DIGITS :
		    lap_cell_digits(l, lap_range_digits(l, c, false));

		while (k >= 0 && !lap_column(l, c, k, LAP_ZERO))
			k--;
		if (k < 0)
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
	l->plan.k = 0;		/* it is not that of a printed number */
	return n->steps > 1;
}

static void
note(struct lap *l)
{
	char buf[FIXED_TEXT];
	bool swap = l->opts.neighbors == NEIGHBORS_SWAP;
	enum norm_kind kind = kind_of(l);

	report_note(&l->report, "norm", "%s: columns divided by the larger "
	    "ends of their ranges; a record beyond the norm is shrunk to it",
	    rational_text(buf, l->args.norm));
	report_note(&l->report, "totals", "%s; the noise of each has scale "
	    "%s/E in these units", kind == NORM_SUMS ? "the sums" : kind ==
	    NORM_PARTS ? "of what is above 0, below 0 and left of the norm" :
	    "products, sums times norm, and the norm's square", kind ==
	    NORM_PRODUCTS ? swap ? "4 norm^2" : "3 norm^2" : swap ? "2 norm" :
	    "norm");
	l->report.noise = "discrete Laplace, exact, on totals of bounded norm";
	l->report.digits = l->opts.digits;
	lap_hide(l);
}

static void
take(void *arg, size_t group, const int64_t *x, uint64_t w)
{
	struct norms *v = arg;
	const struct sums_column *c = v->l->plan.column;
	struct total *total = v->total + group * (v->k + 1);

	for (size_t i = 0; i < v->norm.d; i++)
		v->y[i] = norm_cell(&v->norm, fixed_clamp(x[i], c[i].lo,
		    c[i].hi), larger_end(&c[i]));
	norm_shrink(&v->norm, v->y);
	norm_add(&v->norm, v->y, w, total);
	total_add(&total[v->k], 1, w);
}

static struct answer
answer_of(long double x, int digits)
{
	x = lap_within(x * (long double)fixed_pow10(digits) + 0.5L, -1e37L,
	    1e37L);
	return (struct answer){ .value = (i128)floorl(x) };
}

/* Sums and means, or with products the covariances, of noisy totals t. */
static void
answers(const struct norms *v, const i128 *t, long double n,
    const int *digits, struct answer *a)
{
	const struct lap *l = v->l;
	size_t d = v->norm.d, i = 0;
	bool swap = l->opts.neighbors == NEIGHBORS_SWAP;
	long double *sum = err_alloc(NULL, d, sizeof(*sum)), count = n;
	long double *product = err_alloc(NULL, v->k, sizeof(*product));

	norm_decode(&v->norm, t, sum, product, &count);
	n = fmaxl(swap ? n : count, 1);
	for (size_t c = 0; c < d; c++) {
		long double u = unit_of(l, c), cell = (long double)
		    fixed_pow10(l->plan.cell[c]);

		if (l->op->prints & LAP_SUMS) {
			a[c] = answer_of(sum[c] * u, digits[c]);
			continue;
		}
		sum[c] = lap_within(sum[c] / n * u, (long double)
		    l->plan.column[c].lo / cell, (long double)
		    l->plan.column[c].hi / cell);
		if (!(l->op->prints & LAP_PAIRS))
			a[c] = answer_of(sum[c], digits[c]);
	}
	for (size_t x = 0; (l->op->prints & LAP_PAIRS) && x < d; x++)
		for (size_t y = x; y < d; y++, i++) {
			long double most = lap_length(l, x) *
			    lap_length(l, y) / 4;

			a[i] = answer_of(lap_within(product[i] / n *
			    unit_of(l, x) * unit_of(l, y) - sum[x] * sum[y],
			    x == y ? 0 : -most, most), digits[i]);
		}
	free(sum);
	free(product);
}

static int *
declare(struct lap *l)
{
	size_t d = l->plan.d;
	int *digits;

	if (l->op->prints & LAP_PAIRS)
		return cov_declare_ranges(l);
	digits = err_alloc(NULL, d, sizeof(*digits));
	lap_begin(l);
	for (size_t c = 0; c < d; c++) {
		digits[c] = lap_real_digits(l, unit_of(l, c));
		l->report.digits = digits[c];
		release_answer(&l->out, lap_name(l, c), l->op->name,
		    digits[c]);
	}
	lap_header(l);
	return digits;
}

static void
write_all(struct norms *v)
{
	struct lap *l = v->l;
	int *digits = declare(l);
	struct answer *a = err_alloc(NULL, cov_pairs(v->norm.d), sizeof(*a));
	i128 *t = err_alloc(NULL, v->k, sizeof(*t));
	i128 whole = (i128)opts_whole(&l->opts);

	for (uint64_t rel = 1; rel <= l->opts.repeat; rel++)
		for (size_t g = 0; g < l->in.groups; g++) {
			const struct total *e = v->total + g * (v->k + 1);

			for (size_t i = 0; i < v->k; i++)
				t[i] = fixed_add_sat(total_value(&e[i]),
				    lap_draw(l, &l->plan.noise[0].t)) / whole;
			answers(v, t, (long double)total_value(&e[v->k]) /
			    (long double)whole, digits, a);
			lap_row(l, rel, g, a);
		}
	free(digits);
	free(a);
	free(t);
}

void
lap_norm(struct lap *l)
{
	struct norms v = { .l = l };
	size_t n, listed = l->plan.d;

	lap_settle(l, plan);
	note(l);
	lap_prepare(l);
	lap_open(l, plan);
	if (l->in.k != listed)
		die(STATUS_USAGE, "--norm needs each column named by -c");
	v.norm = l->plan.norm;
	v.k = norm_totals(&v.norm);
	n = (v.k + 1) * l->in.groups;
	v.total = err_alloc(NULL, n, sizeof(*v.total));
	while (n-- > 0)
		v.total[n] = (struct total){ 0 };
	v.y = err_alloc(NULL, v.norm.d, sizeof(*v.y));
	intake_read(&l->in, take, &v);
	if (l->args.size > 0 && l->in.total != l->args.size)
		die(STATUS_INPUT, "the data do not have the promised --size");
	write_all(&v);
	free(v.total);
	free(v.y);
	lap_end(l);
}
