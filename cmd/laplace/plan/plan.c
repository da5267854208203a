/*
 * plan: grids, sensitivities and scales, from public parameters alone.
 *
 * The noise grid.  A number T on the cell grid moves by at most S.  If S is a
 * whole number of printed steps, then floor(T/step + 1/2) moves by at most
 * S/step steps, so rounding first and drawing the noise on the printed grid
 * costs nothing (and a sum of flags is a count).  If not, the noise is drawn on
 * the cell grid, and the noisy number is rounded.  In either case --digits has
 * no price.
 *
 * Several numbers.  Number i of d has noise with scale d S_i/E: a record moves
 * number i by at most S_i, which costs E/d, and d numbers cost E.  Each number
 * has noise in units of the number's range, and the sum of the scales is d (S_1
 * + ... + S_d)/E, as with one common scale.
 */
#include "plan.h"

#include <stdio.h>

#include "release/plan/within.h"
#include "tool/err.h"

#define FINER 9		/* decimals of the cells beyond the printed ones */
#define FINER_PEOPLE 3	/* with --per sum */
#define ERROR_PARTS 1000	/* grid steps in the scale */
#define EXACT_PARTS 1000000	/* grid steps in S with --non-private */
#define PARTS 1e9	/* of an error that is no whole number */
#define MOST 4e18L	/* a number's steps at most */
#define RANGE_PARTS 100000000	/* and in B - A where the scale is unknown */

void
lap_unfit(void)
{
	err_die(STATUS_USAGE, "these parameters do not fit 64 bits on their "
	    "grid; give fewer --digits");
}

void
lap_room(struct lap_plan *p, size_t k)
{
	p->column = err_alloc(p->column, p->d, sizeof(*p->column));
	p->cell = err_alloc(p->cell, p->d, sizeof(*p->cell));
	p->noise = err_alloc(p->noise, k, sizeof(*p->noise));
	for (size_t c = 0; c < p->d; c++)
		p->cell[c] = 0;
	for (size_t i = 0; i < k; i++)
		p->noise[i] = (struct lap_noise){ .sens = 1, .t = { 1, 1 } };
	p->k = k;
	p->divisor = p->alike = 1;
	p->box.d = 0;
	p->counted = false;
}

/* Puts column c on the grid with k decimals; false without room. */
static bool
plan_column(struct lap_plan *p, size_t c, int k, enum lap_center center)
{
	const struct range *r = opts_range(p->opts, c);
	struct sums_column *col = &p->column[c];
	int digits = k < 0 ? 0 : k;

	p->cell[c] = digits;
	if (r == NULL || !rational_grid(r->lo, digits, FIXED_NEAREST,
	    &col->lo) || !rational_grid(r->hi, digits, FIXED_NEAREST,
	    &col->hi))
		return false;
	col->unit = k < 0 ? fixed_pow10(-k) : 1;
	col->center = center == LAP_ZERO ? 0 : col->lo;
	return true;
}

int
lap_finest(struct lap_plan *p, size_t c, int k, int least,
    enum lap_center center, u128 steps)
{
	while (k >= least && (!plan_column(p, c, k, center) ||
	    sums_steps(&p->column[c]) > steps))
		k--;
	return k;
}

/* B - A for column c. */
static bool
plan_width(const struct lap_plan *p, size_t c, struct rational *width)
{
	const struct range *r = opts_range(p->opts, c);

	return r != NULL && rational_sub(width, r->hi, r->lo);
}

long double
lap_length(const struct lap_plan *p, size_t c)
{
	const struct sums_column *col = &p->column[c];

	return ((long double)col->hi - (long double)col->lo) /
	    (long double)fixed_pow10(p->cell[c]);
}

void
lap_fit(long double most, int digits)
{
	if (most * (long double)fixed_pow10(digits) > MOST)
		err_die(STATUS_USAGE, "an answer up to %.3Lg does not fit 64 "
		    "bits with %d decimals: fewer --digits, or columns in "
		    "larger units", most, digits);
}

