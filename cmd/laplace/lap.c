/* lap: options of laplace, checked against the operation. */
#include "lap.h"

#include <unistd.h>

#include "run/complete.h"
#include "tool/err.h"
#include "unseen.h"

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
	    RANGED, 1, LAP_MANY, 0, { &lap_stats, NULL },
	    "K-norm mechanism on moments" },
	{ "sum", "Laplace mechanism on a sum", LAP_SUMS,
	    RANGED | LAP_MOVES | LAP_NORM, 1, LAP_MANY, 0,
	    { &lap_sum, &lap_sum }, "K-norm mechanism on sums" },
	{ "mean", "Laplace mechanism on a mean", LAP_MEANS,
	    RANGED | LAP_SIZE | LAP_NORM,
	    1, LAP_MANY, 0,
	    { &lap_stats, &lap_mean }, "K-norm mechanism on means" },
	{ "cov", "Laplace mechanism on a covariance matrix",
	    LAP_VARIANCES | LAP_PAIRS, RANGED | LAP_SIZE | LAP_NORM,
	    1, LAP_MANY, 0, { &lap_cov, &lap_cov },
	    "K-norm mechanism on a covariance matrix" },
	{ "ratio", "", LAP_RATIOS, RANGED, 2, 2, 0,
	    { &lap_ratio, &lap_ratio },
	    "K-norm mechanism on two sums" },
	{ "hist", "Laplace mechanism on a histogram", LAP_OTHER,
	    NUMBERS | LAP_BINS | LAP_MOVES, 1, 1, 0,
	    { &lap_hist, &lap_hist } },
	{ "value", "Laplace mechanism on given values", LAP_OTHER,
	    LAP_RANGE | LAP_SENS | LAP_INTERVAL, 1, 1, 0,
	    { &lap_value, &lap_value } },
	{ "mst", "Laplace mechanism on a minimum spanning tree", LAP_OTHER,
	    EDGES, 3, 3, 2, { NULL, &lap_graph } },
	{ "mincut", "Laplace mechanism on a minimum cut", LAP_OTHER,
	    EDGES, 3, 3, 2, { NULL, &lap_graph } },
	{ "flip", "randomized response", LAP_OTHER, DATA | LAP_ESTIMATE,
	    1, 1, 1, { NULL, &lap_flip } },
};

#define OPS (sizeof(ops) / sizeof(ops[0]))

static const struct lap_op *
find(const struct opts *o)
{
	static const char quantile[] = "em-quantile gives medians and other "
	    "quantiles";
	static const char extreme[] = "the smallest and the largest value "
	    "are one person's; em-quantile -q 0.01 or 0.99 is near them";
	static const char spread[] = "laplace stats gives variance and "
	    "standard deviation";
	static const char mean[] = "laplace mean gives averages";
	static const char *const others[][2] = {
		{ "median", quantile }, { "quantile", quantile },
		{ "quantiles", quantile }, { "percentile", quantile },
		{ "min", extreme }, { "max", extreme }, { "var", spread },
		{ "variance", spread }, { "sd", spread }, { "std", spread },
		{ "stddev", spread }, { "avg", mean }, { "average", mean },
		{ "corr", "laplace cov --fit gives correlations" },
		{ "share", "laplace mean --range 0:1 of 0 and 1 is a share" },
		{ "mode", "expmech --keys FILE gives the most frequent key" },
		{ "top", "sort -t , -k 2nr puts a laplace hist in order" },
		{ "check", "--check goes with count, mean, hist and so on" },
		{ "distinct", "laplace count --unit COL counts values" },
		{ "histogram", "laplace hist gives histograms" },
		{ "total", "laplace sum gives totals" }, { NULL, NULL },
	};
	const char *words[OPS + 1] = { NULL };

	for (size_t i = 0; i < OPS; i++)
		words[i] = ops[i].name;
	return &ops[opts_verb(o, "operation", words, others)];
}

