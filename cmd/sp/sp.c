/* sp: the code that sp-median, sp-mean and sp-var share. */
#include "sp.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pair.h"
#include "release/within.h"
#include "tool/err.h"

#define ERROR_PARTS 1000	/* grid steps in S and in the scale */
#define EXACT_PARTS 1000000	/* grid steps in S with --non-private */

/* A number, or a number for each column; returns how many. */
static size_t
take_list(const char *name, struct rational take(const char *, const char *),
    struct rational *x)
{
	char *copy = err_copy(optarg, strlen(optarg)), *rest = copy, *one;
	size_t n = 0;

	for (; (one = text_field(&rest, ",")) != NULL; n++) {
		if (n == SP_PARTS)
			err_die(STATUS_USAGE, "%s: more than %d numbers", name,
			    SP_PARTS);
		x[n] = take(name, one);
	}
	free(copy);
	return n;
}

void
sp_take(struct sp *sp, int code)
{
	switch (code) {
	case 's':
		sp->sens_given = take_list("--sensitivity", opts_positive,
		    sp->sens_arg);
		break;
	case 'm':
		sp->centers_given = take_list("--center", opts_rational,
		    sp->center_arg);
		break;
	case OPT_SIZE:
		sp->size = opts_count("--size", optarg, 1,
		    (uint64_t)INTAKE_WEIGHT);
		break;
	case OPT_SENS_COLUMN: sp->sens_column = optarg; break;
	case OPT_BLOCKS:
		sp->blocks = opts_count("--blocks", optarg, 2, SP_BLOCKS);
		break;
	case OPT_TIMEOUT:
		sp->timeout = 1000 * opts_count("--timeout", optarg, 1,
		    SP_SECONDS);
		break;
	default:
		opts_take(&sp->opts, code);
	}
}

/* S = (B - A)/N, or (B - A)^2/N; center = (A + B)/2. */
static void
from_size(struct sp *sp)
{
	const struct rational n = { (i128)sp->size, 1 }, two = { 2, 1 };
	bool ok = true;

	OPTS_REFUSE(
		{ sp->opts.ranges.n == 0, "--size needs --range" },
		{ sp->sens_given + sp->centers_given > 0, "--size sets the "
		    "sensitivity and center: no -s or -m with it" });
	for (size_t c = 0; c < sp->parts; c++) {
		const struct range *r = opts_range(&sp->opts, c);
		struct rational *s = &sp->sens_arg[c], *m = &sp->center_arg[c];

		ok = ok && rational_sub(s, r->hi, r->lo) &&
		    (!sp->squared || rational_mul(s, *s, *s)) &&
		    rational_div(s, *s, n) &&
		    rational_add(m, r->lo, r->hi) && rational_div(m, *m, two);
	}
	if (!ok)
		err_die(STATUS_USAGE, "--range and --size: too many digits");
}

static void
match(const char *option, size_t given, size_t wanted)
{
	if (given > 0 && given != wanted)
		err_die(STATUS_USAGE, "%s: %zu given, %zu wanted%s", option,
		    given, wanted, wanted > 1 ? ", one for each number" : "");
}

/*
 * Several numbers, each with an S, or a pair with one S.
 */
static void
set_arguments(struct sp *sp)
{
	const size_t given[] = { sp->sens_given, sp->centers_given,
	    sp->opts.ranges.n }, most = sp->command ? 2 : SP_PARTS;

	sp->parts = 1;
	for (size_t i = 0; i < 3; i++)
		if (given[i] > sp->parts)
			sp->parts = given[i];
	if (sp->parts > most)
		err_die(STATUS_USAGE, "%zu numbers, and at most %zu are "
		    "released together", sp->parts, most);
	sp->shares = sp->parts;
	if (sp->command || (sp->parts == 2 && sp->may_pair &&
	    sp->sens_given == 1))
		sp->shares = 1;
	OPTS_REFUSE(
		{ sp->size == 0 && sp->sens_given == 0, "no sensitivity given: "
		    "--range A:B with --size N, about how many records there "
		    "are, both public; or -s S" },
		{ sp->size == 0 && sp->centers_given == 0 && !sp->squared,
		    "no center given (-m CENTER, or --range with --size)" });
	if (sp->size > 0)
		from_size(sp);
	match("--sensitivity", sp->sens_given, sp->shares);
	match("--center", sp->centers_given, sp->parts);
}

