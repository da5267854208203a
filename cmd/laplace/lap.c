/* lap: options of laplace, checked against the operation. */
#include "lap_run.h"

#include <stdlib.h>
#include <string.h>

#include "tool/err.h"

#define DATA (LAP_GROUPS | LAP_WEIGHT)
#define NUMBERS (DATA | LAP_RANGE | LAP_PEOPLE | LAP_INTERVAL)
#define RANGED (NUMBERS | LAP_NEED_RANGE)
#define EDGES (DATA | LAP_INTERVAL | LAP_EDGES)

static const struct lap_op ops[] = {
	{ "count", "Laplace mechanism on a count", LAP_COUNTS,
	    NUMBERS | LAP_MOVES, 0, LAP_MANY, 0,
	    { &lap_count, &lap_count } },
	{ "stats", "Laplace mechanism on a partition of unity",
	    LAP_COUNTS | LAP_MEANS | LAP_VARIANCES | LAP_DEVIATIONS,
	    RANGED, 1, LAP_MANY, 0, { &lap_unity, NULL } },
	{ "sum", "Laplace mechanism on a sum", LAP_SUMS,
	    RANGED | LAP_MOVES | LAP_NORM, 1, LAP_MANY, 0,
	    { &lap_sum, &lap_sum } },
	{ "mean", "Laplace mechanism on a mean", LAP_MEANS,
	    RANGED | LAP_SIZE | LAP_NORM, 1, LAP_MANY, 0,
	    { &lap_unity, &lap_mean } },
	{ "cov", "Laplace mechanism on a covariance matrix",
	    LAP_VARIANCES | LAP_PAIRS, RANGED | LAP_SIZE | LAP_NORM,
	    1, LAP_MANY, 0, { &lap_pairs, &lap_cov } },
	{ "hist", "Laplace mechanism on a histogram", LAP_OTHER,
	    NUMBERS | LAP_BINS | LAP_MOVES, 1, 1, 0,
	    { &lap_hist, &lap_hist } },
	{ "value", "Laplace mechanism on given values", LAP_OTHER,
	    LAP_RANGE | LAP_SENS | LAP_INTERVAL, 1, 1, 0,
	    { &lap_value, &lap_value } },
	{ "mst", "Laplace mechanism on a minimum spanning tree", LAP_OTHER,
	    EDGES, 3, 3, 2, { NULL, &lap_tree } },
	{ "mincut", "Laplace mechanism on a minimum cut", LAP_OTHER,
	    EDGES, 3, 3, 2, { NULL, &lap_cut } },
	{ "flip", "randomized response", LAP_OTHER, DATA | LAP_ESTIMATE,
	    1, 1, 1, { NULL, &lap_flip } },
};

#define OPS (sizeof(ops) / sizeof(ops[0]))

