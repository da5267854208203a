/* dp-budget: makes and shows the ledger that tools charge. */
#include <stdlib.h>
#include <string.h>

#include "change.h"
#include "ledger/ledger_chain.h"
#include "ledger/ledger_sql.h"
#include "run/complete.h"
#include "show.h"
#include "state.h"
#include "tool/err.h"
#include "tool/metric_spec.h"

enum {
	OPT_METRIC = OPT_OWN, OPT_DOMAIN, OPT_BY, OPT_MAX_SLICES, OPT_SAMPLED,
	OPT_LEFT, OPT_DELTA, OPT_WITNESS
};

static const struct tool tool = {
	.name = "dp-budget",
	.synopsis = "create FILE -e TOTAL [option ...]\n"
"       dp-budget add FILE -e MORE [--dataset NAME] [--label TEXT]\n"
"       dp-budget allot FILE ACCOUNT -e E [--dataset NAME] [--label TEXT]\n"
"       dp-budget settle FILE ENTRY [--dataset NAME]\n"
"       dp-budget show FILE [--dataset NAME] [-f FORMAT] [option ...]\n"
"       dp-budget log FILE [--dataset NAME] [-f FORMAT]\n"
"       dp-budget schema FILE [NEW] [--dataset NAME]\n"
"  a budget of epsilon that the tools charge (--ledger FILE)\n"
"example: dp-budget create people.db -e 1",
	.rows = {
		{ 'e', "epsilon", "E",
		    "the total, how much more, or the allotment" },
		{ OPT_NEIGHBORS, "neighbors", "R",
		    "create: add-remove (default) or swap" },
		{ OPT_PEOPLE, "unit", "COL",
		    "create: protects people, all rows of one COL" },
		{ 'w', "weight", "COL",
		    "create: a row stands for COL equal records" },
		{ OPT_PUBLIC, "public", "COL[,COL...]",
		    "create: under swap, columns that are public" },
		{ OPT_METRIC, "metric", "SPEC",
		    "create: for releases of this metric" },
		{ OPT_DOMAIN, "domain", "FILE|LIST",
		    "create: the universe of the metric" },
		{ OPT_BY, "by", "COL",
		    "create: the largest slice of COL counts" },
		{ OPT_MAX_SLICES, "max-slices", "M",
		    "create: a person is in M slices at most" },
		{ OPT_SAMPLED, "sampled", "Q",
		    "create: a secret sample, each person by chance" },
		{ OPT_LEFT, "left", "X",
		    "show: status 3 where less than X is left" },
		{ OPT_DELTA, "delta", "D",
		    "show: what charges cost, but for a chance D" },
		{ OPT_WITNESS, "witness", "FILE",
		    "show: status 3 where FILE knows a later change" },
		{ 'd', "delimiter", "C",
		    "create: field delimiter of the data" },
		{ 'H', "no-header", NULL,
		    "create: the first line of the data is a record" },
	},
	.only = { 'f', 'h', 'V', OPT_DATASET, OPT_LABEL, OPT_SCHEMA,
	    OPT_QUOTE, OPT_GROUPED },
};

struct budget {
	struct opts opts;
	struct terms terms;
	struct bound_terms bound;
	struct rational left, delta;	/* 0: not given */
	const char *witness;
};

struct verb {
	const char *name;
	size_t operands;	/* without FILE */
	bool spends;		/* takes -e and a label */
	/* NULL: only shows the budget */
	void (*change)(struct terms *t);
	bool (*show)(struct ledger *l, struct text *out,
	    const struct view *v);
	int own[16];		/* options of no other verb */
};

static void
take(struct budget *b, int code)
{
	switch (code) {
	case OPT_METRIC: b->bound.metric = optarg; break;
	case OPT_DOMAIN: b->bound.domain = optarg; break;
	case OPT_BY: b->bound.slices = optarg; break;
	case OPT_SAMPLED: b->terms.sampled = opts_epsilon(OPTARG); break;
	case OPT_WITNESS: b->witness = optarg; break;
	case OPT_LEFT: b->left = opts_epsilon(OPTARG); break;
	case OPT_DELTA: b->delta = opts_part(OPTARG, false); break;
	case OPT_MAX_SLICES:
		b->terms.most = (int64_t)opts_count(OPTARG, 1, 1000000);
		break;
	default:
		opts_take(&b->opts, code);
	}
}

/* --- create ------------------------------------------------------------ */

/* Columns are bound by name: a number, quoted or not, is another elsewhere. */
static void
check_name(const char *option, const char *list)
{
	for (const char *p = list, *end; p != NULL; p = *end == ',' ? end + 1 :
	    NULL) {
		end = names_end(p);
		if (p + strspn(p, "0123456789\" \t") >= end)
			err_die(STATUS_USAGE, "%s binds columns by name: '%s' "
			    "is a number", option, list);
	}
}