void
lap_take(void *arg, int code)
{
	struct lap *l = arg;
	struct lap_args *a = &l->args;

	switch (code) {
	case 's': a->sens = opts_positive(OPTARG); break;
	case OPT_KEYS: a->keys_path = optarg; break;
	case OPT_BINS: lap_take_bins(l, optarg); break;
	case OPT_UNIVERSE: a->universe = optarg; break;
	case OPT_FALSE_KEYS: a->false_keys = opts_positive(OPTARG); break;
	case OPT_FIT: a->fit = true; break;
	case OPT_POPULATION: a->population = true; break;
	case OPT_VERSUS:
		a->versus = optarg;
		a->population = true;
		break;
	case OPT_NORM: a->norm = opts_positive(OPTARG); break;
	case OPT_SIZE:
		a->size = opts_count(OPTARG, 1, (uint64_t)INTAKE_WEIGHT);
		break;
	case OPT_ESTIMATE: a->estimate = true; break;
	default:
		opts_take(&l->opts, code);
	}
}

/* Options that only some operations take. */
static void
check_taken(const struct lap *l)
{
	const struct lap_op *op = l->plan.op;
	static const struct {
		int code;
		unsigned takes;
		const char *hint;
	} limits[] = {
		{ OPT_RANGE, LAP_RANGE, "" },
		{ 'g', LAP_GROUPS, "" },
		{ OPT_GROUPS, LAP_GROUPS, "" },
		{ 'w', LAP_WEIGHT, "" },
		{ 's', LAP_SENS | LAP_ESTIMATE, "" },
		{ OPT_KEYS, LAP_BINS | LAP_ESTIMATE,
		    ": give -g COL --groups FILE" },
		{ OPT_BINS, LAP_BINS, ": with a schema -g COL@WIDTH cuts a "
		    "column into bands" },
		{ OPT_UNIVERSE, LAP_BINS, ": find the keys with laplace hist "
		    "--universe and a part of epsilon, then give them as "
		    "--groups with the rest" },
		{ OPT_FALSE_KEYS, LAP_BINS, "" },
		{ OPT_SIZE, LAP_SIZE, "" },
		{ OPT_NORM, LAP_NORM, "" },
		{ OPT_ESTIMATE, LAP_ESTIMATE, "" },
		{ OPT_PEOPLE, LAP_PEOPLE, "" },
		{ OPT_EPS_COLUMN, LAP_PEOPLE, "" },
		{ OPT_SAMPLING, LAP_PEOPLE, "" },
		{ OPT_INTERVAL, LAP_INTERVAL, ": its noise is not additive" },
	};

	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		const struct opt *row = opts_given(&l->opts, limits[i].code);

		if (row != NULL && (op->takes & limits[i].takes) == 0)
			err_die(STATUS_USAGE, "%s takes no --%s%s", op->name,
			    row->name, limits[i].hint);
	}
}

