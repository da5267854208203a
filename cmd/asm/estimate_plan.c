/*
 * estimate_plan: the public sizes of asm-estimate that the options leave open.
 *
 * No size depends on the data; exact laws chose the defaults for split and
 * beta, and scripts/figure/searches compares the defaults.  The words for
 * --explain stand at the end.
 */
#include <math.h>

#include "estimate.h"
#include "number/fixed.h"
#include "release/plan/report.h"
#include "tool/err.h"
#include "tool/opts.h"

#define STEPS 100		/* [D24 Lemma 5.3] */
#define QUERIES 50000		/* [D24 Appendix B.2] */
#define QUERIES_CODED 100000	/* 1.001^100000 > 2^126 */
#define CELLS_FINER 3		/* decimals of squared cells with --digits */
#define DIGITS 6
#define LOGIT_DIGITS 9
#define RANK_STEPS 128		/* exp(-128/2) is nothing on any grid */
#define POINT_STEPS 64		/* and exp(-64/2) on that of other choices */
#define STEPS_MOST 16384
#define FALSE_BITS 30		/* 2^-30 < 10^-9 */
#define ENOUGH 100		/* from this n E on losses are clamped */
#define POINTS 1001
#define POINTS_LEAST 51
#define BETA_LEAST 1000		/* 1.001, in millionths above 1 */
#define BETA_MOST 100000	/* 1.1 */

/*
 * beta - 1 in millionths of 1/(n E), or squared of 1/sqrt(n E).  Outputs stand
 * as close as the noise can tell them apart: for variances and quantiles the
 * gap goes with 1/(n E).  A sum's largest terms weigh more than 1/n, however
 * many terms, and a search stops on too close a list far below the result: the
 * gap for sums goes with 1/sqrt(n E).  The numbers were found by hand, by exact
 * laws that no script works out again; scripts/figure/searches measures the
 * errors.
 */
static const struct {
	i128 gap;
	bool root;
	const char *words;
} spacing[] = {
	[TARGET_VARIANCE] = { 40000000, false, "1 + 40/(n E)" },
	[TARGET_QUANTILE] = { 15000000, false, "1 + 15/(n E)" },
	[TARGET_SUM] = { 202500000000, true, "1 + 0.45/sqrt(n E)" },
	[TARGET_MEAN] = { 202500000000, true, "1 + 0.45/sqrt(n E)" }
};

/* How often the queries of target t cost: once in one direction, or twice. */
static unsigned
estimate_times(const struct estimate *e, size_t t)
{
	enum target target = e->metric->target[t];

	if (target == TARGET_SUM || (target != TARGET_VARIANCE &&
	    e->opts.neighbors == NEIGHBORS_SWAP))
		return 1;
	return 2;
}

/*
 * The threshold's part of epsilon: eps1 = eps2 in the paper; for the rest the
 * best by exact laws.  Without an upper bound on the data a larger part
 * shortens the tail.
 */
static struct rational
default_split(const struct estimate *e, unsigned times)
{
	static const struct rational quantile[] = { { 2, 3 }, { 1, 2 } };
	static const struct rational monotonic[] = { { 3, 5 }, { 11, 20 } };
	static const struct rational others[] = { { 11, 20 }, { 1, 2 } };
	bool bounded = e->opts.ranges.n > 0 || e->metric->term == TERM_WRONG;

	if (e->paper)
		return (struct rational){ 1, 1 + times };
	if (e->metric->target[0] == TARGET_QUANTILE)
		return quantile[bounded];
	return times == 1 ? monotonic[bounded] : others[bounded];
}

struct rational
estimate_beta(const struct estimate *e, size_t t, uint64_t n)
{
	enum target target = e->metric->target[t];
	i128 parts = BETA_MOST;

	if (e->beta.den > 0)
		return e->beta;
	if (e->opts.neighbors != NEIGHBORS_SWAP)
		return (struct rational){ 101, 100 };
	if (n > 0)
		parts = spacing[target].gap * e->eps.den /
		    ((i128)n * e->eps.num);
	if (n > 0 && spacing[target].root)
		parts = (i128)fixed_root((u128)parts);
	parts = fixed_clamp_wide(parts, BETA_LEAST, BETA_MOST);
	return (struct rational){ 1000000 + parts, 1000000 };
}

/* 3 n E gave the least errors of medians, by exact laws. */
size_t
estimate_points(const struct estimate *e, uint64_t n)
{
	i128 points = 3 * (i128)n * e->eps.num / e->eps.den + 1;

	if (e->has_queries)
		return e->queries;
	if (e->opts.neighbors != NEIGHBORS_SWAP)
		points = POINTS;
	return (size_t)fixed_clamp_wide(points, POINTS_LEAST, QUERIES);
}