static void
check_names(const struct budget *b, const char *metric_columns)
{
	const struct opts *o = &b->opts;
	const char *const lists[][2] = { { "--unit", o->unit.column },
	    { "--weight", o->weight }, { "--public", o->public },
	    { "--by", b->bound.slices }, { "--metric", metric_columns } };

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		check_name(lists[i][0], lists[i][1]);
		if (lists[i][1] != NULL && o->header == HEADER_NONE)
			err_die(STATUS_USAGE, "%s binds a column by name, "
			    "which needs a header: no --no-header",
			    lists[i][0]);
	}
}

static void
check_metric(const struct budget *b)
{
	struct metric_spec s = { .columns = NULL };

	if (b->bound.metric != NULL && !metric_parse(b->bound.metric, &s))
		err_die(STATUS_USAGE, "--metric '%s' %s", b->bound.metric,
		    s.wrong);
	check_names(b, s.columns);
	metric_spec_free(&s);
}

static void
budget_check_rules(const struct budget *b)
{
	const struct opts *o = &b->opts;
	const struct bound_terms *t = &b->bound;
	const bool swap = o->neighbors == NEIGHBORS_SWAP;
	const bool far = t->metric != NULL, people = o->unit.column != NULL;

	OPTS_REFUSE(
		{ far && opts_given(o, OPT_NEIGHBORS), "--neighbors and "
		    "--metric exclude each other: a metric says how far two "
		    "records are" },
		{ far && people && strcmp(t->metric, "discrete") != 0,
		    "--unit and --metric exclude each other" },
		{ !far && t->domain != NULL, "--domain needs --metric: it "
		    "says where the elements are" },
		{ o->public != NULL && !swap && !far, "--public names columns "
		    "that neighbors share: it needs --neighbors swap or "
		    "--metric" },
		{ (swap || far) && !names_within(o->public, t->slices),
		    "--by needs --neighbors add-remove: a record that is "
		    "replaced may leave one slice "
		    "for another, and the number of records in each would be "
		    "public (as --public COL says)" },
		{ o->grouped && (far || o->weight != NULL), "--grouped is for "
		    "the counts of --sql: no --metric and no --weight" },
		{ t->slices != NULL && people && b->terms.most == 0,
		    "a person may be in many slices: --by with --unit needs "
		    "--max-slices M" },
		{ b->terms.most > 0 && (t->slices == NULL || !people),
		    "--max-slices belongs to --by and --unit" },
		{ b->terms.sampled.num > 0 && (swap || far), "--sampled needs "
		    "--neighbors add-remove: who is in the data is the "
		    "secret" },
		{ b->terms.sampled.num > 0 &&
		    b->terms.sampled.num >= b->terms.sampled.den,
		    "--sampled is a chance below 1" });
}

static void
budget_prepare(struct budget *b)
{
	complete_options(&b->opts, &(struct operation){ .people = true,
	    .passed = true, .neighbors = b->bound.metric != NULL ?
	    NEIGHBORS_SWAP : NEIGHBORS_ADD_REMOVE });
	if (b->opts.schema_path != NULL)
		b->terms.read = b->opts.schema;
	budget_check_rules(b);
	check_metric(b);
	bounds_take(&b->terms.bounds, &b->opts, &b->bound);
}

/* The data set's schema, as it was given; status 1 where there is none. */
static bool
show_schema(struct ledger *l, struct text *out, const struct view *v)
{
	const char *dataset = v->dataset != NULL ? v->dataset : LEDGER_DATASET;

	if (!ledger_schema(l->path, dataset, out))
		err_die(STATUS_INPUT, "ledger %s: no schema of this data set "
		    "(dp-budget create --schema FILE)", l->path);
	return false;
}

/* --- all verbs --------------------------------------------------------- */

static const struct verb verbs[] = {
	{ "create", 1, true, change_create, show_budgets,
	    { OPT_NEIGHBORS, OPT_PEOPLE, 'w', OPT_PUBLIC, OPT_METRIC,
	    OPT_DOMAIN, OPT_BY, OPT_MAX_SLICES, OPT_SAMPLED, 'd', 'H',
	    OPT_SCHEMA, OPT_QUOTE, OPT_GROUPED } },
	{ "add", 1, true, change_add, show_budgets },
	{ "allot", 2, true, change_allot, show_budgets },
	{ "settle", 2, false, change_settle, show_budgets },
	{ "show", 1, false, NULL, show_budgets, { OPT_LEFT, OPT_DELTA,
	    OPT_WITNESS } },
	{ "log", 1, false, NULL, show_log },
	{ "schema", 1, false, NULL, show_schema },
};

