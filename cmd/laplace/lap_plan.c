/* lap_plan: grids, sensitivity and scale of laplace, before any data. */
#include "lap_ops.h"

#include <stdlib.h>

#include "number/grid.h"
#include "release/within.h"
#include "tool/err.h"

#define ERROR_PARTS 1000	/* grid steps in the scale */
#define EXACT_PARTS 1000000	/* grid steps in S with --non-private */
#define PRIVATE_PARTS 100000000	/* and in B - A where the scale is unknown */

int
lap_digits(const struct lap *l, struct rational limit, bool hold)
{
	const struct opts *o = &l->opts;
	struct grid g = GRID_INIT;

	grid_limit(&g, limit, o->non_private ? EXACT_PARTS : ERROR_PARTS);
	for (size_t c = 0; hold && c < o->nranges; c++) {
		grid_hold(&g, o->ranges[c].lo);
		grid_hold(&g, o->ranges[c].hi);
	}
	return g.digits;
}

int
lap_wide_digits(const struct lap *l, bool squared)
{
	struct rational widest = { 0, 1 }, width;
	struct grid g = GRID_INIT;

	for (size_t c = 0; c < l->opts.nranges; c++) {
		const struct range *p = &l->opts.ranges[c];

		if (rational_sub(&width, p->hi, p->lo) &&
		    rational_cmp(width, widest) > 0)
			widest = width;
	}
	if (squared && !rational_mul(&widest, widest, widest))
		return -1;
	grid_limit(&g, widest, PRIVATE_PARTS);
	return g.digits;
}

void
lap_hide(struct lap *l)
{
	l->report.sens = (struct rational){ 0, 1 };
	l->report.has_scale = l->report.has_error = false;
}

void
lap_report_scale(struct report *r, const struct scale *t, int k)
{
	report_scale(r, t, k);
}

static struct rational
size_of(struct rational x)
{
	return rational_sign(x) < 0 ? (struct rational){ -x.num, x.den } : x;
}

/* What column c adds to the sensitivity, exactly. */
static bool
column_sens(const struct lap *l, size_t c, struct rational *s)
{
	const struct range *r = opts_range(&l->opts, c);
	struct rational lo = size_of(r->lo), hi = size_of(r->hi);
	struct rational two = { 2, 1 };

	if (l->opts.neighbors == NEIGHBORS_SWAP)
		return rational_sub(s, r->hi, r->lo);
	if (l->centred)
		return rational_sub(s, r->hi, r->lo) &&
		    rational_div(s, *s, two);
	*s = rational_cmp(lo, hi) > 0 ? lo : hi;
	return true;
}

static bool
public_sens(const struct lap *l, struct rational *sum)
{
	struct rational s;

	if (rational_sign(l->unit_sens) > 0) {
		*sum = l->unit_sens;
		return true;
	}
	*sum = (struct rational){ 0, 1 };
	for (size_t c = 0; c < l->d; c++)
		if (!column_sens(l, c, &s) || !rational_add(sum, *sum, s))
			return false;
	return true;
}

bool
lap_columns(struct lap *l, int k)
{
	l->column = err_alloc(l->column, l->d, sizeof(*l->column));
	for (size_t c = 0; c < l->d; c++) {
		const struct range *r = opts_range(&l->opts, c);
		struct sums_column *col = &l->column[c];

		if (!rational_grid(r->lo, k, FIXED_NEAREST, &col->lo) ||
		    !rational_grid(r->hi, k, FIXED_NEAREST, &col->hi))
			return false;
		col->center = l->centred ? (int64_t)fixed_floor_div(
		    (i128)col->lo + col->hi, 2) : 0;
	}
	return true;
}

