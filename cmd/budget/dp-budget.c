/* dp-budget: makes and shows the ledger that the other tools charge. */
#include <stdlib.h>
#include <string.h>

#include "change.h"
#include "show.h"
#include "state.h"
#include "tool/err.h"
#include "tool/metric_spec.h"
#include "tool/opts.h"

enum { OPT_METRIC = OPT_OWN, OPT_BY, OPT_MAX_SLICES };

static const struct tool tool = {
	.name = "dp-budget",
	.synopsis = "create FILE -e TOTAL [option ...]\n"
"       dp-budget add FILE -e MORE [--dataset NAME] [--label TEXT]\n"
"       dp-budget allot FILE ACCOUNT -e E [--dataset NAME] [--label TEXT]\n"
"       dp-budget show FILE [--dataset NAME] [-f FORMAT]\n"
"       dp-budget log FILE [--dataset NAME] [-f FORMAT]\n"
"       dp-budget upgrade FILE",
	.rows = {
		{ 'e', "epsilon", "E",
		    "the total, how much more, or the allotment" },
		{ 'g', "group", "COL[,COL...]",
		    "create: under swap, columns that are public" },
		{ OPT_PEOPLE, "unit", "COL",
		    "create: protects people, all rows of one COL" },
		{ OPT_NEIGHBORS, "neighbors", "R",
		    "create: add-remove (default) or swap" },
		{ OPT_METRIC, "metric", "SPEC",
		    "create: for releases of this metric" },
		{ OPT_BY, "by", "COL",
		    "create: the largest slice of COL counts" },
		{ OPT_MAX_SLICES, "max-slices", "M",
		    "create: a person is in M slices at most" },
	},
	/* e, g, unit and neighbors are its own, with words of their own */
	.without = { 'e', 'g', OPT_PEOPLE, OPT_NEIGHBORS, 'c', 'd', 'H', 'w',
	    'n', 'v', OPT_GROUPS, OPT_RANGE, OPT_ON_BAD, OPT_DIGITS, OPT_WITHIN,
	    OPT_LEDGER, OPT_RELEASE_ID, OPT_ACCOUNT, OPT_SLICE, OPT_THREADS,
	    OPT_EXPLAIN, OPT_CHECK, OPT_NON_PRIVATE, OPT_SEED,
	    OPT_EXPECT_WEIGHT, OPT_PUBLIC },
};

struct budget {
	struct opts opts;
	struct terms terms;
	const char *metric;
	char *metric_name;
	bool changed;
};

struct verb {
	const char *name;
	size_t operands;	/* after the verb */
	bool changes;		/* what is to be spent, by -e */
	void (*run)(struct budget *b, struct text *out);
};

static void
take(struct budget *b, int code)
{
	switch (code) {
	case OPT_METRIC:
		b->metric = optarg;
		break;
	case OPT_BY:
		b->terms.column = optarg;
		break;
	case OPT_MAX_SLICES:
		b->terms.most = (int64_t)opts_count("--max-slices", optarg, 1,
		    1000000);
		break;
	default:
		opts_take(&b->opts, code);
	}
}

/* --- create ------------------------------------------------------------ */

static void
check_metric(const struct budget *b)
{
	struct metric_spec s;
	const char *what;

	if (b->opts.given_neighbors)
		die(STATUS_USAGE, "--neighbors and --metric exclude each "
		    "other: a metric says how far two records are");
	if (b->terms.guarantee.unit != NULL)
		die(STATUS_USAGE, "--unit and --metric exclude each other");
	if (!metric_parse(b->metric, &s, &what))
		die(STATUS_USAGE, "--metric '%s' %s", b->metric, what);
	metric_spec_free(&s);
}

static void
check_terms(const struct budget *b)
{
	const struct terms *t = &b->terms;
	bool swap = b->opts.neighbors == NEIGHBORS_SWAP;

	if (b->metric != NULL)
		check_metric(b);
	if (b->opts.group != NULL && !swap)
		die(STATUS_USAGE, "--group names columns that are public for "
		    "each record: it needs --neighbors swap");
	if (t->column != NULL && (swap || b->metric != NULL))
		die(STATUS_USAGE, "--by needs --neighbors add-remove: a "
		    "record that is replaced may leave one slice for another, "
		    "and the number of records in each would be public");
	if (t->column != NULL && t->guarantee.unit != NULL && t->most == 0)
		die(STATUS_USAGE, "a person may be in many slices: --by with "
		    "--unit needs --max-slices M");
	if (t->most > 0 && (t->column == NULL || t->guarantee.unit == NULL))
		die(STATUS_USAGE, "--max-slices belongs to --by and --unit");
}

