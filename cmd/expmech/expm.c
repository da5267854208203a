/*
 * expm: options of expmech and what follows from them.
 *
 * With -s S and -k K each of the K draws has E/K: its scale is 2 S K / E, or
 * S K / E with --monotonic.  With --scale C it is 2 C K / E, E by default 1.
 *
 * With --keys a candidate's score is the number of its records.  One record
 * more or less moves one score by 1 and none the other way, so S is 1 and the
 * factor 2 is not needed; under swap one score may rise while another falls,
 * and it is.
 */
#include "expm.h"

#include <string.h>

#include "number/grid.h"
#include "tool/err.h"

#define SENS_PARTS 1000000	/* grid steps in S */
#define SCALE_PARTS 1000000000	/* and in C */

static enum select_kind
mechanism(const char *name)
{
	if (strcmp(name, "exponential") == 0)
		return SELECT_EXPONENTIAL;
	if (strcmp(name, "permute-and-flip") == 0)
		return SELECT_FLIP;
	die(STATUS_USAGE, "--mechanism '%s' is not exponential or "
	    "permute-and-flip", name);
}

void
expm_take(struct expm *e, int code)
{
	switch (code) {
	case 's':
		e->sens_arg = opts_positive("--sensitivity", optarg);
		e->has_sens = true;
		break;
	case 'k':
		e->k = opts_count("--draws", optarg, 1, 1000000000);
		break;
	case OPT_MONOTONIC:
		e->monotonic = true;
		break;
	case OPT_MECHANISM:
		e->kind = mechanism(optarg);
		break;
	case OPT_KEYS:
		e->keys_path = optarg;
		break;
	case OPT_SCALE:
		e->scale_arg = opts_positive("--scale", optarg);
		e->has_scale = true;
		break;
	default:
		opts_take(&e->opts, code);
	}
}

/* Candidates with scores: the list is public, so all of it counts. */
static void
check_list(struct opts *o)
{
	o->listed = true;
	if (o->weight != NULL)
		die(STATUS_USAGE, "a score has no weight: --weight counts "
		    "the records of each of --keys");
	if (o->on_bad == ON_BAD_DROP)
		die(STATUS_USAGE, "the candidates are public: --on-bad is a "
		    "number or fail");
	if (o->on_bad == ON_BAD_DEFAULT)
		o->on_bad = ON_BAD_NUMBER;
	if (o->nranges > 1)
		die(STATUS_USAGE, "one column of scores takes one --range");
}

/* Counts of records: their sensitivity is known. */
static void
check_counts(struct expm *e)
{
	const struct opts *o = &e->opts;

	if (e->has_sens || e->has_scale || e->monotonic || o->nranges > 0 ||
	    o->digits >= 0)
		die(STATUS_USAGE, "with --keys the scores are counts, of "
		    "sensitivity 1: no --sensitivity, --scale, --monotonic, "
		    "--range, --digits");
	e->has_sens = true;
	e->sens_arg = (struct rational){ 1, 1 };
	e->monotonic = o->neighbors == NEIGHBORS_ADD_REMOVE;
}

static void
check_options(struct expm *e)
{
	struct opts *o = &e->opts;

	if (o->noperands > 0)
		die(STATUS_USAGE, "unexpected operand '%s' (the data come on "
		    "standard input)", o->operands[0]);
	if (e->keys_path != NULL)
		check_counts(e);
	else
		check_list(o);
	if (e->has_scale && !o->has_eps) {
		o->eps = (struct rational){ 1, 1 };
		o->has_eps = true;
	}
	opts_check(o);
	if (!o->check && e->has_sens == e->has_scale)
		die(STATUS_USAGE, "either -s S or --scale C is needed");
	if (e->has_scale && e->monotonic)
		die(STATUS_USAGE, "--scale and --monotonic exclude each "
		    "other");
}

static int
grid_digits(const struct expm *e)
{
	const struct opts *o = &e->opts;
	struct grid g = GRID_INIT;

	if (o->digits >= 0)
		return o->digits;
	if (e->keys_path != NULL)
		return 0;
	if (e->has_scale)
		grid_limit(&g, e->scale_arg, SCALE_PARTS);
	else {
		grid_limit(&g, e->sens_arg, SENS_PARTS);
		grid_hold(&g, e->sens_arg);
	}
	if (o->nranges > 0) {
		grid_hold(&g, o->ranges[0].lo);
		grid_hold(&g, o->ranges[0].hi);
	}
	return g.digits;
}

/* The sensitivity in steps, and with it that of the report. */
static bool
set_sens(struct expm *e, int64_t *steps)
{
	struct report *r = &e->report;

	if (e->has_scale)
		return true;
	return rational_grid(e->sens_arg, e->digits, FIXED_CEIL, steps) &&
	    rational_make(&r->sens, *steps, fixed_pow10(e->digits));
}

/* Scale of one draw with E/K, in steps. */
static bool
set_scale(struct expm *e, int64_t steps)
{
	struct rational eps, draws, grid, c;

	if (!rational_make(&draws, (i128)e->k, 1) ||
	    !rational_div(&eps, e->opts.eps, draws))
		return false;
	if (!e->has_scale)
		return select_make(&e->t, (u128)steps, eps, e->monotonic);
	return rational_make(&grid, fixed_pow10(e->digits), 1) &&
	    rational_mul(&c, e->scale_arg, grid) &&
	    rational_div(&c, c, eps) && select_metric(&e->t, c);
}

static void
plan(struct expm *e)
{
	struct report *r = &e->report;
	struct rational step;
	int64_t steps = 0;
	bool ok;

	e->digits = grid_digits(e);
	ok = e->digits >= 0 && set_sens(e, &steps) &&
	    (!e->opts.has_eps || set_scale(e, steps));
	if (!ok)
		die(STATUS_USAGE, "these parameters do not fit 64 bits on "
		    "their grid; give fewer --digits");
	r->digits = e->digits;
	if (!e->opts.has_eps)
		return;
	r->has_eps = true;
	r->eps = e->opts.eps;
	r->has_scale = rational_make(&step, 1, fixed_pow10(e->digits)) &&
	    rational_make(&r->scale, (i128)e->t.s, (i128)e->t.r) &&
	    rational_mul(&r->scale, r->scale, step);
}

static void
describe(struct expm *e)
{
	struct report *r = &e->report;

	r->opts = &e->opts;
	r->mechanism = e->kind == SELECT_FLIP ? "permute-and-flip" :
	    "exponential mechanism";
	r->noise = "a candidate of score u has the weight exp(u / scale)";
	if (e->keys_path != NULL)
		report_note(r, "score", "the number of records of each of "
		    "the public keys");
	else if (!e->opts.given_neighbors) {
		r->neighbors = "that of the scores";
		r->stated = true;
	}
	if (e->k > 1)
		report_note(r, "split", "each of %llu draws without "
		    "replacement has E/%llu", (unsigned long long)e->k,
		    (unsigned long long)e->k);
	if (e->monotonic && e->keys_path == NULL)
		report_note(r, "monotonic", "holds where all scores move the "
		    "same way between neighbors");
	if (e->has_scale)
		report_note(r, "metric", "E d-private where a score moves by "
		    "at most C d between records at distance d");
}

void
expm_check(struct expm *e)
{
	check_options(e);
	if (e->opts.check)
		return;
	describe(e);
	plan(e);
	release_prepare(&e->out, &e->report);
}