static bool
is_square(const struct estimate_metric *m)
{
	return m->target[0] == TARGET_VARIANCE || m->term == TERM_SQUARE ||
	    m->term == TERM_FIT;
}

/*
 * Squares of cells are as wide as they need to be, where no list of all points
 * is meant; and but for means of a person's losses, as codes do not add up.
 */
static bool
is_coded(const struct estimate *e)
{
	bool means = e->opts.unit.column != NULL && e->opts.unit.per ==
	    PER_MEAN && e->metric->term == TERM_SQUARE;

	return is_square(e->metric) && !means && !e->asymmetry &&
	    (e->mechanism == MECHANISM_ASM || e->mechanism == MECHANISM_CLAMP);
}

/*
 * The fewest decimals of a cell; of sums and quantiles the output's do, and of
 * errors and squares a few more where the user says how many.
 */
static int
metric_digits(const struct estimate *e)
{
	const struct estimate_metric *m = e->metric;
	int wanted = e->opts.digits + CELLS_FINER;

	if (m->classes)
		return LOGIT_DIGITS;
	if (m->term == TERM_SUM || m->target[0] == TARGET_QUANTILE)
		return 0;
	if ((e->coded || m->term == TERM_ABSOLUTE) && !e->paper &&
	    e->opts.digits >= 0 && wanted < DIGITS)
		return wanted;
	return DIGITS;
}

/* Public sizes that the options leave open. */
static void
set_defaults(struct estimate *e)
{
	int digits = e->opts.digits >= 0 ? e->opts.digits : DIGITS;

	e->report.digits = digits;
	e->coded = is_coded(e);
	e->cell_digits = FIXED_MOST(digits, metric_digits(e));
	e->step_digits = e->coded ? 2 * e->cell_digits : digits;
	if (e->paper)
		e->beta = (struct rational){ 201, 200 };
	if (e->quantile.den == 0)
		e->quantile = (struct rational){ 1, 2 };
	e->has_queries = e->queries > 0 || e->paper;
	if (e->queries == 0)
		e->queries = e->coded && !e->paper ? QUERIES_CODED : QUERIES;
	if (e->start.den > 0 && !rational_grid(e->start, e->report.digits,
	    FIXED_NEAREST, &e->from))
		err_die(STATUS_USAGE, "--start does not fit 64 bits with %d "
		    "digits", e->report.digits);
}

bool
estimate_asks(const struct estimate *e)
{
	return e->metric->term == TERM_SUM && e->opts.ranges.n == 0 &&
	    e->mechanism != MECHANISM_BRACKET &&
	    e->opts.neighbors == NEIGHBORS_SWAP;
}

static bool
split_clamp(struct estimate *e)
{
	struct rational asks = { estimate_asks(e), 10 }, rest;
	struct rational share = { 2, 5 };

	if (e->mechanism == MECHANISM_BRACKET)
		share = (struct rational){ 1,
		    e->opts.neighbors == NEIGHBORS_SWAP ? 3 : 4 };
	if (e->split.den > 0)
		share = e->split;
	return rational_mul(&e->floor, e->eps, asks) &&
	    rational_sub(&rest, e->eps, e->floor) &&
	    asym_split(&e->clamp, rest, share, 1);
}

static bool
split_targets(struct estimate *e)
{
	struct rational share = e->split;
	bool ok = true;
	unsigned times;

	for (size_t t = 0; ok && t < e->metric->targets; t++) {
		times = estimate_times(e, t);
		if (e->split.den == 0)
			share = default_split(e, times);
		ok = asym_split(&e->asym[t], e->eps, share, times);
	}
	return ok;
}

/*
 * A false stop: at an output from which more than c records would have to
 * change, the query is -c, and the search stops with the chance P[V >= 1 + T +
 * c] <= exp(-eps2 c), see asym.c.  All of N outputs together have the chance
 * N exp(-eps2 c), at most 2^-FALSE_BITS from
 *	c = (log2 N + FALSE_BITS) ln 2 / eps2
 * on, ln 2 < 7/10.
 */
static i128
search_steps(const struct estimate *e, size_t t)
{
	int bits = FALSE_BITS;

	while (e->queries >> (bits - FALSE_BITS) > 0)
		bits++;
	return fixed_ceil_div(7 * (i128)bits * e->asym[t].eps2.den,
	    10 * e->asym[t].eps2.num);
}

