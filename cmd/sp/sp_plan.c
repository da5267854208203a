/*
 * sp_plan: grids, S on them, and the noise, from public parameters alone.
 *
 * sp_scale goes once over the decimals, from the finest grid to the coarsest
 * that may be, and takes the first that holds everything.
 */
#include "sp.h"

#include "pair.h"
#include "tool/err.h"
#include "variance.h"

#define ERROR_PARTS 1000	/* grid steps in S and in the scale */
#define EXACT_PARTS 1000000	/* grid steps in S with --non-private */

/*
 * The noise covers S under add-remove, and under swap 2 S, or for a variance
 * 5/3 S (variance.c), for each record in which neighbours differ: with
 * --max-rows a person has K.
 *
 * A command with a ledger gets the first 20 records, in which neighbours
 * differ by two (records.c).
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

	bool both = sp->opts.neighbors == NEIGHBORS_SWAP && !sp->squared;

	return (u128)sp->opts.unit.records * (both || cut ? 2 : 1);
}

/* The most that such a record moves number c. */
static int64_t
noise_step(const struct sp *sp, size_t c)
{
	if (sp->squared && sp->opts.neighbors == NEIGHBORS_SWAP)
		return variance_swap(sp->sens[c]);
	return sp->sens[c];
}

static i128
noise_sens(const struct sp *sp, size_t c)
{
	return (i128)noise_step(sp, c) * (i128)noise_records(sp);
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
 * The noise of a single number or a pair; false where no scale fits.  Half the
 * width of --interval is the noise's, and half a step for rounding the
 * preprocessed value (so a whole step); a pair has noise in half steps.
 */
static bool
sp_noise(struct sp *sp, struct rational eps)
{
	u128 sens = (u128)noise_sens(sp, 0);

	if (!scale_make(&sp->t, sens, eps))
		return false;
	report_scale(&sp->report, &sp->t, sp->digits);
	sp->reach[0] = sp->report.reach + 1;
	if (!sp_is_pair(sp))
		return true;
	if (!scale_make(&sp->t, 2 * sens, eps))
		return false;
	if (sp->opts.interval.den > 0)
		sp->reach[0] = sp->reach[1] = ((i128)noise_reach(&sp->t,
		    sp->opts.interval) + 1) / 2 + 1;
	return true;
}

/*
 * [DMNS06 Theorem 2] A record moves each of several numbers by at most its S,
 * either way: one draw from the norm of this box for all of them.
 */
static bool
set_box(struct sp *sp, struct rational eps)
{
	for (size_t c = 0; c < sp->parts; c++)
		sp->side[c] = (struct knorm_side){ (uint64_t)noise_step(sp, c),
		    (uint64_t)noise_step(sp, c) };
	sp->box = (struct knorm){ .d = sp->parts, .side = sp->side };
	if (!knorm_make(&sp->box, noise_records(sp), eps))
		return false;
	for (size_t c = 0; c < sp->parts; c++) {
		if (!rational_div(&sp->noted[1][c], sp->noted[0][c], eps))
			return false;
		report_box(&sp->report, &sp->box, c, sp->digits);
		sp->noted[2][c] = sp->report.error95;
		sp->reach[c] = sp->report.reach + 1;
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
bool
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
