/* sp: what sp-median, sp-mean and sp-var share. */
#include "sp.h"

#include <stdlib.h>
#include <string.h>

#include "pair.h"
#include "number/grid.h"
#include "release/within.h"
#include "sp_personal.h"
#include "tool/err.h"

#define ERROR_PARTS 1000	/* grid steps in S and in the scale */
#define EXACT_PARTS 1000000	/* grid steps in S with --non-private */

/* CENTER, or A,B where the tool releases pairs. */
static void
take_center(struct sp *sp, const char *arg)
{
	const char *comma = sp->may_pair ? strchr(arg, ',') : NULL;
	char *first;

	sp->has_center = true;
	sp->parts = 1;
	if (comma == NULL) {
		sp->center_arg[0] = opts_rational("--center", arg);
		return;
	}
	first = err_alloc(NULL, (size_t)(comma - arg) + 1, 1);
	memcpy(first, arg, (size_t)(comma - arg));
	first[comma - arg] = '\0';
	sp->center_arg[0] = opts_rational("--center", first);
	sp->center_arg[1] = opts_rational("--center", comma + 1);
	sp->parts = 2;
	free(first);
}

void
sp_take(struct sp *sp, int code)
{
	switch (code) {
	case 's':
		sp->sens_arg = opts_positive("--sensitivity", optarg);
		sp->has_sens = true;
		break;
	case 'm':
		take_center(sp, optarg);
		break;
	case OPT_SIZE:
		sp->size = opts_count("--size", optarg, 1,
		    (uint64_t)INTAKE_WEIGHT);
		break;
	case OPT_SENS_COLUMN:
		sp->sens_column = optarg;
		break;
	case OPT_BLOCKS:
		sp->blocks = opts_count("--blocks", optarg, 2, SP_BLOCKS);
		break;
	case OPT_TIMEOUT:
		sp->timeout = 1000 * opts_count("--timeout", optarg, 1,
		    SP_SECONDS);
		break;
	case OPT_LEVEL:
		sp->level_arg = opts_epsilon("--epsilon-level", optarg);
		sp->has_level = true;
		break;
	default:
		opts_take(&sp->opts, code);
	}
}

/*
 * S = (B - A)/N, or its square over N; center = (A + B)/2.  Two ranges stand
 * for a pair, whose S is the sum of both.
 */
static void
from_size(struct sp *sp)
{
	struct rational n, two, width, sum = { 0, 1 };
	bool ok;

	if (sp->opts.nranges == 0)
		die(STATUS_USAGE, "--size needs --range");
	if (sp->has_sens || sp->has_center)
		die(STATUS_USAGE, "--size sets the sensitivity and center: "
		    "no -s or -m with it");
	sp->parts = sp->opts.nranges;
	ok = rational_make(&n, (i128)sp->size, 1) && rational_make(&two, 2, 1);
	for (size_t c = 0; c < sp->parts; c++) {
		const struct range *r = opts_range(&sp->opts, c);

		ok = ok && rational_sub(&width, r->hi, r->lo) &&
		    rational_add(&sum, sum, width) &&
		    rational_add(&sp->center_arg[c], r->lo, r->hi) &&
		    rational_div(&sp->center_arg[c], sp->center_arg[c], two);
	}
	ok = ok && rational_div(&sp->sens_arg, sum, n) &&
	    (!sp->squared || rational_mul(&sp->sens_arg, sp->sens_arg, sum));
	if (!ok)
		die(STATUS_USAGE, "--range and --size: too many digits");
}

static void
set_arguments(struct sp *sp)
{
	if (sp->opts.nranges > (sp->may_pair ? 2 : 1))
		die(STATUS_USAGE, "more ranges than %s",
		    sp->may_pair ? "two numbers take" : "one column takes");
	if (sp->size > 0)
		from_size(sp);
	else if (!sp->has_sens)
		die(STATUS_USAGE, "no sensitivity given: --range A:B with "
		    "--size N, about how many records there are, both "
		    "public; or -s S");
	else if (!sp->has_center && !sp->squared)
		die(STATUS_USAGE, "no center given (-m CENTER, or --range "
		    "with --size)");
	if (sp->parts == 0)
		sp->parts = 1;
	if (sp->opts.nranges > sp->parts)
		die(STATUS_USAGE, "two ranges need two centers (-m A,B)");
}

