/* sp: what sp-median, sp-mean and sp-var share. */
#include "sp.h"

#include "joint.h"
#include "number/grid.h"
#include "release/within.h"
#include "sp_personal.h"
#include "tool/err.h"

#define ERROR_PARTS 1000	/* grid steps in S and in the scale */
#define EXACT_PARTS 1000000	/* grid steps in S with --non-private */

/*
 * The noise covers S under add-remove and 2 S under swap, for each of the
 * records in which neighbours differ: of --max-rows a person has K.
 */
static i128
noise_sens(const struct sp *sp)
{
	return (i128)sp->sens * (i128)opts_records(&sp->opts) *
	    (sp->opts.neighbors == NEIGHBORS_SWAP ? 2 : 1);
}

/*
 * The coarsest grid that adds no noise and holds the public parameters, from
 * S and the scale; -1 where none of 18 decimals does.
 */
static int
least_digits(const struct sp *sp, bool has_eps, struct rational eps)
{
	struct grid g = GRID_INIT;
	struct rational scale;
	size_t c;

	grid_limit(&g, sp->sens_arg,
	    sp->opts.non_private ? EXACT_PARTS : ERROR_PARTS);
	if (has_eps && !sp->opts.non_private) {
		if (!rational_div(&scale, sp->sens_arg, eps))
			return -1;
		grid_limit(&g, scale, ERROR_PARTS);
	}
	if (sp->has_sens)
		grid_hold(&g, sp->sens_arg);
	for (c = 0; c < sp->parts && !sp->squared; c++) {
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
	size_t c;

	for (c = 0; c < sp->parts && !sp->squared; c++)
		if (!rational_grid(sp->center_arg[c], sp->digits,
		    FIXED_NEAREST, &sp->center[c]))
			return false;
	return sp->parts == 1 || sp->sens <= JOINT_MAX;
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

	if (!rational_grid(sp->sens_arg, sp->digits, FIXED_CEIL, &sp->sens) ||
	    !set_centers(sp))
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
	int least = least_digits(sp, has_eps, eps), printed, last;

	if (least < 0 && sp->opts.digits < 0)
		return false;
	least = least < 0 ? FIXED_DIGITS : least;
	printed = sp->opts.digits < 0 ? least : sp->opts.digits;
	last = sp->squared && least < printed ? least : printed;
	sp->report.digits = printed;
	for (sp->digits = least > printed ? least : printed;
	    sp->digits >= last; sp->digits--)
		if (set_grid(sp, has_eps, eps))
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

	r->opts = o;
	r->noise = "discrete Laplace, exact, on the grid";
	sp_personal(sp);
	opts_check(o);
	if (o->per == PER_SHARE)
		die(STATUS_USAGE, "S is for one record of a person: no --per "
		    "share (laplace takes it)");
	if (o->check)
		return;
	sp_arguments(sp);
	if (o->has_within) {
		o->eps = within_epsilon(within_bound(o, sp->squared), error_at,
		    sp);
		o->has_eps = true;
	}
	if (!set_scale(sp, o->has_eps, o->eps))
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
	if (!o->has_eps)
		report_note(r, "scale_formula", "sensitivity / E; 95 %% "
		    "error about 3 sensitivity / E");
	if (r->digits < sp->digits)
		report_note(r, "noise_grid", "10^-%d, then rounded to the "
		    "grid", sp->digits);
	if (o->groups != NULL)
		report_note(r, "groups", "one charge for all: a record is in "
		    "one group only%s", o->neighbors == NEIGHBORS_SWAP ?
		    "; its group is public" : "");
	release_prepare(&sp->out, r);
}