static const struct lap_op *
find(const char *name)
{
	static const char quantile[] = "em-quantile gives medians and other "
	    "quantiles";
	static const char extreme[] = "the smallest and the largest value "
	    "are one person's; em-quantile -q 0.01 or 0.99 is near them";
	static const char spread[] = "laplace stats gives variance and "
	    "standard deviation";
	static const struct {
		const char *name, *hint;
	} others[] = {
		{ "median", quantile }, { "quantile", quantile },
		{ "quantiles", quantile }, { "percentile", quantile },
		{ "min", extreme }, { "max", extreme }, { "var", spread },
		{ "variance", spread }, { "sd", spread }, { "std", spread },
		{ "stddev", spread },
		{ "avg", "laplace mean gives averages" },
		{ "average", "laplace mean gives averages" },
		{ "total", "laplace sum gives totals" },
		{ "histogram", "laplace hist gives histograms" },
	};
	const char *words[OPS + 1] = { NULL };

	for (size_t i = 0; i < OPS; i++) {
		if (strcmp(ops[i].name, name) == 0)
			return &ops[i];
		words[i] = ops[i].name;
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (strcmp(others[i].name, name) == 0)
			die(STATUS_USAGE, "there is no operation '%s': %s",
			    name, others[i].hint);
	opts_unknown("operation", name, words);
}

void
lap_take(struct lap *l, int code)
{
	switch (code) {
	case 's':
		l->args.sens = opts_positive("--sensitivity", optarg);
		l->args.has_sens = true;
		break;
	case OPT_KEYS:
		l->args.keys_path = optarg;
		break;
	case OPT_BINS:
		lap_take_bins(l, optarg);
		break;
	case OPT_UNIVERSE:
		l->args.universe = optarg;
		break;
	case OPT_FALSE_KEYS:
		l->args.false_keys = opts_positive("--false-keys", optarg);
		break;
	case OPT_FIT:
		l->args.fit = true;
		break;
	case OPT_POPULATION:
		l->args.population = true;
		break;
	case OPT_VERSUS:
		l->args.versus = optarg;
		l->args.population = true;
		break;
	case OPT_NORM:
		l->args.norm = opts_positive("--norm", optarg);
		break;
	case OPT_SIZE:
		l->args.size = opts_count("--size", optarg, 1,
		    (uint64_t)INTAKE_WEIGHT);
		break;
	case OPT_OTHERS:
		l->args.others = true;
		break;
	case OPT_ESTIMATE:
		l->args.estimate = true;
		break;
	case OPT_LAP_METRIC:
		l->args.metric = optarg;
		break;
	default:
		opts_take(&l->opts, code);
	}
}

static void
refuse(const struct lap *l, unsigned what, bool given, const char *option)
{
	if (given && (l->op->takes & what) == 0)
		die(STATUS_USAGE, "%s takes no %s", l->op->name, option);
}

static void
refuse_all(const struct lap *l)
{
	const struct opts *o = &l->opts;

	refuse(l, LAP_RANGE, o->nranges > 0, "--range");
	refuse(l, LAP_GROUPS, o->group != NULL || o->groups != NULL,
	    "--group");
	refuse(l, LAP_WEIGHT, o->weight != NULL, "--weight");
	refuse(l, LAP_SENS | LAP_ESTIMATE, l->args.has_sens, "--sensitivity");
	refuse(l, LAP_BINS, l->args.keys_path != NULL, "--keys");
	refuse(l, LAP_BINS, l->args.bins != NULL, "--bins");
	refuse(l, LAP_BINS, l->args.universe != NULL, "--universe: find the "
	    "keys with laplace hist --universe and a part of epsilon, then "
	    "give them as --groups with the rest");
	refuse(l, LAP_BINS, l->args.false_keys.den != 0, "--false-keys");
	refuse(l, LAP_SIZE, l->args.size > 0, "--size");
	refuse(l, LAP_NORM, l->args.norm.den != 0, "--norm");
	refuse(l, LAP_ESTIMATE, l->args.estimate, "--estimate");
	refuse(l, LAP_BINS, l->args.others && l->opts.groups == NULL &&
	    l->args.universe == NULL, "--others without --group and --groups");
	refuse(l, LAP_PEOPLE, o->unit != NULL, "--unit");
	refuse(l, LAP_PEOPLE, o->own_column != NULL, "--epsilon-column");
	refuse(l, LAP_INTERVAL, o->has_interval, "--interval: its noise is "
	    "not additive");
	if (!o->given_neighbors || l->op->way[o->neighbors] != NULL)
		return;
	if (o->neighbors == NEIGHBORS_SWAP)
		die(STATUS_USAGE, "stats hides the number of records: it has "
		    "--neighbors add-remove only (mean and cov take swap)");
	die(STATUS_USAGE, "%s has --neighbors swap only: who is in "
	    "the data is public", l->op->name);
}

/* What an operation cannot do without, or takes one of. */
static void
require(const struct lap *l)
{
	const struct lap_args *a = &l->args;

	if ((l->op->takes & LAP_NEED_RANGE) && l->opts.nranges == 0)
		die(STATUS_USAGE, "%s needs a --range A:B, public, such as "
		    "0:120; values outside count as its ends", l->op->name);
	if ((l->op->takes & LAP_BINS) && (a->keys_path != NULL) +
	    (a->bins != NULL) + (a->universe != NULL) == 0)
		die(STATUS_USAGE, "hist needs --keys FILE, --bins A:B:W or "
		    "E0,E1,... or --universe PATTERN");
	if ((l->op->takes & LAP_SENS) && !a->has_sens)
		die(STATUS_USAGE, "value needs -s S, the most that one "
		    "record may move the numbers together");
	if (a->population && (!l->opts.has_interval ||
	    !(l->op->prints & LAP_MEANS)))
		die(STATUS_USAGE, "--population and --versus speak of the "
		    "--interval P of mean and stats");
	if (a->versus != NULL && (l->opts.group == NULL ||
	    l->op->prints != LAP_MEANS ||
	    l->opts.neighbors == NEIGHBORS_SWAP))
		die(STATUS_USAGE, "--versus compares the groups of mean -g "
		    "under add-remove");
}

/* Where the keys of a histogram come from. */
static void
check_keys(struct lap *l)
{
	const struct lap_args *a = &l->args;
	enum per per = l->opts.per;

	if ((a->keys_path != NULL) + (a->bins != NULL) +
	    (a->universe != NULL) > 1)
		die(STATUS_USAGE, "--keys, --bins and --universe exclude each "
		    "other: one histogram at a time");
	if ((a->keys_path != NULL || a->universe != NULL || a->dates) &&
	    per != PER_NONE && per != PER_ANY && per != PER_SHARE)
		die(STATUS_USAGE, "a key has no sum, mean, least or most: "
		    "--per any or share, or --max-rows K");
	if (a->universe != NULL || (a->keys_path != NULL &&
	    a->false_keys.den != 0))
		lap_universe_options(l);
	else if (a->false_keys.den != 0)
		die(STATUS_USAGE, "--false-keys needs --universe or --keys");
}

/* Weights of edges are in 0..1 whatever the data say. */
static void
set_edges(struct opts *o)
{
	o->ranges = err_alloc(o->ranges, 1, sizeof(*o->ranges));
	o->ranges[0] = (struct range){ { 0, 1 }, { 1, 1 } };
	o->nranges = 1;
}

/* Operations whose records are public: none may be dropped. */
static void
check_bad(struct lap *l)
{
	struct opts *o = &l->opts;

	if ((l->op->takes & LAP_SENS) == 0)
		return;
	o->listed = true;
	if (o->on_bad == ON_BAD_DROP)
		die(STATUS_USAGE, "%s prints a line for every record: no "
		    "--on-bad drop", l->op->name);
	if (o->on_bad == ON_BAD_DEFAULT)
		o->on_bad = ON_BAD_NUMBER;
}

static void
check_size(const struct lap *l)
{
	const struct opts *o = &l->opts;

	if (l->args.size == 0)
		return;
	if (o->neighbors != NEIGHBORS_SWAP && !o->has_within)
		die(STATUS_USAGE, "--size promises a public number of "
		    "records: it needs --neighbors swap, or --within, for "
		    "which it is a guess");
	if (o->groups != NULL && o->neighbors == NEIGHBORS_SWAP)
		die(STATUS_USAGE, "--size and --groups exclude each other");
}

/* --check: reads numbers and names as the operation would; exits. */
static noreturn void
only_check(struct lap *l)
{
	if (l->op->prints == LAP_COUNTS && l->opts.columns != NULL &&
	    l->args.universe == NULL)
		warn("count counts the records that have a number in each "
		    "column of -c, and all without it; hist counts names");
	intake_open(&l->in, &l->opts, l->op->least, l->op->most, 0);
	l->in.texts = l->op->takes & LAP_ESTIMATE ? 0 : l->op->texts;
	l->in.size = l->args.size;
	l->in.promised = l->opts.neighbors == NEIGHBORS_SWAP;
	lap_own(l);
	if (l->way->check != NULL)
		l->way->check(l);
	intake_read(&l->in, NULL, l);
	exit(STATUS_OK);
}

/* Columns that -c lists, for plans made before the header is read. */
static size_t
listed(const struct lap *l)
{
	const char *p = l->opts.columns;
	size_t n = 1;
	bool quoted = false;

	if (l->opts.nranges > 1)
		return l->opts.nranges;
	if (p == NULL)
		return l->op->least > 0 ? l->op->least : 1;
	for (; *p != '\0'; p++) {
		quoted = quoted != (*p == '"');
		n += *p == ',' && !quoted;
	}
	return n <= LAP_MANY ? n : LAP_MANY;
}

void
lap_check(struct lap *l)
{
	struct opts *o = &l->opts;

	if (o->noperands == 0)
		die(STATUS_USAGE, "no operation given (see laplace --help)");
	l->op = find(o->operands[0]);
	if ((l->op->takes & LAP_SENS) == 0)
		opts_file(o, 1);
	else if (o->noperands > 1)
		lap_operands(l);
	refuse_all(l);
	if (!o->given_neighbors)
		o->neighbors = l->op->way[0] != NULL ? NEIGHBORS_ADD_REMOVE :
		    NEIGHBORS_SWAP;
	o->hides_group = (l->op->takes & LAP_MOVES) != 0;
	o->others = l->args.others && o->groups != NULL;
	lap_metric_check(l);
	check_bad(l);
	check_size(l);
	check_keys(l);
	if ((l->op->takes & LAP_EDGES) && !o->check)
		set_edges(o);
	/* without groups a person counts once, whatever becomes of its rows */
	if (l->op->prints == LAP_COUNTS && o->unit != NULL &&
	    o->max_rows == 0 && o->per == PER_NONE && o->group == NULL)
		o->per = PER_COUNT;
	opts_check(o);
	l->way = l->args.false_keys.den != 0 ? &lap_universe :
	    l->op->way[o->neighbors];
	if (o->check)
		only_check(l);
	if (l->op->prints == LAP_COUNTS && o->nranges > 0 && !o->has_within)
		warn("count leaves out no value that is beyond --range; hist "
		    "--bins A:B:W counts the values from A to B");
	require(l);
	l->plan.d = listed(l);
	if ((l->op->takes & LAP_BINS) && o->columns != NULL && l->plan.d > 1)
		die(STATUS_USAGE, "hist counts by one column: laplace count "
		    "-g %s --groups FILE counts by several, FILE a CSV with "
		    "the header %s and a line for each group", o->columns,
		    o->columns);
	l->m = 1;
	l->report.opts = o;
	l->report.metric = l->args.metric;
	/* value: S is the user's, for whatever neighbors it was derived */
	l->report.stated = (l->op->takes & LAP_SENS) != 0 &&
	    !o->given_neighbors;
	l->report.mechanism = l->op->mechanism;
	l->report.noise = "discrete Laplace, exact, on the grid";
	if (lap_norm_pays(l))
		l->way = &lap_norm;
	else if (l->way == &lap_pairs && l->plan.d == 1)
		l->way = &lap_unity;
	if (l->args.fit && (l->way != &lap_pairs || o->has_interval))
		die(STATUS_USAGE, "--fit is for cov of two columns or more "
		    "under add-remove, without --norm and --interval");
}
