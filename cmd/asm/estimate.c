/* estimate: the options of asm-estimate, checked against the metric. */
#include "estimate.h"

#include <string.h>

#include "run/complete.h"
#include "tool/err.h"

static const struct estimate_metric metrics[] = {
	{ "var", "the variance", TERM_VALUE, 1, { TARGET_VARIANCE }, 1, 1 },
	{ "quantile", "a quantile", TERM_VALUE, 1, { TARGET_QUANTILE }, 1, 1 },
	{ "sum", "a sum", TERM_SUM, 1, { TARGET_SUM }, 1, 1 },
	{ "mean", "the mean", TERM_SUM, 1, { TARGET_MEAN }, 1, 1 },
	{ "mse", "the mean squared error", TERM_SQUARE, 1, { TARGET_MEAN },
	    2, 2 },
	{ "mae", "the mean absolute error", TERM_ABSOLUTE, 1,
	    { TARGET_MEAN }, 2, 2 },
	{ "bce", "the binary cross-entropy", TERM_CLASSES, 1, { TARGET_SUM },
	    2, 2, true },
	{ "ce", "the cross-entropy", TERM_CLASSES, 1, { TARGET_SUM }, 3,
	    10000, true },
	{ "rmse", "the root of the mean squared error", TERM_SQUARE, 1,
	    { TARGET_MEAN }, 2, 2 },
	{ "accuracy", "the share of right labels", TERM_WRONG, 1,
	    { TARGET_MEAN }, 2, 10000, true },
	{ "r2", "R squared", TERM_FIT, 2, { TARGET_MEAN, TARGET_VARIANCE },
	    2, 2 },
};

#define METRICS (sizeof(metrics) / sizeof(metrics[0]))

static struct rational
above_one(void)
{
	struct rational beta = opts_rational(OPTARG);
	struct rational least = { 1000001, 1000000 };

	if (rational_cmp(beta, least) < 0 || beta.num >> 60 != 0)
		err_die(STATUS_USAGE, "--beta '%s' is not from 1.000001 up",
		    optarg);
	return beta;
}

void
estimate_take(void *arg, int code)
{
	struct estimate *e = arg;
	static const char *const mechanisms[] = { "asm", "ism", "pf", "clamp",
	    NULL };

	switch (code) {
	case OPT_MECHANISM:
		e->mechanism = (enum mechanism)opts_choose(OPTARG, mechanisms);
		break;
	case OPT_PAPER: e->paper = true; break;
	case OPT_BETA: e->beta = above_one(); break;
	case OPT_SPLIT: e->split = opts_part(OPTARG, false); break;
	case OPT_STEPS: e->steps = opts_count(OPTARG, 1, TALLY_STEPS); break;
	case OPT_QUERIES: e->queries = opts_count(OPTARG, 2, 10000000); break;
	case OPT_START: e->start = opts_rational(OPTARG); break;
	case OPT_QUANTILE: e->quantile = opts_part(OPTARG, true); break;
	case OPT_ASYMMETRY: e->asymmetry = true; break;
	default:
		opts_take(&e->opts, code);
	}
}

static const struct estimate_metric *
find_metric(const struct opts *o)
{
	static const char mean[] = "mean gives it",
	    root[] = "it is the root of var, at no cost";
	static const char *const others[][2] = {
		{ "median", "quantile gives it, without --quantile" },
		{ "average", mean }, { "avg", mean },
		{ "auc", "recipe 29 of dputils-cookbook(7) gives it" },
		{ "sd", root }, { "std", root },
		{ "count", "laplace count gives it" },
		{ "min", "quantile --quantile 0 gives it" },
		{ "max", "quantile --quantile 1 gives it" },
		{ "logloss", "bce and ce give it, as a sum" }, { NULL, NULL },
	};
	const char *words[METRICS + 1] = { NULL };

	for (size_t i = 0; i < METRICS; i++)
		words[i] = metrics[i].name;
	return &metrics[opts_verb(o, "metric", words, others)];
}

/* Options for a search's list. */
static bool
has_search(const struct estimate *e)
{
	return e->paper || e->beta.den > 0 || e->steps > 0 || e->queries > 0 ||
	    e->asymmetry;
}

/* May the metric be a clamped sum, perhaps divided by a public n? */
static bool
clampable(const struct estimate *e)
{
	return e->metric->targets == 1 && (e->metric->target[0] ==
	    TARGET_SUM || (e->metric->target[0] == TARGET_MEAN &&
	    e->opts.neighbors == NEIGHBORS_SWAP));
}

/*
 * Sums, and losses over a public number of records, are clamped; for few
 * records a search has less error, see estimate_plan.
 */
