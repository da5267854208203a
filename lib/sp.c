/* sp: what sp-median, sp-mean and sp-var share. */
#include "sp.h"

#include <stdlib.h>
#include <string.h>

#include "err.h"
#include "grid.h"
#include "joint.h"
#include "within.h"

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
	size_t c;
	bool ok;

	if (sp->opts.nranges == 0)
		die(STATUS_USAGE, "--size needs --range");
	if (sp->has_sens || sp->has_center)
		die(STATUS_USAGE, "--size sets the sensitivity and center: "
		    "no -s or -m with it");
	sp->parts = sp->opts.nranges;
	ok = rational_make(&n, (i128)sp->size, 1) && rational_make(&two, 2, 1);
	for (c = 0; c < sp->parts; c++) {
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
check_parameters(struct sp *sp)
{
	if (sp->opts.noperands > 0)
		die(STATUS_USAGE, "unexpected operand '%s' (the data come on "
		    "standard input)", sp->opts.operands[0]);
	if (sp->opts.nranges > (sp->may_pair ? 2 : 1))
		die(STATUS_USAGE, "more ranges than %s",
		    sp->may_pair ? "two numbers take" : "one column takes");
	if (sp->size > 0)
		from_size(sp);
	else if (!sp->has_sens)
		die(STATUS_USAGE, "no sensitivity given (-s S, or --range "
		    "with --size)");
	else if (!sp->has_center && !sp->squared)
		die(STATUS_USAGE, "no center given (-m CENTER, or --range "
		    "with --size)");
	if (sp->parts == 0)
		sp->parts = 1;
	if (sp->opts.nranges > sp->parts)
		die(STATUS_USAGE, "two ranges need two centers (-m A,B)");
}

/* The noise covers S under add-remove and 2 S under swap. */
static i128
noise_sens(const struct sp *sp)
{
	return (i128)sp->sens *
	    (sp->opts.neighbors == NEIGHBORS_SWAP ? 2 : 1);
}

/* Grid of the released value, from S, the scale and the parameters. */
static int
output_digits(const struct sp *sp, bool has_eps, struct rational eps)
{
	struct grid g = GRID_INIT;
	struct rational scale;
	size_t c;

	if (sp->opts.digits >= 0)
		return sp->opts.digits;
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
		if (!rational_grid(sp->center_arg[c], sp->report.digits,
		    FIXED_NEAREST, &sp->center[c]))
			return false;
	return sp->parts == 1 || sp->sens <= JOINT_MAX;
}

/* Everything that follows from epsilon; false where it does not fit. */
static bool
set_scale(struct sp *sp, bool has_eps, struct rational eps)
{
	struct report *r = &sp->report;
	struct rational grid;
	i128 sens;

	r->digits = output_digits(sp, has_eps, eps);
	if (r->digits < 0 || !rational_grid(sp->sens_arg, r->digits,
	    FIXED_CEIL, &sp->sens) || !set_centers(sp))
		return false;
	sp->cell_digits = sp->squared ? variance_digits(sp, r->digits) :
	    r->digits;
	sens = noise_sens(sp);
	if (!rational_make(&grid, 1, fixed_pow10(r->digits)) ||
	    !rational_make(&r->sens, sens, 1) ||
	    !rational_mul(&r->sens, r->sens, grid))
		return false;
	if (!has_eps)
		return true;
	r->has_eps = true;
	r->eps = eps;
	if (!scale_make(&sp->t, (u128)sens, eps))
		return false;
	report_scale(r, &sp->t);
	return sp->parts == 1 || scale_make(&sp->t, 2 * (u128)sens, eps);
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
	opts_check(o);
	if (o->weight != NULL)
		die(STATUS_USAGE, "--weight is not offered here yet");
	if (o->check)
		return;
	check_parameters(sp);
	if (o->has_within) {
		o->eps = within_epsilon(o->within, error_at, sp);
		o->has_eps = true;
	}
	if (!set_scale(sp, o->has_eps, o->eps))
		die(STATUS_USAGE, "these parameters do not fit 64 bits on "
		    "their grid; give fewer --digits");
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
	if (o->groups != NULL)
		report_note(r, "groups", "one charge for all: a record is in "
		    "one group only%s", o->neighbors == NEIGHBORS_SWAP ?
		    "; its group is public" : "");
	release_prepare(&sp->out, r);
}