double
lap_alpha(const struct lap_plan *p)
{
	const struct rational *part = &p->opts->interval;

	return (double)(part->den - part->num) / (double)part->den;
}

int
lap_real_digits(const struct lap_plan *p, long double most)
{
	int digits = 0;

	while (digits < FIXED_DIGITS && most * (long double)fixed_pow10(digits)
	    < RANGE_PARTS)
		digits++;
	if (p->opts->digits >= 0)
		digits = p->opts->digits;
	lap_fit(most, digits);
	return digits;
}

int
lap_scale_digits(const struct lap_plan *p, struct rational sens, size_t c)
{
	const struct opts *o = p->opts;
	const struct range *r = c < LAP_MANY ? opts_range(o, c) : NULL;
	struct rational limit = sens;
	int digits = 0;

	if (p->eps.den > 0 && !o->non_private &&
	    !rational_div(&limit, sens, p->eps))
		return -1;
	if (o->digits >= 0)
		return o->digits;
	grid_limit(&digits, limit, o->non_private ? EXACT_PARTS : ERROR_PARTS);
	if (r != NULL) {
		grid_hold(&digits, r->lo);
		grid_hold(&digits, r->hi);
	}
	return digits;
}

/*
 * A cell ends at 2^62 grid steps.  With --per sum the range is for the sum, and
 * a person's cells may lie far outside, so cells have more room.
 */
int
lap_cell_digits(const struct lap_plan *p, int printed)
{
	int k = printed + (p->opts->unit.per == PER_SUM ? FINER_PEOPLE :
	    FINER);

	return FIXED_LEAST(k, FIXED_DIGITS);
}

int
lap_first_digits(const struct lap_plan *p, size_t c)
{
	return p->opts->unit.per != PER_SUM ? FIXED_DIGITS :
	    lap_cell_digits(p, lap_range_digits(p, c, 1));
}

int
lap_range_digits(const struct lap_plan *p, size_t c, int power)
{
	struct rational width;
	int digits = 0;

	if (p->opts->digits >= 0)
		return p->opts->digits;
	if (!plan_width(p, c, &width) || (power == 2 &&
	    !rational_mul(&width, width, width)))
		return power - 2;
	grid_limit(&digits, width, RANGE_PARTS);
	return digits < 0 ? FIXED_DIGITS : digits;
}

struct rational
lap_epsilon(const struct lap_plan *p)
{
	const struct rational one = { 1, 1 };

	return p->eps.den > 0 ? p->eps : one;
}

/* Records differ in weight, or in number, by unit.records at most. */
bool
lap_noise_fine(struct lap_plan *p, size_t i, u128 sens, u128 parts)
{
	struct lap_noise *n = &p->noise[i];
	u128 all;

	n->grid = n->cell;
	n->sens = sens > 0 ? sens : 1;
	return !__builtin_mul_overflow(n->sens, parts *
	    p->opts->unit.records, &all) && n->sens >> 100 == 0 &&
	    scale_make(&n->t, all, lap_epsilon(p));
}

bool
lap_noise(struct lap_plan *p, size_t i, u128 sens)
{
	struct lap_noise *n = &p->noise[i];
	u128 unit = (u128)fixed_pow10(n->cell > n->digits ?
	    n->cell - n->digits : 0);
	bool fits;

	if (sens % unit != 0 || p->opts->unit.whole != 1)
		return lap_noise_fine(p, i, sens, 1);
	fits = lap_noise_fine(p, i, sens / unit, 1);
	n->grid = FIXED_LEAST(n->cell, n->digits);
	return fits;
}

/*
 * [DMNS06 Section 3.2] Disjoint analyses: a record is in one group at most.
 * With private groups a swap may take a record out of one group and put another
 * record into a second group, one record less and one record more: 2 coming,
 * and never less than replaced.  In the paper: 2 max S.
 */