static void
create(struct budget *b, struct text *out)
{
	struct guarantee *g = &b->terms.guarantee;

	(void)out;
	check_terms(b);
	if (b->opts.neighbors == NEIGHBORS_SWAP || b->metric != NULL)
		g->kind = GUARANTEE_SWAP;
	g->fixed = b->opts.group;
	if (b->metric != NULL)
		g->metric = b->metric_name = guarantee_metric(b->metric);
	if (g->metric != NULL)
		g->kind = GUARANTEE_METRIC;
	change_create(&b->terms);
}

/* --- other verbs ------------------------------------------------------- */

static void
add(struct budget *b, struct text *out)
{
	struct ledger *l = ledger_open(b->terms.path);

	(void)out;
	change_add(l, &b->terms);
	ledger_close(l);
}

static void
allot(struct budget *b, struct text *out)
{
	struct ledger *l = ledger_open(b->terms.path);

	(void)out;
	change_allot(l, &b->terms,
	    opts_name("an account", b->opts.operands[2]));
	ledger_close(l);
}

static void
show(struct budget *b, struct text *out)
{
	struct ledger *l = state_open(b->terms.path);

	/* after a change only the data set that was changed */
	show_budgets(l, out, opts_format(&b->opts, FORMAT_PLAIN),
	    b->changed ? b->terms.dataset : b->opts.dataset);
	ledger_close(l);
}

static void
list(struct budget *b, struct text *out)
{
	struct ledger *l = state_open(b->terms.path);

	show_log(l, out, opts_format(&b->opts, FORMAT_PLAIN), b->opts.dataset);
	ledger_close(l);
}

static void
upgrade(struct budget *b, struct text *out)
{
	(void)out;
	change_upgrade(b->terms.path);
}

static const struct verb verbs[] = {
	{ "create", 1, true, create },
	{ "add", 1, true, add },
	{ "allot", 2, true, allot },
	{ "show", 1, false, show },
	{ "log", 1, false, list },
	{ "upgrade", 1, false, upgrade },
};

static const struct verb *
find_verb(const struct opts *o)
{
	const size_t n = sizeof(verbs) / sizeof(verbs[0]);
	size_t i;

	for (i = 0; o->noperands > 0 && i < n; i++)
		if (strcmp(verbs[i].name, o->operands[0]) == 0)
			break;
	if (o->noperands > 0 && i == n)
		die(STATUS_USAGE, "'%s' is not create, add, allot, show, log "
		    "or upgrade", o->operands[0]);
	if (o->noperands == 0 || o->noperands != 1 + verbs[i].operands)
		die(STATUS_USAGE, "usage: dp-budget %s", o->tool->synopsis);
	return &verbs[i];
}

static void
check_verb(const struct budget *b, const struct verb *verb)
{
	const struct opts *o = &b->opts;
	bool terms = o->given_neighbors || o->group != NULL ||
	    o->unit != NULL || b->metric != NULL || b->terms.column != NULL ||
	    b->terms.most > 0;

	if (terms && verb->run != create)
		die(STATUS_USAGE, "--neighbors, --metric, --unit, --by, "
		    "--max-slices and --group belong to create");
	if (verb->changes && !o->has_eps)
		die(STATUS_USAGE, "%s needs an epsilon (-e E)", verb->name);
	if (!verb->changes && (o->has_eps || o->label != NULL))
		die(STATUS_USAGE, "%s changes no budget: it takes no --epsilon "
		    "and no --label", verb->name);
}

int
main(int argc, char **argv)
{
	struct budget b = { .opts = OPTS_INIT(&tool) };
	struct opts *o = &b.opts;
	struct text out = TEXT_INIT;
	const struct verb *verb;
	int c;

	while ((c = opts_next(o, argc, argv)) != -1)
		take(&b, c);
	verb = find_verb(o);
	check_verb(&b, verb);
	b.terms.path = o->operands[1];
	b.terms.guarantee.unit = o->unit;
	b.terms.dataset = o->dataset != NULL ? o->dataset : LEDGER_DATASET;
	b.terms.label = o->label;
	b.terms.total = o->eps;
	verb->run(&b, &out);
	b.changed = verb->changes;
	if (b.changed && o->format != FORMAT_DEFAULT)
		show(&b, &out);
	if (!b.changed || o->format != FORMAT_DEFAULT)
		text_output(out.buf, out.len);
	text_free(&out);
	free(b.metric_name);
	opts_free(o);
	return STATUS_OK;
}