/*
 * The noise covers S under add-remove and 2 S under swap, for each record in
 * which neighbours differ: with --max-rows a person has K.  A command with a
 * ledger gets the first 20 records, in which neighbours differ by two
 * (records.c).
 *
 * With --per share a person is a whole of units of weight, each a record with
 * sensitivity S / whole, rounded up to the grid: on the way from a data
 * set to a neighbour each unit that goes or comes moves the preprocessed value
 * by at most this sensitivity (Lemma 3.5), and a person's units together by S.
 */
static u128
noise_records(const struct sp *sp)
{
	bool cut = sp->command && sp->opts.charge.ledger != NULL;

	return (u128)sp->opts.unit.records *
	    (sp->opts.neighbors == NEIGHBORS_SWAP || cut ? 2 : 1);
}

static i128
noise_sens(const struct sp *sp, size_t c)
{
	return (i128)sp->sens[c] * (i128)noise_records(sp);
}

/* S for a record, or for a unit of so many in a share. */
static struct rational
sens_of_unit(const struct sp *sp, size_t c, uint64_t whole)
{
	struct rational unit, units = { (i128)whole, 1 };

	if (!rational_div(&unit, sp->sens_arg[c], units))
		err_die(STATUS_USAGE, "S has too many digits");
	return unit;
}

/*
 * The coarsest grid that adds no noise and holds the public parameters, from S,
 * for a record or a unit of so many, and the scale; -1 where 18 decimals are
 * too few.
 */
static int
least_digits(const struct sp *sp, struct rational eps, uint64_t whole)
{
	int digits = 0;
	struct rational scale;

	for (size_t c = 0; c < sp->shares; c++) {
		struct rational sens = sens_of_unit(sp, c, whole);

		grid_limit(&digits, sens,
		    sp->opts.non_private ? EXACT_PARTS : ERROR_PARTS);
		if (eps.den > 0 && !sp->opts.non_private) {
			if (!rational_div(&scale, sens, eps))
				return -1;
			grid_limit(&digits, scale, ERROR_PARTS);
		}
		if (sp->sens_given > 0)
			grid_hold(&digits, sp->sens_arg[c]);
	}
	for (size_t c = 0; c < sp->parts && !sp->squared; c++) {
		const struct range *r = opts_range(&sp->opts, c);

		grid_hold(&digits, sp->center_arg[c]);
		if (r != NULL) {
			grid_hold(&digits, r->lo);
			grid_hold(&digits, r->hi);
		}
	}
	return digits;
}

/*
 * A variance's cells have a separate grid h: h^2 <= S/10^6, at least four
 * decimals and the output's, as long as the range fits; rounding cells is a
 * row-wise map, and costs no privacy.
 */
static int
variance_digits(const struct sp *sp, size_t c, int output)
{
	const struct range *r = opts_range(&sp->opts, c);
	struct rational limit = sp->sens_arg[c], step;
	int k = FIXED_MOST(output, 4);
	int64_t x;

	while (k < FIXED_DIGITS && rational_make(&step, EXACT_PARTS,
	    (i128)fixed_pow10(k) * fixed_pow10(k)) &&
	    rational_cmp(step, limit) > 0)
		k++;
	while (k > 0 && r != NULL && (!rational_grid(r->lo, k, FIXED_NEAREST,
	    &x) || !rational_grid(r->hi, k, FIXED_NEAREST, &x)))
		k--;
	return k;
}

/* Centers on the grid; false where a center does not fit. */
static bool
set_centers(struct sp *sp)
{
	for (size_t c = 0; c < sp->parts && !sp->squared; c++)
		if (!rational_grid(sp->center_arg[c], sp->digits,
		    FIXED_NEAREST, &sp->center[c]))
			return false;
	return !sp_is_pair(sp) || sp->sens[0] <= PAIR_MAX;
}

/*
 * Does the grid hold every variance?  A variance over n < 2^41 records is below
 * n S after preprocessing, and below (B - A)^2 / 4 in a range.  Without a range
 * nothing bounds the variance, and too large results saturate, as cells do.
 */
static bool
holds_variance(const struct sp *sp, size_t c)
{
	const struct range *r = opts_range(&sp->opts, c);
	const struct rational four = { 4, 1 };
	struct rational most;
	int64_t steps;

	if (sp->sens[c] <= FIXED_MAX >> 41)
		return true;
	if (r == NULL || !rational_sub(&most, r->hi, r->lo) ||
	    !rational_mul(&most, most, most) ||
	    !rational_div(&most, most, four))
		return true;
	return rational_grid(most, sp->digits, FIXED_CEIL, &steps);
}

