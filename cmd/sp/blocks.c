/*
 * blocks: any command on any number of records, run on secret blocks.
 *
 * [NRS07] Nissim, Raskhodnikova, Smith: Smooth sensitivity and sampling in
 * private data analysis, section 4: sample and aggregate.  Every record, or
 * person, draws one of K blocks by independent coins.  The command runs once on
 * each block and gives K numbers.
 *
 * Privacy.  Let D and D' differ in one record, gone, come or replaced.  Couple
 * the two releases by equal coins for every record, the differing record
 * included: one block differs, so one of the K numbers, whatever the command
 * computes.  K is public.  So for given coins the K numbers are neighbors under
 * swap, and a choice among the K numbers by 1-quantile of em-quantile under
 * swap is E-private; a mixture over the coins is as well.  The coins are
 * independent, so the order of throws says nothing, and a person has the coins
 * of the first row with the person's id.  A run that fails, says nothing,
 * prints no number or is too slow gives the centre of the range, and is never
 * reported.  Two numbers are two choices with E/2 each.
 *
 * The command must be a function of the block: runs that talk to each other
 * could tell anything.
 */
#include "records.h"

#include <math.h>
#include <stdlib.h>

#include "middle.h"
#include "number/sort.h"
#include "run/complete.h"
#include "tool/err.h"

#define RANGE_PARTS 1000	/* grid steps in a range, at least */

/* Options for noise with a known scale, or for subsets. */
static void
blocks_options(const struct sp *sp)
{
	const struct opts *o = &sp->opts;

	OPTS_REFUSE(
		{ sp->sens_given + sp->centers_given + sp->size > 0 ||
		    sp->sens_column != NULL || o->own_column != NULL,
		    "--blocks takes --range A:B alone: no -s, -m, --size, "
		    "--sensitivity-column or --epsilon-column" },
		{ o->within.den > 0 || o->interval.den > 0, "--blocks has no "
		    "--within and no --interval: its error is one of ranks, "
		    "not a width" },
		{ o->ranges.n == 0, "--blocks needs --range A:B, the public "
		    "range of what the command prints; --range A:B,A:B where "
		    "it prints two numbers" },
		{ o->ranges.n > 2, "more ranges than two numbers take" });
}

/* The numbers' grid, which the ranges share. */
static void
blocks_grid(struct sp *sp)
{
	const struct opts *o = &sp->opts;
	int digits = 0;
	struct rational width;
	int64_t lo, hi;
	bool ok = true;

	for (size_t p = 0; p < sp->parts; p++) {
		grid_hold(&digits, o->ranges.at[p].lo);
		grid_hold(&digits, o->ranges.at[p].hi);
		ok = ok && rational_sub(&width, o->ranges.at[p].hi,
		    o->ranges.at[p].lo);
		if (ok)
			grid_limit(&digits, width, RANGE_PARTS);
	}
	sp->digits = o->digits >= 0 ? o->digits : digits;
	for (size_t p = 0; p < sp->parts && sp->digits >= 0; p++) {
		ok = ok && rational_grid(o->ranges.at[p].lo, sp->digits,
		    FIXED_NEAREST, &lo) && rational_grid(o->ranges.at[p].hi,
		    sp->digits, FIXED_NEAREST, &hi);
		sp->center[p] = ok ? (int64_t)fixed_floor_div((i128)lo + hi,
		    2) : 0;
	}
	if (!ok || sp->digits < 0)
		err_die(STATUS_USAGE, "--range does not fit 64 bits on its "
		    "grid; give fewer --digits");
	sp->report.digits = sp->digits;
}

/* The scale of 2 L, L the open rank distance from the median, under swap. */
static void
blocks_scale(struct sp *sp)
{
	struct report *r = &sp->report;
	const struct rational two = { 2, 1 };

	if (!scale_make(&sp->t, 4 * sp->parts, sp->opts.eps) ||
	    sp->t.s >= SELECT_SCALE || sp->t.r >= SELECT_SCALE ||
	    !rational_div(&r->scale, (struct rational){ (i128)sp->t.s,
	    (i128)sp->t.r }, two))
		err_die(STATUS_USAGE, "this epsilon does not fit 64 bits; "
		    "round it");
	r->eps = sp->opts.eps;
	r->sens = (struct rational){ 1, 1 };
	report_note(r, "error", "95 %%: within about %.0f of the %llu numbers "
	    "from their median, where they are spread over all of --range; "
	    "more blocks make this a smaller part of them",
	    ceil(3 * rational_real(r->scale)),
	    (unsigned long long)sp->blocks);
}

void
blocks_check(struct sp *sp)
{
	struct opts *o = &sp->opts;
	struct report *r = &sp->report;

	complete_options(o, &(struct operation){ .people = true });
	blocks_options(sp);
	r->opts = o;
	r->mechanism = "median of the command's numbers on secret blocks, by "
	    "permute-and-flip on the open rank distance";
	r->noise = "a value at the open rank distance L among the numbers has "
	    "the weight exp(-L / scale)";
	opts_check(o);
	sp->parts = o->ranges.n;
	sp->shares = 1;
	blocks_grid(sp);
}

void
blocks_plan(struct sp *sp)
{
	const struct opts *o = &sp->opts;
	struct report *r = &sp->report;

	if (o->check)
		return;
	report_note(r, "blocks", "%llu, of which each %s draws one: each "
	    "number is that of about n / %llu, and has the bias that the "
	    "command has on so few", (unsigned long long)sp->blocks,
	    o->unit.column != NULL ? "person" : "record",
	    (unsigned long long)sp->blocks);
	if (o->eps.den > 0)
		blocks_scale(sp);
	else
		report_note(r, "scale_formula", "%s / E of the numbers",
		    sp->parts == 1 ? "2" : "4");
}

/* Each part's K numbers, within the part's range and in order. */
void
blocks_run(const struct records *r)
{
	const struct sp *sp = r->sp;
	struct exec e = records_exec(r);
	struct failure bad;

	e.otherwise = sp->center;
	exec_runs(&e, 0, e.n, r->of, &bad);
	for (size_t p = 0; p < sp->parts; p++) {
		for (size_t k = 0; k < sp->blocks; k++)
			r->of[p][k] = records_clamp(sp, p, r->of[p][k]);
		sort_grid(r->of[p], sp->blocks);
	}
	if (!sp->opts.check)
		return;
	err_warn("records: %llu", (unsigned long long)r->total);
	if (bad.runs > 0)
		err_warn("%u of %u blocks gave no number: the first is block "
		    "%u", bad.runs, e.n, bad.first + 1);
	exit(bad.runs > 0 ? STATUS_INPUT : STATUS_OK);
}

/* An answer about a part's K sorted numbers. */
static int64_t
blocks_choose(struct sp *sp, size_t part, const int64_t *x)
{
	if (sp->opts.non_private)
		return x[(sp->blocks - 1) / 2];
	return middle_draw(x, sp->blocks, records_clamp(sp, part, -FIXED_MAX),
	    records_clamp(sp, part, FIXED_MAX), sp->t, &sp->rng);
}

void
blocks_answers(const struct records *r, struct answer *answer)
{
	struct sp *sp = r->sp;

	for (size_t p = 0; p < sp->parts; p++)
		answer[p] = answer_make(blocks_choose(sp, p, r->of[p]), 0,
		    sp->digits, sp->report.digits);
}
