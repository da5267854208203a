/*
 * lap_cov: the operation cov of laplace under swap.
 *
 * [DMNS06 Section 3.2] n is public.  Each entry C_ab, a <= b, is rounded to
 * the printed grid and gets noise for their joint l1 sensitivity, which
 * sums.c derives: (n-1)/n^2 sum_{a<=b} R_a R_b, each term rounded up to the
 * grid.  The scale depends on n, so the noise is drawn after the data.
 */
#include "lap_ops.h"

#include <stdlib.h>

#include "tool/err.h"

#define ERROR_PARTS 1000
#define EXACT_PARTS 1000000

/* The finest grid on which all ranges are at most SUMS_WIDTH wide. */
bool
lap_narrow(struct lap *l, int from)
{
	for (int k = from; k >= 0; k--) {
		bool ok = lap_columns(l, k);

		for (size_t c = 0; ok && c < l->d; c++)
			ok = l->column[c].hi - l->column[c].lo <= SUMS_WIDTH;
		if (ok) {
			l->cell_digits = k;
			return true;
		}
	}
	return false;
}

static u128
pow10_wide(int k)
{
	return k > 18 ? (u128)fixed_pow10(18) * (u128)fixed_pow10(k - 18) :
	    (u128)fixed_pow10(k);
}

u128
lap_cov_unit(const struct lap *l, int digits)
{
	return pow10_wide(2 * l->cell_digits - digits);
}

/* Smallest digits with 10^-digits <= scale / 1000 (S / 10^6: no noise). */
static int
cov_digits(const struct lap *l, u128 n, bool has_eps, struct rational eps)
{
	u128 sens = sums_sens_covariance(l->column, l->d, n, 1), limit;
	int digits = 0, most = 2 * l->cell_digits;

	if (l->opts.digits >= 0)
		return l->opts.digits;
	limit = (sens > 0 ? sens : 1) / EXACT_PARTS;
	if (has_eps && !l->opts.non_private)
		limit = (sens > 0 ? sens : 1) * (u128)eps.den /
		    (ERROR_PARTS * (u128)eps.num);
	while (digits < FIXED_DIGITS && digits < most &&
	    lap_cov_unit(l, digits) > limit)
		digits++;
	return digits;
}

/* Report, sensitivity and scale of n records on a printed grid. */
static bool
plan_n(struct lap *l, u128 n, int digits, bool has_eps, struct rational eps)
{
	struct report *r = &l->report;
	struct rational grid;

	if (digits < 0)
		digits = cov_digits(l, n, has_eps, eps);
	if (digits > 2 * l->cell_digits)
		return false;
	r->digits = digits;
	l->sens = sums_sens_covariance(l->column, l->d, n,
	    lap_cov_unit(l, digits));
	if (l->sens == 0)
		l->sens = 1;
	if (!rational_make(&grid, 1, fixed_pow10(digits)) ||
	    !rational_make(&r->sens, (i128)l->sens, 1) ||
	    !rational_mul(&r->sens, r->sens, grid))
		return false;
	if (!has_eps)
		return true;
	r->has_eps = true;
	r->eps = eps;
	if (!scale_make(&l->t, l->sens, eps))
		return false;
	report_scale(r, &l->t, r->digits);
	return true;
}

static bool
plan(struct lap *l, bool has_eps, struct rational eps)
{
	l->report.has_eps = has_eps;
	l->report.eps = eps;
	l->report.digits = l->opts.digits;
	return lap_narrow(l, FIXED_DIGITS) &&
	    (l->size == 0 || plan_n(l, l->size, -1, has_eps, eps));
}

/* Without --size the formula is all that is known beforehand. */
static void
note_formula(struct lap *l)
{
	struct rational sum = { 0, 1 }, one;
	char buf[FIXED_TEXT];
	bool ok = true;

	for (size_t a = 0; a < l->d; a++)
		for (size_t b = a; b < l->d; b++) {
			const struct sums_column *p = &l->column[a],
			    *q = &l->column[b];

			ok = ok && rational_make(&one, (i128)(p->hi - p->lo) *
			    (q->hi - q->lo), fixed_pow10(l->cell_digits)) &&
			    rational_div(&one, one, (struct rational){
			    fixed_pow10(l->cell_digits), 1 }) &&
			    rational_add(&sum, sum, one);
		}
	report_note(&l->report, "sensitivity_formula", "(n-1)/n^2 times %s, "
	    "n records", ok ? rational_text(buf, sum) :
	    "the sum of products of widths");
}

static void
write_group(struct lap *l, uint64_t rel, size_t g, const struct sums *s,
    int digits)
{
	size_t i = 0;

	for (size_t a = 0; a < l->d; a++)
		for (size_t b = a; b < l->d; b++) {
			i128 x, *noise = lap_draw(l, 1, &l->t);

			if (!sums_covariance(s, a, b, lap_cov_unit(l, digits),
			    &x))
				die(STATUS_INPUT, "more than 2^62 records");
			lap_number(l, rel, g, i++, fixed_add_sat(x, *noise),
			    digits);
			free(noise);
		}
}

static void
write_all(struct lap *l, struct sums *s)
{
	const struct opts *o = &l->opts;
	size_t groups = intake_groups(&l->in);
	u128 n = lap_everybody(l, s);
	int digits;

	if (!plan_n(l, n, -1, o->has_eps, o->eps))
		die(STATUS_INPUT, "this number of records does not fit the "
		    "grid");
	digits = l->report.digits;
	lap_begin(l);
	for (uint64_t rel = 1; rel <= o->repeat; rel++)
		for (size_t g = 0; g < groups; g++) {
			if (!plan_n(l, s[g].count, digits, o->has_eps, o->eps))
				die(STATUS_INPUT, "this number of records "
				    "does not fit the grid");
			lap_retail(l);
			write_group(l, rel, g, &s[g], digits);
		}
	lap_free_sums(l, s);
	lap_end(l);
}

static void
swap(struct lap *l)
{
	l->centred = true;
	if (l->opts.has_within && l->size == 0)
		die(STATUS_USAGE, "--within needs --size under swap");
	lap_settle(l, plan);
	if (l->size == 0) {
		note_formula(l);
		lap_hide(l);
	}
	lap_prepare(l);
	lap_open(l, plan);
	l->m = l->d * (l->d + 1) / 2;
	lap_name_pairs(l);
	write_all(l, lap_read_sums(l, true));
}

/* [DMNS06 Section 3.2] */
void
lap_cov(struct lap *l)
{
	l->fine = true;
	if (l->opts.neighbors == NEIGHBORS_SWAP)
		swap(l);
	else
		lap_cov_split(l);
}