/*
 * The noise covers S under add-remove and 2 S under swap, for each of the
 * records in which neighbours differ: of --max-rows a person has K.
 *
 * With --per share a person has opts_whole units of weight, each a record of
 * sensitivity S / opts_whole, rounded up to the grid: on the way from a data
 * set to its neighbour each unit that goes or comes moves the preprocessed
 * value by that much at most (Lemma 3.5), and all of a person's by S.
 */
static i128
noise_sens(const struct sp *sp)
{
	return (i128)sp->sens * (i128)opts_records(&sp->opts) *
	    (sp->opts.neighbors == NEIGHBORS_SWAP ? 2 : 1);
}

/* Of one record, or of one unit of a share. */
static struct rational
sens_of_unit(const struct sp *sp)
{
	struct rational unit;

	if (!rational_div(&unit, sp->sens_arg, (struct rational){
	    (i128)opts_whole(&sp->opts), 1 }))
		die(STATUS_USAGE, "S has too many digits");
	return unit;
}

/*
 * The coarsest grid that adds no noise and holds the public parameters, from
 * S and the scale; -1 where none of 18 decimals does.
 */
static int
least_digits(const struct sp *sp, struct rational sens, bool has_eps,
    struct rational eps)
{
	struct grid g = GRID_INIT;
	struct rational scale;

	grid_limit(&g, sens,
	    sp->opts.non_private ? EXACT_PARTS : ERROR_PARTS);
	if (has_eps && !sp->opts.non_private) {
		if (!rational_div(&scale, sens, eps))
			return -1;
		grid_limit(&g, scale, ERROR_PARTS);
	}
	if (sp->has_sens)
		grid_hold(&g, sp->sens_arg);
	for (size_t c = 0; c < sp->parts && !sp->squared; c++) {
		const struct range *r = opts_range(&sp->opts, c);

		grid_hold(&g, sp->center_arg[c]);
		if (r != NULL) {
			grid_hold(&g, r->lo);
			grid_hold(&g, r->hi);
		}
	}
	return g.digits;
}

/*
 * Cells of a variance have a grid h of their own: h^2 <= S/10^6, at least
 * four decimals and the output's, as long as the range fits; rounding cells
 * is a row-wise map, so it costs no privacy.
 */