/* Options that further options, or the operation, exclude. */
static void
lap_check_rules(const struct lap *l)
{
	const struct opts *o = &l->opts;
	const struct lap_args *a = &l->args;
	bool swap = o->neighbors == NEIGHBORS_SWAP;
	bool none = l->plan.op->way[o->neighbors] == NULL;
	bool listed = a->keys_path != NULL, found = a->universe != NULL;
	bool names = listed || found || a->dates;
	bool many = a->false_keys.den != 0;
	bool kept = o->unit.groups > 0;
	enum per per = o->unit.per;
	const struct rational most = { UNSEEN_MOST, 1 };

	OPTS_REFUSE(
		{ none && swap, "stats hides the number of records: it has "
		    "--neighbors add-remove only (mean and cov take swap)" },
		{ none && !swap, "mst, mincut and flip have --neighbors swap "
		    "only: who is in the data is public" },
		{ o->others && o->groups == NULL &&
		    (l->plan.op->takes & LAP_BINS) == 0 && !listed,
		    "--others without --group and --groups is for hist, and "
		    "for flip with --keys" },
		{ (l->plan.op->takes & LAP_SENS) && o->on_bad == ON_BAD_DROP,
		    "value prints a line for every record: no --on-bad drop" },
		{ a->size > 0 && !swap && o->within.den == 0, "--size promises "
		    "a public number of records: it needs --neighbors swap, "
		    "or --within, for which it is a guess" },
		{ a->size > 0 && swap && o->groups != NULL,
		    "--size and --groups exclude each other" },
		{ listed + found + (a->bins != NULL) > 1, "--keys, --bins and "
		    "--universe exclude each other: one histogram at a time" },
		{ names && per != PER_NONE && per != PER_ANY &&
		    per != PER_SHARE, "a key has no sum, mean, least or most: "
		    "--per any or share, --max-groups K, or --max-rows K" },
		{ kept && (l->plan.op->takes & LAP_BINS) && (per == PER_ANY ?
		    o->bad.den > 0 : o->group == NULL), "--max-groups K of "
		    "hist counts a person in up to K keys or bins: no --on-bad "
		    "but drop, and no --per but any, or -g, whose groups are "
		    "meant then" },
		{ a->population && (o->sampling.column != NULL ||
		    o->unit.most > 1 || (kept && a->versus != NULL)),
		    "--population and --versus are for records of equal "
		    "weight, one of a person, in one group each; without them "
		    "an interval is of the noise alone" },
		{ many && !found && !listed,
		    "--false-keys needs --universe or --keys" },
		{ many && (o->group != NULL || o->groups != NULL),
		    "--universe and --false-keys take no --group: the keys "
		    "are those of -c" },
		{ many && o->format == FORMAT_PLAIN, "--universe and "
		    "--false-keys print keys beside their answers: no "
		    "-f plain" },
		{ many && o->interval.den > 0, "--universe and --false-keys "
		    "take no --interval: answers that reached a threshold are "
		    "not like the others" },
		{ many && rational_cmp(a->false_keys, most) > 0,
		    "--false-keys is at most 100" });
}

/* Each says where this command could have its range from. */
static noreturn void
no_range(const struct lap *l)
{
	const struct opts *o = &l->opts;
	const char *name = l->plan.op->name;

	if (opts_totals(o))
		err_die(STATUS_USAGE, "%s needs a --range A:B of a person's "
		    "total, public, such as 0:500; totals outside count as its "
		    "ends", name);
	if (o->schema != NULL && o->schema->n > 0)
		err_die(STATUS_USAGE, "%s needs a minimum and maximum of each "
		    "column in the schema (constraints), or a --range A:B",
		    name);
	err_die(STATUS_USAGE, "%s needs a --range A:B, public, such as 0:120; "
	    "values outside count as its ends", name);
}

/* Options that an operation needs. */
static void
check_needs(const struct lap *l)
{
	const struct opts *o = &l->opts;
	const struct lap_args *a = &l->args;
	const unsigned prints = l->plan.op->prints, takes = l->plan.op->takes;
	const struct range *below = opts_range(o, 1);
	bool bound = a->norm.den != 0;

	if ((takes & LAP_NEED_RANGE) && o->ranges.n == 0)
		no_range(l);
	OPTS_REFUSE(
		{ (takes & LAP_BINS) && a->keys_path == NULL &&
		    a->bins == NULL && a->universe == NULL, "hist needs "
		    "--keys FILE, --bins A:B:W or E0,E1,... or --universe "
		    "PATTERN" },
		{ (prints & (LAP_PAIRS | LAP_RATIOS)) && o->within.den > 0,
		    "a covariance or a ratio is no sum: --within is for "
		    "additive noise" },
		{ (prints & LAP_RATIOS) && rational_sign(below->lo) < 0,
		    "ratio divides by the sum of the second column: its "
		    "--range has no number below 0" },
		{ (takes & LAP_SENS) && a->sens.den == 0, "value needs -s S, "
		    "the most that one record may move the numbers together" },
		{ a->population && (o->interval.den == 0 ||
		    !(prints & LAP_MEANS)), "--population and --versus need "
		    "--interval P, and mean or stats" },
		{ a->versus != NULL && (o->group == NULL ||
		    prints != LAP_MEANS || o->neighbors == NEIGHBORS_SWAP),
		    "--versus compares the groups of mean -g under "
		    "add-remove" },
		{ prints == LAP_MEANS && o->neighbors == NEIGHBORS_SWAP &&
		    o->within.den > 0 && a->size == 0, "--within needs "
		    "--size under swap" },
		{ bound && o->interval.den > 0, "--norm takes no --interval" },
		{ bound && o->within.den > 0 && lap_quotient(&l->plan),
		    "--norm takes --within with sum, and under swap with "
		    "mean" },
		{ bound && (o->columns == NULL || rational_cmp(a->norm,
		    (struct rational){ 1, 1 }) < 0), "--norm needs the "
		    "columns, by -c, and a norm of 1 or more: a record with "
		    "one column at the end of its range has the norm 1" });
}