static bool
fits(struct lap *l, int k, bool has_eps, struct rational eps)
{
	enum sums_relation rel = l->opts.neighbors == NEIGHBORS_SWAP ?
	    SUMS_SWAP : SUMS_ADD_REMOVE;
	int64_t steps;

	if (l->metric != NULL && !lap_columns(l, k))
		return false;
	if (rational_sign(l->unit_sens) > 0) {
		if (!rational_grid(l->unit_sens, k, FIXED_CEIL, &steps))
			return false;
		l->sens = (u128)steps;
	} else {
		if (!lap_columns(l, k))
			return false;
		l->sens = sums_sens_sum(l->column, l->d, rel);
	}
	if (l->sens == 0)
		l->sens = 1;
	l->cell_digits = k;
	return !has_eps || scale_make(&l->t, l->sens, eps);
}

/* Sensitivity, scale and error of the plan, whatever is printed. */
static bool
fill_report(struct lap *l, bool has_eps, struct rational eps)
{
	struct report *r = &l->report;
	struct rational grid;

	if (l->sens >> 100 != 0 ||
	    !rational_make(&grid, 1, fixed_pow10(l->cell_digits)) ||
	    !rational_make(&r->sens, (i128)l->sens, 1) ||
	    !rational_mul(&r->sens, r->sens, grid))
		return false;
	if (!has_eps)
		return true;
	r->has_eps = true;
	r->eps = eps;
	lap_report_scale(r, &l->t, l->cell_digits);
	return true;
}

/*
 * What is printed: --digits, 0 for counts, else fine enough for the scale
 * (or, before epsilon is known, for S).
 */
static int
printed_digits(const struct lap *l, struct rational limit)
{
	if (l->opts.digits >= 0)
		return l->opts.digits;
	return l->counting ? 0 : lap_digits(l, limit, true);
}

bool
lap_plan(struct lap *l, bool has_eps, struct rational eps)
{
	struct rational s, limit;
	bool own = l->whole || l->counting ||
	    (l->opts.digits >= 0 && !l->fine);
	int k;

	if (!public_sens(l, &s))
		return false;
	limit = s;
	if (has_eps && !l->opts.non_private && !rational_div(&limit, s, eps))
		return false;
	l->report.digits = printed_digits(l, limit);
	if (l->report.digits < 0)
		return false;
	k = own ? l->report.digits : l->report.digits + LAP_FINER;
	for (k = k < FIXED_DIGITS ? k : FIXED_DIGITS; k >= l->report.digits;
	    k--)
		if (fits(l, k, has_eps, eps))
			return fill_report(l, has_eps, eps);
	return false;
}

struct search {
	struct lap *l;
	lap_plan_fn *plan;
};

static bool
error_at(void *arg, struct rational eps, struct rational *error95)
{
	struct search *s = arg;

	if (!s->plan(s->l, true, eps))
		return false;
	*error95 = s->l->report.error95;
	return s->l->report.has_error;
}

void
lap_settle(struct lap *l, lap_plan_fn *plan)
{
	struct opts *o = &l->opts;
	struct search search = { l, plan };

	if (o->has_within) {
		o->eps = within_epsilon(o->within, error_at, &search);
		o->has_eps = true;
	}
	if (!plan(l, o->has_eps, o->eps))
		die(STATUS_USAGE, "these parameters do not fit 64 bits on "
		    "their grid; give fewer --digits");
}

void
lap_prepare(struct lap *l)
{
	const struct opts *o = &l->opts;
	struct report *r = &l->report;

	if (!o->has_eps && !o->non_private && r->noise != NULL &&
	    r->sens.num != 0)
		report_note(r, "scale_formula", "sensitivity / E; 95 %% "
		    "error about 3 sensitivity / E");
	if (!o->has_eps && o->digits < 0 && !o->non_private && !l->counting)
		r->digits = -1;
	if (r->digits >= 0 && r->digits < l->cell_digits)
		report_note(r, "noise_grid", "10^-%d, then rounded to the "
		    "grid", l->cell_digits);
	if (o->groups != NULL)
		report_note(r, "groups", "one charge for all: a record is in "
		    "one group only%s", o->neighbors == NEIGHBORS_SWAP ?
		    "; its group is public" : "");
	release_prepare(&l->out, r);
}