/*
 * Half the width of --interval in steps: the noise's, and half a step for
 * rounding the preprocessed value (so a whole step); a pair has noise in half
 * steps.
 */
static void
set_reach(struct sp *sp)
{
	sp->reach[0] = sp->report.reach + 1;
	if (sp_is_pair(sp))
		sp->reach[0] = sp->reach[1] = ((i128)noise_reach(&sp->t,
		    sp->opts.interval) + 1) / 2 + 1;
}

/* The noise of a single number or a pair; false where no scale fits. */
static bool
sp_noise(struct sp *sp, struct rational eps)
{
	u128 sens = (u128)noise_sens(sp, 0);

	if (!scale_make(&sp->t, sens, eps))
		return false;
	report_scale(&sp->report, &sp->t, sp->digits);
	if (sp_is_pair(sp) && !scale_make(&sp->t, 2 * sens, eps))
		return false;
	if (sp->opts.interval.den > 0)
		set_reach(sp);
	return true;
}

/* What the noise of part c exceeds with probability 1 - p, in steps. */
static i128
box_reach(const struct sp *sp, size_t c, struct rational p)
{
	double alpha = (double)(p.den - p.num) / (double)p.den;

	return (i128)ceil(knorm_reach(&sp->box, 0, alpha) * 2 *
	    (double)sp->sens[c]) + 1;
}

/*
 * [DMNS06 Theorem 2] A record moves each of several numbers by at most its S,
 * either way: one draw from the norm of this box for all of them.
 */
static bool
set_box(struct sp *sp, struct rational eps)
{
	const struct rational p = { 19, 20 }, grid = { 1,
	    fixed_pow10(sp->digits) };

	for (size_t c = 0; c < sp->parts; c++)
		sp->side[c] = (struct knorm_side){ (uint64_t)sp->sens[c],
		    (uint64_t)sp->sens[c] };
	sp->box = (struct knorm){ .d = sp->parts, .side = sp->side };
	if (!knorm_make(&sp->box, noise_records(sp), eps))
		return false;
	for (size_t c = 0; c < sp->parts; c++) {
		struct rational error = { box_reach(sp, c, p), 1 };

		if (!rational_div(&sp->noted[1][c], sp->noted[0][c], eps) ||
		    !rational_mul(&sp->noted[2][c], error, grid))
			return false;
		if (sp->opts.interval.den > 0)
			sp->reach[c] = box_reach(sp, c, sp->opts.interval) + 1;
	}
	return true;
}

/*
 * S for part c on the grid with sp->digits decimals; false where it does not
 * fit.  A variance is in squared cell steps, so the variance's grid
 * cannot be finer than the cell grid squared.
 */
static bool
set_part(struct sp *sp, size_t c)
{
	struct report *r = &sp->report;
	struct rational grid;

	if (!rational_grid(sens_of_unit(sp, c, sp->opts.unit.whole),
	    sp->digits, FIXED_CEIL,
	    &sp->sens[c]) || (sp->squared && !holds_variance(sp, c)))
		return false;
	if (sp->squared)
		sp->cell_digits[c] = variance_digits(sp, c, sp->digits);
	if (2 * sp->cell_digits[c] < sp->digits ||
	    !rational_make(&grid, 1, fixed_pow10(sp->digits)) ||
	    !rational_make(&r->sens, noise_sens(sp, c), 1) ||
	    !rational_mul(&r->sens, r->sens, grid))
		return false;
	sp->noted[0][c] = r->sens;
	return true;
}

static bool
sp_grid(struct sp *sp, struct rational eps)
{
	for (size_t c = 0; c < sp->parts; c++)
		sp->cell_digits[c] = sp->digits;
	for (size_t c = 0; c < sp->shares; c++)
		if (!set_part(sp, c))
			return false;
	sp->report.eps = eps;
	if (eps.den > 0 && sp->shares > 1 && !set_box(sp, eps))
		return false;
	if (eps.den > 0 && sp->shares == 1 && !sp_noise(sp, eps))
		return false;
	return set_centers(sp);
}