static void
set_steps(struct estimate *e)
{
	i128 most = STEPS, parts = POINT_STEPS, steps;
	bool known = e->opts.eps.den > 0 && !e->paper;

	if (e->steps > 0)
		return;
	if (e->metric->target[0] == TARGET_QUANTILE)
		parts = RANK_STEPS;
	if (known && (e->mechanism != MECHANISM_ASM ||
	    e->metric->target[0] == TARGET_QUANTILE))
		most = fixed_ceil_div(parts * e->eps.den, e->eps.num);
	for (size_t t = 0; known && e->mechanism == MECHANISM_ASM &&
	    t < e->metric->targets; t++) {
		steps = search_steps(e, t);
		most = FIXED_MOST(steps, most);
	}
	e->steps = (uint64_t)fixed_clamp_wide(most, STEPS, STEPS_MOST);
}

/*
 * Neighbors that differ in a person's K records, --max-rows K, are K steps
 * apart: E/K for a record is E for the person.  Without an epsilon the parts
 * are those of 1.
 */
static void
split_epsilon(struct estimate *e)
{
	struct rational all = { 1, 1 };
	struct rational parts = { 1, (i128)e->metric->targets *
	    (i128)e->opts.unit.records };
	bool ok;

	if (e->opts.eps.den > 0)
		all = e->opts.eps;
	ok = rational_mul(&e->eps, all, parts);
	if (ok && e->by_size)
		e->enough = (uint64_t)fixed_ceil_div(ENOUGH * e->eps.den,
		    e->eps.num);
	if (ok && e->mechanism < MECHANISM_CLAMP)
		ok = split_targets(e);
	if (ok && e->enough < UINT64_MAX)
		ok = split_clamp(e);
	if (!ok)
		err_die(STATUS_USAGE, "epsilon and --split have too many "
		    "digits, or too little is left of them");
	e->report.eps = e->opts.eps;
}

void
estimate_plan(void *arg)
{
	struct estimate *e = arg;
	struct bounds range;

	set_defaults(e);
	for (size_t c = 0; c < e->opts.ranges.n; c++)
		intake_range(&e->opts, c, e->cell_digits, &range);
	e->enough = e->mechanism >= MECHANISM_CLAMP ? 0 : UINT64_MAX;
	split_epsilon(e);
	set_steps(e);
	estimate_report(e);
}

/* What follows a number of epsilons: nothing, or the unit E. */
static const char *
unit_of(const struct estimate *e)
{
	return e->opts.eps.den > 0 ? "" : " E";
}

static void
note_outputs(struct estimate *e)
{
	struct report *r = &e->report;
	char text[RATIONAL_TEXT];

	if (e->metric->target[0] == TARGET_QUANTILE && e->opts.ranges.n > 0)
		report_note(r, "outputs", e->has_queries ?
		    "equally spaced" : "powers of beta, no further apart than "
		    "3 n E equal steps; 1000 where n is not public");
	else if (e->beta.den > 0)
		report_note(r, "beta", "%s", rational_text(text, e->beta));
	else if (e->opts.neighbors != NEIGHBORS_SWAP)
		report_note(r, "beta", "1.01");
	else
		for (size_t t = 0; t < e->metric->targets; t++)
			report_note(r, t == 0 ? "beta" : "beta_variance",
			    "%s, from 1.001 to 1.1",
			    spacing[e->metric->target[t]].words);
}

static void
note_asm(struct estimate *e)
{
	struct report *r = &e->report;
	char a[RATIONAL_TEXT], b[RATIONAL_TEXT];
	static const char *const cost[] = { "", "once (monotonic)", "twice" };

	note_outputs(e);
	report_note(r, "queries", "%llu at most",
	    (unsigned long long)e->queries);
	for (size_t t = 0; t < e->metric->targets; t++)
		report_note(r, t == 0 ? "split" : "split_variance",
		    "threshold %s%s, queries %s%s each, which cost it %s",
		    rational_exact(a, e->asym[t].eps1), unit_of(e),
		    rational_exact(b, e->asym[t].eps2), unit_of(e),
		    cost[estimate_times(e, t)]);
}

static void
note_ceilings(struct estimate *e)
{
	bool bracket = e->mechanism == MECHANISM_BRACKET;
	bool swap = e->opts.neighbors == NEIGHBORS_SWAP;
	const char *first = "1", *finer = "";
	char text[RATIONAL_TEXT];

	if (e->start.den > 0)
		first = rational_text(text, e->start);
	else if (e->opts.ranges.n > 0)
		first = "a 1024th of the largest term";
	if (bracket)
		finer = swap ? ", up to 32 of each" : ", from a quarter of "
		    "that, up to 32 of each";
	else if (e->start.den == 0 && swap)
		finer = ", from n E/25 below that";
	report_note(&e->report, bracket ? "ends" : "ceilings", "powers of two "
	    "times %s%s", first, finer);
}

