/* sp: the code that sp-median, sp-mean and sp-var share. */
#include "sp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "release/plan/within.h"
#include "run/complete.h"
#include "tool/err.h"

/* A number, or a number for each column; returns how many. */
static size_t
take_list(struct rational take(const char *, const char *), struct rational *x)
{
	char *copy = err_copy(optarg, strlen(optarg)), *rest = copy, *one;
	size_t n = 0;

	for (; (one = text_field(&rest, ",")) != NULL; n++) {
		if (n == SP_PARTS)
			err_die(STATUS_USAGE, "%s: more than %d numbers",
			    opts_found(), SP_PARTS);
		x[n] = take(opts_found(), one);
	}
	free(copy);
	return n;
}

/* What is cut off at each end. */
static struct rational
take_trim(void)
{
	const struct rational zero = { 0, 1 }, half = { 1, 2 };
	struct rational alpha = opts_rational(OPTARG);

	if (rational_cmp(alpha, zero) < 0 || rational_cmp(alpha, half) >= 0)
		err_die(STATUS_USAGE, "--trim '%s' is not from 0 to below 1/2",
		    optarg);
	return alpha;
}

void
sp_take(void *arg, int code)
{
	struct sp *sp = arg;

	switch (code) {
	case 's':
		sp->sens_given = take_list(opts_positive, sp->sens_arg);
		break;
	case 'm':
		sp->centers_given = take_list(opts_rational, sp->center_arg);
		break;
	case OPT_SIZE:
		sp->size = opts_count(OPTARG, 1, (uint64_t)INTAKE_WEIGHT);
		break;
	case OPT_SENS_COLUMN: sp->sens_column = optarg; break;
	case OPT_BLOCKS: sp->blocks = opts_count(OPTARG, 2, SP_BLOCKS); break;
	case OPT_TIMEOUT:
		sp->timeout = 1000 * opts_count(OPTARG, 1, SP_SECONDS);
		break;
	case SP_TRIM: sp->f.alpha = take_trim(); break;
	case 'q':
		sp->f = (struct ordered){ .kind = ORDERED_QUANTILE,
		    .alpha = opts_part(OPTARG, true) };
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
		    "--range A:B, or that of a schema, with --size N, about "
		    "how many records there are, both public; or -s S" },
		{ sp->size == 0 && sp->centers_given == 0 && !sp->squared,
		    "no center given (-m CENTER, or --range with --size)" });
	if (sp->size > 0)
		from_size(sp);
	match("--sensitivity", sp->sens_given, sp->shares);
	match("--center", sp->centers_given, sp->parts);
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
sp_check(void *arg)
{
	struct sp *sp = arg;
	struct opts *o = &sp->opts;
	struct report *r = &sp->report;

	complete_options(o, &(struct operation){ .numbers = !sp->command,
	    .limits = !sp->command, .groups = !sp->command,
	    .people = !sp->command,
	    .dates = !sp->squared, .parts = PER_PARTS,
	    .own_whole = sp->command });
	r->opts = o;
	r->noise = "discrete Laplace, exact, on the grid";
	if (sp->sens_column != NULL)
		report_note(r, "sensitivity_column", "each record moves the "
		    "result by at most its own S");
	if (!sp->command)
		opts_file(o, 0);
	opts_check(o);
}

void
sp_plan(void *arg)
{
	struct sp *sp = arg;
	struct opts *o = &sp->opts;
	struct report *r = &sp->report;
	struct rational eps;
	struct bounds range;
	char text[FIXED_TEXT];

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
		opts_listed_columns(o, sp->parts, sp->parts);
	if (!sp_scale(sp, eps))
		err_die(STATUS_USAGE, "these parameters do not fit 64 bits on "
		    "their grid; give fewer --digits");
	for (size_t c = 0; c < sp->parts && !sp->command; c++)
		intake_range(o, c, sp->cell_digits[c], &range);
	note_shares(sp);
	if (!sp->squared)
		note_all(sp, "center", sp->center_arg);
	if (o->ranges.n == 1 && sp->parts > 1)
		report_note(r, "range_of", "each of the %zu columns",
		    sp->parts);
	if (sp->squared && o->ranges.n == 0)
		report_note(r, "numbers", "up to %s in size; larger ones "
		    "count as this", fixed_text(text, FIXED_MAX,
		    sp->cell_digits[0]));
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
}