/*
 * Everything that follows from epsilon; false where no grid fits.  The noise
 * gets the grid that adds no noise, or the printed grid if finer: S rounded up
 * to a coarse printed grid would be a larger S.  Where a fine grid does not
 * fit, a coarser grid is taken; the answers are rounded to the printed grid
 * after the noise.
 */
static bool
sp_scale(struct sp *sp, struct rational eps)
{
	int least = least_digits(sp, eps, 1), printed, last;

	if (least < 0 && sp->opts.digits < 0)
		return false;
	least = least < 0 ? FIXED_DIGITS : least;
	printed = sp->opts.digits < 0 ? least : sp->opts.digits;
	last = sp->squared && least < printed ? least : printed;
	if (sp->opts.unit.per == PER_SHARE)
		least = least_digits(sp, eps, sp->opts.unit.whole);
	least = least < 0 ? FIXED_DIGITS : least;
	sp->report.digits = printed;
	for (sp->digits = FIXED_MOST(least, printed);
	    sp->digits >= last; sp->digits--)
		if (sp_grid(sp, eps))
			return true;
	return false;
}

/* The largest of all numbers. */
static bool
sp_error_at(void *arg, struct rational eps, struct rational *error95)
{
	struct sp *sp = arg;

	if (!sp_scale(sp, eps))
		return false;
	*error95 = sp->shares > 1 ? sp->noted[2][0] : sp->report.error95;
	for (size_t c = 1; c < sp->shares; c++)
		if (rational_cmp(sp->noted[2][c], *error95) > 0)
			*error95 = sp->noted[2][c];
	return error95->den != 0;
}

static void
note_all(struct sp *sp, const char *key, const struct rational *x)
{
	char text[REPORT_NOTE], buf[FIXED_TEXT];
	size_t at = 0;

	for (size_t c = 0; c < sp->parts && at < sizeof(text); c++)
		at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%s",
		    c > 0 ? ", " : "", rational_text(buf, x[c]));
	report_note(&sp->report, key, "%s", text);
}

/* Each number's S and scale, for several numbers. */
static void
note_shares(struct sp *sp)
{
	struct report *r = &sp->report;

	if (sp->shares == 1)
		return;
	r->noise = "K-norm of the box that a record moves all numbers in, "
	    "discrete, exact: one draw for all, so they depend on each other";
	note_all(sp, "sensitivities", sp->noted[0]);
	if (r->eps.den > 0) {
		note_all(sp, "scales", sp->noted[1]);
		note_all(sp, "errors95", sp->noted[2]);
	}
	r->sens.den = r->scale.den = r->error95.den = r->half_width.den = 0;
}

void
sp_check(struct sp *sp)
{
	struct opts *o = &sp->opts;
	struct report *r = &sp->report;
	struct rational eps;

	opts_begin(o, &(struct operation){ .parts = PER_PARTS,
	    .own_whole = sp->command });
	r->opts = o;
	r->noise = "discrete Laplace, exact, on the grid";
	if (sp->sens_column != NULL)
		report_note(r, "sensitivity_column", "each record moves the "
		    "result by at most its own S");
	if (!sp->command)
		opts_file(o, 0);
	opts_check(o);
	if (o->check)
		return;
	set_arguments(sp);
	if (sp_is_pair(sp) && !sp->command)
		r->mechanism = "joint sensitivity preprocessing of two means";
	eps = o->eps;
	if (o->within.den > 0)
		eps = within_epsilon(within_bound(o, 1 + sp->squared),
		    sp_error_at, sp);
	if (!sp->command)
		opts_listed_columns(o, sp->parts);
	if (!sp_scale(sp, eps))
		err_die(STATUS_USAGE, "these parameters do not fit 64 bits on "
		    "their grid; give fewer --digits");
	note_shares(sp);
	if (!sp->squared)
		note_all(sp, "center", sp->center_arg);
	if (o->ranges.n == 1 && sp->parts > 1)
		report_note(r, "range_of", "each of the %zu columns",
		    sp->parts);
	if (r->eps.den == 0)
		report_note(r, "scale_formula", "sensitivity / E; 95 %% "
		    "error about 3 sensitivity / E");
	if (r->digits < sp->digits)
		report_note(r, "noise_grid", "10^-%d, then rounded to the "
		    "grid", sp->digits);
	else if (r->digits > sp->digits)
		report_note(r, "noise_grid", "10^-%d, whose numbers are "
		    "printed with zeros: squares of --range leave no room for "
		    "more", sp->digits);
	release_prepare(&sp->out, r);
}
