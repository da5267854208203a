/* lap: options of laplace, checked against the operation. */
#include "lap_ops.h"

#include <stdlib.h>
#include <string.h>

#include "release/within.h"
#include "tool/err.h"

#define DATA (LAP_GROUPS | LAP_WEIGHT)

static const struct lap_op ops[] = {
	{ "count", "Laplace mechanism on a count",
	    DATA | LAP_RANGE | LAP_RELATION, NEIGHBORS_ADD_REMOVE,
	    0, LAP_MANY, 0, lap_count },
	{ "sum", "Laplace mechanism on a sum",
	    DATA | LAP_RANGE | LAP_NEED_RANGE | LAP_RELATION,
	    NEIGHBORS_ADD_REMOVE, 1, LAP_MANY, 0, lap_sum },
	{ "mean", "Laplace mechanism on a mean",
	    DATA | LAP_RANGE | LAP_NEED_RANGE | LAP_RELATION | LAP_SIZE,
	    NEIGHBORS_ADD_REMOVE, 1, LAP_MANY, 0, lap_mean },
	{ "cov", "Laplace mechanism on a covariance matrix",
	    DATA | LAP_RANGE | LAP_NEED_RANGE | LAP_RELATION | LAP_SIZE,
	    NEIGHBORS_SWAP, 1, LAP_MANY, 0, lap_cov },
	{ "hist", "Laplace mechanism on a histogram",
	    DATA | LAP_RANGE | LAP_RELATION | LAP_BINS,
	    NEIGHBORS_ADD_REMOVE, 1, 1, 0, lap_hist },
	{ "value", "Laplace mechanism on given values",
	    LAP_RANGE | LAP_RELATION | LAP_SENS, NEIGHBORS_ADD_REMOVE,
	    1, 1, 0, lap_number_value },
	{ "mst", "Laplace mechanism on a minimum spanning tree",
	    DATA, NEIGHBORS_SWAP, 3, 3, 2, lap_tree },
	{ "mincut", "Laplace mechanism on a minimum cut",
	    DATA, NEIGHBORS_SWAP, 3, 3, 2, lap_cut },
	{ "flip", "randomised response",
	    DATA | LAP_ESTIMATE, NEIGHBORS_SWAP, 1, 1, 1, lap_flip },
};

#define OPS (sizeof(ops) / sizeof(ops[0]))

const struct lap_op *
lap_find(const char *name)
{
	const char *words[OPS + 1] = { NULL };

	for (size_t i = 0; i < OPS; i++) {
		if (strcmp(ops[i].name, name) == 0)
			return &ops[i];
		words[i] = ops[i].name;
	}
	opts_unknown("operation", name, words);
}

/* A:B:W */
static void
take_bins(struct lap *l, const char *arg)
{
	char *copy = strdup(arg), *rest = copy, *part[3];

	if (copy == NULL)
		die(STATUS_INPUT, "out of memory");
	for (size_t i = 0; i < 3; i++)
		if ((part[i] = strsep(&rest, ":")) == NULL)
			die(STATUS_USAGE, "--bins '%s' is not A:B:W", arg);
	if (rest != NULL)
		die(STATUS_USAGE, "--bins '%s' is not A:B:W", arg);
	l->bin_lo = opts_rational("--bins", part[0]);
	l->bin_hi = opts_rational("--bins", part[1]);
	l->bin_width = opts_positive("--bins", part[2]);
	if (rational_cmp(l->bin_lo, l->bin_hi) >= 0)
		die(STATUS_USAGE, "--bins '%s': A must be below B", arg);
	l->bins_arg = arg;
	free(copy);
}

void
lap_take(struct lap *l, int code)
{
	switch (code) {
	case 's':
		l->sens_arg = opts_positive("--sensitivity", optarg);
		l->has_sens = true;
		break;
	case OPT_SENS_COLUMN:
		l->sens_column = optarg;
		break;
	case OPT_KEYS:
		l->keys_path = optarg;
		break;
	case OPT_BINS:
		take_bins(l, optarg);
		break;
	case OPT_SIZE:
		l->size = opts_count("--size", optarg, 1,
		    (uint64_t)INTAKE_WEIGHT);
		break;
	case OPT_ESTIMATE:
		l->estimate = true;
		break;
	case OPT_LAP_METRIC:
		l->metric = optarg;
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
	refuse(l, LAP_SENS, l->has_sens, "--sensitivity");
	refuse(l, LAP_SENS, l->sens_column != NULL, "--sensitivity-column");
	refuse(l, LAP_BINS, l->keys_path != NULL, "--keys");
	refuse(l, LAP_BINS, l->bins_arg != NULL, "--bins");
	refuse(l, LAP_SIZE, l->size > 0, "--size");
	refuse(l, LAP_ESTIMATE, l->estimate, "--estimate");
	if (o->given_neighbors && (l->op->takes & LAP_RELATION) == 0 &&
	    o->neighbors != l->op->neighbors)
		die(STATUS_USAGE, "%s has --neighbors swap only: who is in "
		    "the data is public", l->op->name);
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

	if (l->size == 0)
		return;
	if (o->neighbors != NEIGHBORS_SWAP)
		die(STATUS_USAGE, "--size promises a public number of "
		    "records: it needs --neighbors swap");
	if (o->groups != NULL)
		die(STATUS_USAGE, "--size and --groups exclude each other");
}

/* --check: reads numbers and names as the operation would; exits. */
static noreturn void
only_check(struct lap *l)
{
	intake_open(&l->in, &l->opts, l->op->least, l->op->most, 0);
	l->in.texts = l->keys_path != NULL ? 1 : l->op->takes & LAP_ESTIMATE ?
	    0 : l->op->texts;
	intake_read(&l->in, NULL, NULL);
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
	l->op = lap_find(o->operands[0]);
	if (o->noperands > 1 && (l->op->takes & LAP_SENS) == 0)
		die(STATUS_USAGE, "more than one operation (the data come on "
		    "standard input)");
	if (o->noperands > 1)
		lap_operands(l);
	refuse_all(l);
	if (!o->given_neighbors)
		o->neighbors = l->op->neighbors;
	lap_metric_check(l);
	check_bad(l);
	check_size(l);
	opts_check(o);
	if (o->check)
		only_check(l);
	if ((l->op->takes & LAP_NEED_RANGE) && o->nranges == 0)
		die(STATUS_USAGE, "%s needs a --range A:B", l->op->name);
	l->d = listed(l);
	l->m = 1;
	l->report.opts = o;
	l->report.metric = l->metric;
	l->report.mechanism = l->op->mechanism;
	l->report.noise = "discrete Laplace, exact, on the grid";
}