u128
lap_sens(const struct lap_plan *p, u128 coming, u128 replaced)
{
	const struct opts *o = p->opts;

	if (o->neighbors != NEIGHBORS_SWAP)
		return coming;
	return opts_public(o, opts_group(o)) ? replaced : 2 * coming;
}

/* x = x m / w, where x is known; den 0 where the parts have no room. */
static void
times(struct rational *x, uint64_t m, u128 w)
{
	if (x->den != 0 && m != w && (!rational_mul(x, *x, (struct rational){
	    m, 1 }) || !rational_div(x, *x, (struct rational){ (i128)w, 1 })))
		x->den = 0;
}

/* [DMNS06 Example 1, Example 3] */
bool
lap_count_noise(struct lap_plan *p)
{
	u128 sens = lap_sens(p, sums_sens_hist(p->m, NEIGHBORS_ADD_REMOVE),
	    sums_sens_hist(p->m, NEIGHBORS_SWAP));
	struct rational apart = { (i128)sens, 1 };
	int digits = p->opts->digits;

	lap_room(p, 1);
	times(&apart, p->opts->unit.records, p->opts->unit.whole);
	if (digits < 0)
		digits = p->opts->unit.whole == 1 || apart.den == 0 ? 0 :
		    lap_scale_digits(p, apart, LAP_MANY);
	p->noise->digits = digits;
	return digits >= 0 && lap_noise(p, 0, sens);
}

const char *
lap_times(const struct lap_plan *p, char buf[REPORT_NOTE])
{
	struct rational k = { 1, 1 };
	char number[FIXED_TEXT];

	times(&k, p->opts->unit.records, p->opts->unit.whole);
	buf[0] = '\0';
	if (k.num != k.den)
		snprintf(buf, REPORT_NOTE, " times %s", rational_text(number,
		    k));
	return buf;
}

/*
 * [DMNS06 Theorem 2] The scale of K-norm noise is what E is for in the norm:
 * S/E.  Where the number is rounded to the noise grid before the draw, an
 * interval for the exact number is wider by a step.  Given numbers come from
 * finer grids.
 */
void
lap_describe(struct lap_plan *p, size_t i)
{
	struct lap_noise *n = &p->noise[i];
	struct report *r = p->report;
	u128 whole = p->opts->unit.whole * p->divisor;
	const struct rational grid = { 1, fixed_pow10(n->grid) };

	r->digits = n->digits;
	if (!rational_make(&r->sens, (i128)n->sens, grid.den))
		r->sens.den = 0;
	times(&r->sens, p->opts->unit.records, whole);
	r->scale.den = r->error95.den = 0;
	if (p->eps.den == 0)
		return;
	if (p->box.d > 0)
		report_box(r, &p->box, i, n->grid);
	else
		report_scale(r, &n->t, n->grid);
	if (r->opts->interval.den > 0 && (n->cell > n->grid ||
	    (p->op->takes & LAP_SENS))) {
		r->reach++;
		rational_add(&r->half_width, r->half_width, grid);
	}
	times(&r->half_width, 1, whole);
	times(&r->scale, 1, whole);
	times(&r->error95, 1, whole);
	if (p->box.d > 0 && !rational_div(&r->scale, r->sens, p->eps))
		r->scale.den = 0;
	n->reach = r->reach;
}

void
lap_hide(struct lap_plan *p)
{
	p->report->sens.den = p->report->scale.den = p->report->error95.den = 0;
}

/* Reports number i: of the way, or of noise i. */
static void
plan_describe(struct lap_plan *p, size_t i)
{
	if (p->way->describe != NULL)
		p->way->describe(p, i);
	else
		lap_describe(p, i);
}

static size_t
plan_numbers(const struct lap_plan *p)
{
	return p->way->describe != NULL ? p->d : p->k;
}