/* What count is often taken for.  A group's column seldom has numbers. */
static void
lap_warn_count(const struct lap *l)
{
	const struct opts *o = &l->opts;

	if (l->plan.op->prints != LAP_COUNTS)
		return;
	if (o->columns != NULL && (o->check || (o->group != NULL &&
	    strcmp(o->columns, o->group) == 0)))
		err_warn("count counts the records that have a number in each "
		    "column of -c, and all without it; hist counts names");
	if (o->ranges.n > 0 && o->within.den == 0)
		err_warn("count leaves out no value that is beyond --range; "
		    "hist --bins A:B:W counts the values from A to B");
}

void
lap_only_check(struct lap *l)
{
	const struct lap_op *op = l->plan.op;

	intake_open(&l->in, table_input(&l->opts), &l->opts, op->least,
	    op->most, 0);
	l->use->texts = op->takes & LAP_ESTIMATE ? 0 : op->texts;
	l->use->size = l->args.size;
	l->use->promised = l->opts.neighbors == NEIGHBORS_SWAP;
	l->plan.way = lap_plain(&l->plan);
	l->own = err_alloc(NULL, 1, l->plan.way->own + 1);
	if (l->args.keys_path != NULL) {
		keys_of(&l->list, &l->opts, "--keys", l->args.keys_path,
		    l->opts.columns, NULL, 1);
		l->use->texts = 1;
		l->use->listed = "--keys";
		l->use->list = l->opts.groups == NULL ? &l->list : NULL;
	}
	if (l->plan.way->check != NULL)
		l->plan.way->check(l);
}

/* Columns that -c lists, for plans made before the header is read. */
static size_t
listed(const struct lap *l)
{
	size_t n = names_count(l->opts.columns);

	if (l->opts.ranges.n > 1)
		return l->opts.ranges.n;
	if (n == 0)
		return l->plan.op->least > 0 ? l->plan.op->least : 1;
	return n <= LAP_MANY ? n : LAP_MANY;
}