static void
choose_mechanism(struct estimate *e)
{
	bool sum = e->metric->term == TERM_SUM;
	bool given = opts_given(&e->opts, OPT_MECHANISM) != NULL ||
	    has_search(e);

	if (sum && e->metric->target[0] == TARGET_MEAN) {
		OPTS_REFUSE({ given, "mean has one mechanism, and no options "
		    "of a search" });
		e->mechanism = MECHANISM_BRACKET;
	} else if (!given && clampable(e)) {
		if (sum || e->opts.interval.den > 0)
			e->mechanism = MECHANISM_CLAMP;
		else if (e->opts.neighbors == NEIGHBORS_SWAP &&
		    e->metric->term != TERM_WRONG && !e->opts.non_private)
			e->by_size = true;
	}
	if (sum && e->mechanism < MECHANISM_CLAMP && e->opts.ranges.n == 0 &&
	    !e->opts.explain)
		err_warn("in this search a negative term counts as 0; "
		    "--mechanism clamp, the default, takes terms of any sign");
}

/*
 * A search's bounds count whole records.  Shares would be private, with E/W for
 * each of a person's W units, but the search would have to look W times as many
 * units ahead, and a search that stops early answers badly.
 */
static void
check_own(const struct estimate *e)
{
	const struct estimate_metric *m = e->metric;
	const struct opts *o = &e->opts;
	const struct unit *u = &o->unit;
	bool clamp = e->mechanism == MECHANISM_CLAMP;
	bool search = e->mechanism < MECHANISM_CLAMP;
	bool people = u->column != NULL;
	bool choice = search && (e->asymmetry || e->mechanism > MECHANISM_ASM);
	bool pair = m->term == TERM_SQUARE || m->term == TERM_ABSOLUTE ||
	    m->term == TERM_FIT;

	OPTS_REFUSE(
		{ e->asymmetry && o->eps.den == 0,
		    "--asymmetry needs an epsilon" },
		{ e->quantile.den > 0 && m->target[0] != TARGET_QUANTILE,
		    "--quantile belongs to the metric quantile" },
		{ e->paper && (e->beta.den > 0 || e->split.den > 0 ||
		    e->steps > 0 || e->queries > 0), "--paper sets beta, "
		    "split, steps and queries" },
		{ e->start.den > 0 && m->target[0] != TARGET_QUANTILE &&
		    rational_sign(e->start) < 0,
		    "--start is below 0, where no output is" },
		{ m->term == TERM_SUM && search && o->ranges.n > 0 &&
		    rational_sign(o->ranges.at[0].lo) < 0, "terms of a search "
		    "are at least 0: no --range from below (--mechanism "
		    "clamp takes any)" },
		{ o->interval.den > 0 && search, "--interval is for sums that "
		    "are clamped, and for losses under swap: a search has no "
		    "noise to tell it from" },
		{ e->asymmetry && o->charge.ledger != NULL,
		    "--asymmetry is refused with a --ledger" },
		{ e->asymmetry && m->targets > 1,
		    "r2 is two estimates: no --asymmetry" },
		{ clamp && !clampable(e), "--mechanism clamp is for "
		    "sums, and under swap for losses" },
		{ clamp && has_search(e), "--paper, --beta, --steps, "
		    "--queries and --asymmetry belong to other mechanisms "
		    "than clamp" },
		{ choice && o->ranges.n == 0 && !o->check,
		    "--mechanism ism and pf, and --asymmetry, need bounds on "
		    "the data (--range A:B)" },
		{ choice && m->target[0] == TARGET_SUM &&
		    o->neighbors != NEIGHBORS_SWAP, "a sum has no public "
		    "bound under add-remove: --mechanism asm only" },
		{ choice && (e->paper || e->beta.den > 0 || e->split.den > 0 ||
		    e->start.den > 0 || e->queries > 0), "--paper, --beta, "
		    "--split, --start and --queries belong to --mechanism "
		    "asm" },
		{ o->ranges.n > 1 && !pair, "one --range: a second is for "
		    "predictions, of mse, mae, rmse and r2" },
		{ people && m->term == TERM_FIT && u->per != PER_ANY &&
		    u->most == 0 && !o->check, "r2 takes rows of each "
		    "person as they are: --per any, or --max-rows K" },
		{ people && u->per == PER_SHARE, "the search looks at whole "
		    "records, not at shares of them: --unit COL with --per "
		    "mean, min, max or any (of one column sum or count, too), "
		    "or with --max-rows K under add-remove (laplace, sp-mean "
		    "and em-quantile take shares)" },
		{ people && m->most > 1 && (u->per == PER_SUM || u->per ==
		    PER_COUNT), "a loss is a record's: --per mean, min, max or "
		    "any" });
}

void
estimate_check(void *arg)
{
	struct estimate *e = arg;
	struct opts *o = &e->opts;

	e->metric = find_metric(o);
	complete_options(o, &(struct operation){ .numbers = true,
	    .sums = strcmp(e->metric->name, "sum") == 0,
	    .limits = e->metric->most == 1, .groups = true, .people = true,
	    .dates = strcmp(e->metric->name, "quantile") == 0 ||
	    strcmp(e->metric->name, "mean") == 0,
	    .neighbors = NEIGHBORS_SWAP });
	e->root = strcmp(e->metric->name, "rmse") == 0;
	o->non_private = o->non_private || e->asymmetry;
	choose_mechanism(e);
	check_own(e);
	opts_file(o, 1);
	opts_check(o);
	opts_listed_columns(o, e->metric->least, e->metric->most);
}