/*
 * The columns' largest error.  X in --within X% is a part of the narrowest
 * range: the narrowest column's error counts, and every wider column has this
 * part of the range as error, or less.
 */
static bool
largest_error(struct lap_plan *p, struct rational *error)
{
	struct rational width, least = { 0, 1 };
	size_t n = plan_numbers(p), d = p->d;
	bool found = false;

	for (size_t i = 0; i < n; i++) {
		bool first = p->opts->within_part && n == d && d > 1 &&
		    plan_width(p, i, &width);

		plan_describe(p, i);
		if (p->report->error95.den == 0)
			return false;
		if (found && (first ? rational_cmp(width, least) >= 0 :
		    rational_cmp(p->report->error95, *error) <= 0))
			continue;
		found = true;
		least = first ? width : least;
		*error = p->report->error95;
	}
	return found;
}

/*
 * The error of a mean over n hidden records, n guessed by --size: at most that
 * of a mean at the end of the range, in the column of the bound.
 */
static bool
guess(struct lap_plan *p, struct rational *error)
{
	const struct cover_noise noise = lap_cover(p);
	struct rational width, part;

	for (size_t c = 0; c < p->d; c++) {
		if (!plan_width(p, c, &width))
			return false;
		if (c == 0 || (rational_cmp(width, *error) < 0) ==
		    p->opts->within_part)
			*error = width;
	}
	return rational_make(&part, (i128)(PARTS * cover_error95(&noise,
	    COVER_MEAN, 1)) + 1, (i128)PARTS * p->args->size) &&
	    rational_mul(error, *error, part);
}

static bool
error_at(void *arg, struct rational eps, struct rational *error95)
{
	struct lap_plan *p = arg;

	p->eps = eps;
	if (!p->body->plan(p))
		return false;
	return lap_quotient(p) ? guess(p, error95) :
	    largest_error(p, error95);
}

/* Notes "a, b, c": a fact of the report for each number. */
static void
plan_list(struct lap_plan *p, const char *key, const struct rational *fact)
{
	struct text t = TEXT_INIT;
	char buf[FIXED_TEXT];
	bool known = true;

	for (size_t i = 0; i < plan_numbers(p) && known; i++) {
		plan_describe(p, i);
		known = fact->den != 0;
		if (known)
			text_printf(&t, "%s%s", i > 0 ? ", " : "",
			    rational_text(buf, *fact));
	}
	if (known)
		report_note(p->report, key, "%.180s", t.buf);
	text_free(&t);
}

static bool
plan_same(struct rational a, struct rational b)
{
	return a.den == 0 || b.den == 0 ? a.den == b.den :
	    rational_cmp(a, b) == 0;
}

bool
lap_describe_all(struct lap_plan *p)
{
	struct report *r = p->report, last = *r;
	size_t n = plan_numbers(p);
	bool same = true;

	for (size_t i = n; i-- > 0; last = *r) {
		plan_describe(p, i);
		same = same && (i == n - 1 || (r->digits == last.digits &&
		    plan_same(r->sens, last.sens) && plan_same(r->scale,
		    last.scale) && plan_same(r->error95, last.error95)));
	}
	if (!same)
		lap_hide(p);
	return same;
}

void
lap_settle(struct lap_plan *p)
{
	const struct opts *o = p->opts;
	struct rational eps = o->eps;

	if (o->within.den > 0)
		eps = within_epsilon(within_bound(o, 1), error_at, p);
	p->eps = eps;
	if (!p->body->plan(p))
		lap_unfit();
	p->report->eps = eps;
	if (p->box.d > 0)
		p->report->mechanism = p->op->boxed;
	if (!lap_describe_all(p)) {
		plan_describe(p, 0);
		plan_list(p, "sensitivities", &p->report->sens);
		plan_list(p, "scales", &p->report->scale);
		plan_list(p, "errors95", &p->report->error95);
		lap_hide(p);
	}
}