static int
variance_digits(const struct sp *sp, int output)
{
	const struct range *r = opts_range(&sp->opts, 0);
	struct rational limit = sp->sens_arg, step;
	int k = output > 4 ? output : 4;
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

/* Centers on the grid; false where they do not fit. */
static bool
set_centers(struct sp *sp)
{
	for (size_t c = 0; c < sp->parts && !sp->squared; c++)
		if (!rational_grid(sp->center_arg[c], sp->digits,
		    FIXED_NEAREST, &sp->center[c]))
			return false;
	return sp->parts == 1 || sp->sens <= PAIR_MAX;
}

/*
 * Does the grid hold every variance?  One of fewer than 2^41 records is below
 * that number of S after preprocessing, and below (B - A)^2 / 4 in a range.
 * Without a range nothing bounds it, and what is too large saturates, as cells
 * do.
 */
static bool
holds_variance(const struct sp *sp)
{
	const struct range *r = opts_range(&sp->opts, 0);
	const struct rational four = { 4, 1 };
	struct rational most;
	int64_t steps;

	if (sp->sens <= FIXED_MAX >> 41)
		return true;
	if (r == NULL || !rational_sub(&most, r->hi, r->lo) ||
	    !rational_mul(&most, most, most) ||
	    !rational_div(&most, most, four))
		return true;
	return rational_grid(most, sp->digits, FIXED_CEIL, &steps);
}

/*
 * Half the width of --interval in steps: that of the noise, and half a step
 * that the preprocessed value was rounded by (so a whole one); of a pair the
 * noise is in half steps.
 */
static void
set_reach(struct sp *sp)
{
	i128 reach = sp->report.reach;

	if (sp->parts == 2)
		reach = ((i128)noise_reach(&sp->t, sp->opts.interval) + 1) / 2;
	sp->reach = reach + 1;
}

/*
 * S, centers and the scale of the noise on the grid of sp->digits decimals;
 * false where they do not fit.  A variance is a square of cell steps, so its
 * grid cannot be finer than theirs squared.
 */
static bool
set_grid(struct sp *sp, bool has_eps, struct rational eps)
{
	struct report *r = &sp->report;
	struct rational grid;
	i128 sens;

	if (!rational_grid(sens_of_unit(sp), sp->digits, FIXED_CEIL,
	    &sp->sens) || !set_centers(sp))
		return false;
	sp->cell_digits = sp->squared ? variance_digits(sp, sp->digits) :
	    sp->digits;
	if (sp->squared && 2 * sp->cell_digits < sp->digits)
		return false;
	sens = noise_sens(sp);
	if (!rational_make(&grid, 1, fixed_pow10(sp->digits)) ||
	    !rational_make(&r->sens, sens, 1) ||
	    !rational_mul(&r->sens, r->sens, grid))
		return false;
	if (!has_eps)
		return true;
	r->has_eps = true;
	r->eps = eps;
	if (!scale_make(&sp->t, (u128)sens, eps))
		return false;
	report_scale(r, &sp->t, sp->digits);
	if (sp->parts == 2 && !scale_make(&sp->t, 2 * (u128)sens, eps))
		return false;
	if (sp->opts.has_interval)
		set_reach(sp);
	return true;
}

/*
 * Everything that follows from epsilon; false where it does not fit.  The
 * noise gets the grid that adds none, or the printed one where that is finer:
 * S rounded up to a coarse printed grid would be a larger S.  Where a fine
 * grid does not fit, a coarser one is taken; the answers are rounded to the
 * printed grid after the noise.
 */
static bool
set_scale(struct sp *sp, bool has_eps, struct rational eps)
{
	int least = least_digits(sp, sp->sens_arg, has_eps, eps), printed, last;

	if (least < 0 && sp->opts.digits < 0)
		return false;
	least = least < 0 ? FIXED_DIGITS : least;
	printed = sp->opts.digits < 0 ? least : sp->opts.digits;
	last = sp->squared && least < printed ? least : printed;
	if (sp->opts.per == PER_SHARE)
		least = least_digits(sp, sens_of_unit(sp), has_eps, eps);
	least = least < 0 ? FIXED_DIGITS : least;
	sp->report.digits = printed;
	for (sp->digits = least > printed ? least : printed;
	    sp->digits >= last; sp->digits--)
		if (set_grid(sp, has_eps, eps) &&
		    (!sp->squared || holds_variance(sp)))
			return true;
	return false;
}

static bool
error_at(void *arg, struct rational eps, struct rational *error95)
{
	struct sp *sp = arg;

	if (!set_scale(sp, true, eps))
		return false;
	*error95 = sp->report.error95;
	return sp->report.has_error;
}

void
sp_check(struct sp *sp)
{
	struct opts *o = &sp->opts;
	struct report *r = &sp->report;
	char center[FIXED_TEXT], second[FIXED_TEXT];
	struct rational eps;

	o->parts = PER_PARTS;
	r->opts = o;
	r->noise = "discrete Laplace, exact, on the grid";
	sp_personal(sp);
	if (!sp->command)
		opts_file(o, 0);
	opts_check(o);
	if (o->check)
		return;
	set_arguments(sp);
	eps = o->eps;
	if (o->has_within)
		eps = within_epsilon(within_bound(o, sp->squared), error_at,
		    sp);
	if (!set_scale(sp, o->has_eps || o->has_within, eps))
		die(STATUS_USAGE, "these parameters do not fit 64 bits on "
		    "their grid; give fewer --digits");
	sp_levels(sp);
	if (sp->parts == 2)
		report_note(r, "center", "%s, %s", rational_text(center,
		    sp->center_arg[0]), rational_text(second,
		    sp->center_arg[1]));
	else if (!sp->squared)
		report_note(r, "center", "%s", rational_text(center,
		    sp->center_arg[0]));
	if (o->nranges == 1 && sp->parts == 2)
		report_note(r, "range_of", "each of the 2 columns");
	if (!r->has_eps)
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