static void
note_clamp_split(struct estimate *e)
{
	const char *asks = "";
	char a[RATIONAL_TEXT], b[RATIONAL_TEXT];

	if (estimate_asks(e))
		asks = ", a tenth of E to see whether terms are below 0";
	report_note(&e->report, e->by_size ? "split_ceiling" : "split",
	    "%s %s%s, sum %s%s%s", e->mechanism == MECHANISM_BRACKET ?
	    "interval" : "ceiling", rational_exact(a, e->clamp.eps1),
	    unit_of(e), rational_exact(b, e->clamp.eps2), unit_of(e), asks);
}

/*
 * STEP log2(C)/eps1 of the terms outweigh log2(C) steps of ceiling.c, or of
 * bracket.c.
 */
static void
note_needs(struct estimate *e)
{
	static const double step[2][2] = { { 1.5, 1.5 }, { 3.875, 6 } };
	bool bracket = e->mechanism == MECHANISM_BRACKET;
	bool swap = e->opts.neighbors == NEIGHBORS_SWAP;
	const char *who = "records", *size = "C", *unit = "the first";

	if (bracket && !swap)
		size = "2 C";
	/* the list may begin as far down as the grid goes */
	if (!bracket && swap && e->start.den == 0)
		unit = "the grid";
	if (e->opts.unit.column != NULL)
		who = "people";
	report_note(&e->report, "needs", "about %.2g log2(%s) %s whose terms "
	    "are not 0, C the largest in units of %s; with fewer the answer "
	    "may be too small, however many are 0", step[bracket][swap] *
	    (double)e->clamp.eps1.den / (double)e->clamp.eps1.num, size, who,
	    unit);
	if (e->metric->term == TERM_SUM && !bracket)
		report_note(&e->report, "few", "of %.3g %s one release in ten "
		    "is off by 30 %% or more; laplace sum with a range does "
		    "better", 100 / rational_real(e->eps), who);
}

static void
note_clamp(struct estimate *e)
{
	if (e->by_size)
		report_note(&e->report, "clamped", "groups of %llu records "
		    "and more", (unsigned long long)e->enough);
	note_ceilings(e);
	note_clamp_split(e);
	if (e->opts.eps.den > 0)
		note_needs(e);
}

void
estimate_report(struct estimate *e)
{
	static const char choice[] = "exact choice from all points of the "
	    "grid: one from which l records are away has the weight "
	    "exp(-E l/2)";
	static const struct {
		const char *name, *noise;
	} words[] = {
		{ "asymmetric sensitivity", "geometric, one-sided, exact: j "
		    "has the weight exp(-e j), e being its part of E" },
		{ "inverse sensitivity", choice },
		{ "permute-and-flip by inverse sensitivity", "exact choice: "
		    "all points of the grid in random order; the first that is "
		    "kept, one from which l records are away with the chance "
		    "exp(-E (l - least l)/2)" },
		{ "sum clamped at a private ceiling", "exact choice of the "
		    "ceiling, then discrete Laplace" },
		{ "mean of terms cut to a private interval", "exact choice of "
		    "the interval, then discrete Laplace" },
		{ "sum clamped at a private ceiling; of few records "
		    "asymmetric sensitivity", "exact choice of the ceiling, "
		    "then discrete Laplace; for a search geometric" }
	};
	size_t w = e->by_size ? MECHANISM_BRACKET + 1 : e->mechanism;
	struct report *r = &e->report;
	char text[FIXED_TEXT];

	r->opts = &e->opts;
	r->mechanism = words[w].name;
	r->noise = words[w].noise;
	report_note(r, "metric", "%s", e->metric->words);
	if (e->metric->target[0] == TARGET_QUANTILE)
		report_note(r, "quantile", "%s", rational_text(text,
		    e->quantile));
	if (e->opts.ranges.n == 0 && !e->metric->classes)
		report_note(r, "cells", "rounded to 10^-%d; those beyond %s in "
		    "size count as this", e->cell_digits, fixed_text(text,
		    FIXED_MAX, e->cell_digits));
	if (e->mechanism >= MECHANISM_CLAMP || e->by_size)
		note_clamp(e);
	if (e->mechanism < MECHANISM_CLAMP)
		report_note(r, "steps", "%llu", (unsigned long long)e->steps);
	if (e->mechanism == MECHANISM_ASM)
		note_asm(e);
}