/* schema FILE NEW */
static const struct verb replace = { "schema", 2, false, change_schema,
    show_budgets };

#define VERBS (sizeof(verbs) / sizeof(verbs[0]))

static const struct verb *
find_verb(struct budget *b)
{
	const struct opts *o = &b->opts;
	static const char kept[] = "a charge is never given back; add raises "
	    "the total, allot shares it";
	static const char *const others[][2] = { { "refund", kept },
	    { "reset", kept }, { "delete", kept }, { "remove", kept },
	    { "list", "show prints budgets, log prints charges" },
	    { NULL, NULL } };
	const char *words[VERBS + 1] = { NULL };
	const struct verb *verb;
	size_t files;

	for (size_t i = 0; i < VERBS; i++)
		words[i] = verbs[i].name;
	verb = &verbs[opts_verb(o, "verb", words, others)];
	if (verb->show == show_schema && o->noperands == 3)
		verb = &replace;
	files = o->noperands - verb->operands;
	b->terms.path = files == 1 ? o->operands[1] : NULL;
	if (files == 0)
		b->terms.path = opts_ledger();
	OPTS_REFUSE({ b->terms.path == NULL, "operands are create, add, show "
	    "or log, and FILE, or allot FILE ACCOUNT, or settle FILE ENTRY "
	    "(see dp-budget --help)" });
	return verb;
}

static void
check_verb(const struct budget *b, const struct verb *verb)
{
	const struct opts *o = &b->opts;

	for (const struct verb *v = verbs; v < verbs + VERBS; v++)
		for (const int *code = v->own; v != verb && *code != 0; code++)
			if (opts_given(o, *code) != NULL)
				err_die(STATUS_USAGE, "--%s belongs to %s",
				    opts_given(o, *code)->name, v->name);
	OPTS_REFUSE(
		{ verb->spends && o->eps.den == 0,
		    "create, add and allot need an epsilon (-e E)" },
		{ !verb->spends && (o->eps.den > 0 || o->charge.label != NULL),
		    "settle, show and log change no budget: no --epsilon and "
		    "no --label" },
		{ b->delta.num > 0 && (o->format == FORMAT_CSV ||
		    o->format == FORMAT_TSV),
		    "--delta is a line of text, or of json" });
}

/*
 * After a change only the changed data set is shown, in a format asked for.
 * Returns the exit status.
 */
static int
show(const struct budget *b, const struct verb *verb)
{
	const struct opts *o = &b->opts;
	const char *dataset = verb->change != NULL ||
	    opts_given(o, OPT_DATASET) ? b->terms.dataset : NULL;
	const struct view view = { o->format, dataset, b->delta, b->left };
	struct text out = TEXT_INIT;
	struct ledger *l;
	bool lacks;

	if (verb->change != NULL && o->format == FORMAT_DEFAULT) {
		if (b->terms.said.len > 0)
			text_output(b->terms.said.buf, b->terms.said.len);
		return STATUS_OK;
	}
	l = state_open(b->terms.path);
	if (b->witness != NULL)
		witness_check(l, b->witness);
	lacks = verb->show(l, &out, &view);
	if (b->witness != NULL && !witness_add(l, b->witness))
		err_sys("witness %s", b->witness);
	ledger_close(l);
	text_output(out.buf, out.len);
	text_free(&out);
	return lacks ? STATUS_REFUSED : STATUS_OK;
}

int
main(int argc, char **argv)
{
	static struct budget b = { .opts = OPTS_INIT(&tool) };
	struct opts *o = &b.opts;
	const struct verb *verb;
	int c;

	while ((c = opts_next(o, argc, argv)) != -1)
		take(&b, c);
	verb = find_verb(&b);
	check_verb(&b, verb);
	b.terms.dataset = o->charge.dataset;
	b.terms.account = "";
	if (verb->change == change_allot)
		b.terms.account = opts_name("an account",
		    o->operands[o->noperands - 1]);
	if (verb->change == change_settle)
		b.terms.entry = o->operands[o->noperands - 1];
	b.terms.label = o->charge.label;
	b.terms.command = opts_command(o);
	b.terms.total = o->eps;
	if (verb->change == change_create)
		budget_prepare(&b);
	if (verb == &replace)
		b.terms.read = schema_read(o->operands[2]);
	if (verb->change != NULL)
		verb->change(&b.terms);
	free(b.terms.command);
	bounds_free(&b.terms.bounds);
	return show(&b, verb);
}