/* What the operation, and the schema, say where an option is not given. */
static void
lap_complete(struct lap *l)
{
	static struct range weights = { { 0, 1 }, { 1, 1 } };
	const unsigned takes = l->plan.op->takes, prints = l->plan.op->prints;
	struct lap_args *a = &l->args;
	struct opts *o = &l->opts;
	struct operation op = {
		.listed = (takes & LAP_SENS) != 0,
		.hides_group = (takes & LAP_MOVES) != 0,
		.alone = (takes & (LAP_ESTIMATE | LAP_EDGES)) != 0,
		.cells = (takes & LAP_BINS) != 0 || a->keys_path != NULL,
		.own_weight = true,
		.secret = (takes & LAP_SENS) != 0,
		.numbers = (takes & LAP_NEED_RANGE) != 0,
		.days = a->dates,
		.figures = a->bins != NULL && !a->dates,
		.limits = (takes & LAP_NEED_RANGE) != 0,
		.sums = (prints & (LAP_SUMS | LAP_RATIOS)) != 0,
		.groups = (takes & LAP_GROUPS) != 0,
		.people = (takes & LAP_PEOPLE) != 0,
		.counted = prints == LAP_COUNTS,
		.keyed = (takes & LAP_BINS) != 0,
		.dates = prints == LAP_MEANS && a->versus == NULL,
		.neighbors = l->plan.op->way[0] == NULL ?
		    NEIGHBORS_SWAP : NEIGHBORS_ADD_REMOVE
	};

	/* weights of edges are in 0..1 whatever the data say */
	if ((takes & LAP_EDGES) && !o->check)
		op.ranges = (struct ranges){ &weights, 1 };
	/* operands are in no column, whatever the ledger's table has */
	if ((takes & LAP_SENS) && o->noperands > 1)
		opts_begin(o, &op);
	else
		complete_options(o, &op);
	if ((takes & LAP_BINS) && a->bins == NULL && a->universe == NULL &&
	    a->keys_path == NULL && o->schema != NULL && o->schema->n > 0 &&
	    o->columns != NULL)
		a->keys_path = KEYS_SCHEMA;
	/* a person counts once, or once in each group, whatever rows stay */
	if (prints == LAP_COUNTS && o->unit.column != NULL &&
	    o->unit.most == 0 && o->unit.per == PER_NONE &&
	    (o->group == NULL || o->unit.groups > 0))
		o->unit.per = PER_COUNT;
	if ((takes & LAP_BINS) && o->unit.groups > 0 &&
	    o->unit.per == PER_NONE)
		o->unit.per = PER_ANY;
}

/* Is somebody to hear of an error that an interval tells, with the answer? */
static bool
is_told(const struct lap *l)
{
	const struct opts *o = &l->opts;
	bool known = lap_quotient(&l->plan) ||
	    (l->plan.op->prints & (LAP_PAIRS | LAP_RATIOS)) != 0;

	return known && isatty(STDERR_FILENO) && l->args.norm.den == 0 &&
	    !o->non_private && !o->explain && o->interval.den == 0;
}

void
lap_check(void *arg)
{
	struct lap *l = arg;
	struct opts *o = &l->opts;
	const struct lap_op *op = find(o);

	l->plan = (struct lap_plan){ .opts = o, .args = &l->args, .op = op,
	    .report = &l->report, .m = 1 };
	if ((op->takes & LAP_SENS) == 0)
		opts_file(o, 1);
	else if (o->noperands > 1)
		lap_operands(l);
	lap_complete(l);
	check_taken(l);
	if (l->args.universe != NULL && l->args.false_keys.den == 0)
		l->args.false_keys = (struct rational){ 1, 20 };
	lap_check_rules(l);
	opts_check(o);
	lap_warn_count(l);
	if (o->check)
		return;
	check_needs(l);
	l->plan.d = listed(l);
	if (o->ranges.n > 1)
		opts_listed_columns(o, o->ranges.n, o->ranges.n);
	if ((op->takes & LAP_BINS) && o->columns != NULL && l->plan.d > 1)
		err_die(STATUS_USAGE, "hist counts by one column: laplace "
		    "count -g %s counts by several; their keys come from "
		    "--schema, or from --groups FILE, a CSV with the header %s "
		    "and a line for each group", o->columns, o->columns);
	l->report.opts = o;
	/* value: S is the user's, for the user's neighbors */
	l->report.stated = (op->takes & LAP_SENS) != 0 &&
	    opts_given(o, OPT_NEIGHBORS) == NULL;
	l->report.mechanism = op->mechanism;
	l->report.noise = "discrete Laplace, exact, on the grid";
	if (l->args.fit && (!(op->prints & LAP_PAIRS) || l->plan.d == 1 ||
	    l->args.norm.den != 0 || o->interval.den > 0))
		err_die(STATUS_USAGE, "--fit is for cov of two columns or "
		    "more, without --norm and --interval: a correlation has no "
		    "interval; with --interval and no --fit cov gives one for "
		    "each covariance");
	lap_choose(&l->plan);
	o->told = is_told(l);
	if (o->told)
		o->interval = (struct rational){ 19, 20 };
}
