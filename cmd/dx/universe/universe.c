/* universe: options, columns and records of a public universe. */
#include "universe.h"

#include <stdlib.h>
#include <unistd.h>

#include "number/neighbors.h"
#include "run/complete.h"
#include "tool/err.h"
#include "universe_build.h"

/*
 * A person is one record of the universe.  Parts of a person would be
 * fractional counts, in a table that does not add up to n; several records
 * would make n depend on a person's rows, so tools with a universe have no
 * --max-rows.  They have no --range: cut counts would answer for one end of a
 * move alone, and then |q_j| and not |q_i - q_j| had to be covered.
 */
void
universe_begin(const struct universe *u, struct opts *o, struct rational eps)
{
	complete_options(o, &(struct operation){ .people = true, .keyed = true,
	    .cells = true, .eps = eps, .neighbors = u->hidden ?
	    NEIGHBORS_ADD_REMOVE : NEIGHBORS_SWAP });
	if (opts_given(o, OPT_PEOPLE) == NULL && o->unit.column != NULL &&
	    o->unit.per == PER_NONE)
		o->unit.per = PER_ANY;
	if (o->unit.column != NULL && o->unit.per != PER_ANY && !o->check)
		err_die(STATUS_USAGE, "a person is one record of the universe: "
		    "--unit COL with --per any (laplace hist takes --per "
		    "share)");
}

bool
universe_hidden(const struct universe *u)
{
	const struct opts *o = u->o;
	bool relation = opts_given(o, OPT_NEIGHBORS) != NULL;
	bool swap = relation && o->neighbors == NEIGHBORS_SWAP;
	bool given = u->presence.num > 0, discrete = universe_discrete(u);

	OPTS_REFUSE(
		{ given && swap, "--presence is for --neighbors add-remove: "
		    "under swap no record comes or goes" },
		{ given && discrete && u->presence.num != u->presence.den,
		    "--presence is 1 where the metric is discrete" },
		{ relation && !swap && !given && !discrete, "a metric says "
		    "how far two elements are, not how far a record is from "
		    "none: --presence R, or --neighbors swap" });
	return !swap && (given || discrete);
}

const char *
universe_budget(const struct universe *u)
{
	if (u->hidden && universe_discrete(u))
		return "E for a record that comes or goes";
	if (u->hidden)
		return "E d(i,j) for a record moved from element i to element "
		    "j, E R for one that comes or goes (--presence R)";
	return "E d(i,j) for a record moved from element i to element j";
}

bool
universe_take(struct universe *u, int code)
{
	switch (code) {
	case OPT_METRIC: u->metric = optarg; break;
	case OPT_WORKLOAD: u->workload = optarg; break;
	case OPT_DOMAIN: u->domain = optarg; break;
	case OPT_CLOSE: u->close = true; break;
	case OPT_PRESENCE: u->presence = opts_positive(OPTARG); break;
	case 'q': u->query = optarg; break;
	case 'Q': u->queries = optarg; break;
	default: return false;
	}
	return true;
}

static void
check_workload(struct universe *u)
{
	if (u->workload == NULL || strcmp(u->workload, "prefix") == 0 ||
	    strcmp(u->workload, "range") == 0)
		return;
	if (strncmp(u->workload, "marginal:", 9) != 0)
		err_die(STATUS_USAGE, "--workload '%s' is not prefix, range or "
		    "marginal:K", u->workload);
	u->order = (size_t)opts_count("--workload marginal:",
	    u->workload + 9, 1, METRIC_DIMS);
}

/*
 * The list that --domain would be, of the columns of -c and all values that the
 * schema gives them.  A budget binds it as it binds a list that was typed.
 */
static void
domain_of_schema(struct universe *u)
{
	const struct opts *o = u->o;
	struct text list = TEXT_INIT;
	struct schema_list values;
	struct column_view *v;
	size_t n;

	if (u->domain != NULL || o->weight != NULL || o->columns == NULL ||
	    o->schema == NULL || o->schema->n == 0)
		return;
	v = views_open(o, o->columns, &n);
	for (size_t c = 0; c < n; c++) {
		view_listed(&v[c], &values);
		text_add(&list, c > 0 ? ";" : "");
		text_quoted(&list, v[c].name, strlen(v[c].name));
		for (size_t i = 0; i < values.n; i++) {
			text_add(&list, i > 0 ? "," : "=");
			text_quoted(&list, values.at[i].text, values.at[i].len);
		}
	}
	free(v);
	u->domain = schema_keep(text_string(&list));
}

void
universe_check(struct universe *u)
{
	const struct opts *o = u->o;

	domain_of_schema(u);
	OPTS_REFUSE(
		{ u->metric == NULL, "no metric given (--metric SPEC)" },
		{ u->query == NULL && u->queries == NULL && u->workload == NULL,
		    "no queries given (-q COL, -Q FILE or --workload W, such "
		    "as marginal:2)" },
		{ u->domain != NULL && o->header == HEADER_NONE, "--domain "
		    "matches columns by name: no --no-header with it" },
		{ o->unit.column != NULL && u->domain == NULL, "--unit brings "
		    "raw records together (--domain FILE): a count is of many "
		    "people" },
		{ o->others && u->domain == NULL, "--others is a row for what "
		    "the domain does not hold: it needs --domain" },
		/* dp-gate sets limits */
		{ o->limits.kept > 0 && u->domain == NULL, "--domain is needed "
		    "here: without it lines of the data would be public" },
		{ u->domain == NULL && o->weight == NULL && !u->public_only,
		    "no counts: -w COL of the universe, or raw records with "
		    "--domain FILE, --domain 'sex=F,M;age=0..99', or a schema "
		    "and -c COLS" });
	if (!metric_parse(u->metric, &u->spec))
		err_die(STATUS_USAGE, "--metric '%s' %s", u->metric,
		    u->spec.wrong);
	check_workload(u);
	if (u->domain != NULL && opts_listed(u->domain))
		attributes_read(&u->listing, u->domain, u->o->schema);
	if (!u->wide && attributes_elements(&u->listing) >
	    (double)WORKLOAD_ELEMENTS)
		err_die(STATUS_USAGE, "--domain: more than 2^24 elements");
}

/* The counts' column among the universe's columns; SIZE_MAX: none. */
static size_t
weight_column(const struct universe *u)
{
	if (u->domain != NULL || u->o->weight == NULL)
		return SIZE_MAX;
	return table_column(u->base.table, "--weight", u->o->weight);
}

static bool
is_among(const struct universe *u, const struct columns *c, size_t column)
{
	for (size_t i = 0; i < c->n; i++)
		if (u->base.column[c->at[i]] == column)
			return true;
	return false;
}

/*
 * Appends every column but the counts, and the queries if told so, for
 * printing.  Beside counts a single column that no option names is the
 * elements' name; among several, some may be private.
 */
static void
all_columns(struct universe *u, struct columns *to, bool queries)
{
	size_t weight = weight_column(u), strange = 0;

	for (size_t c = 0; c < table_width(u->base.table); c++) {
		bool query = is_among(u, &u->of_query, c);

		if (c == weight)
			continue;
		strange += !query && !is_among(u, &u->of_metric, c);
		if (queries || !query)
			sheet_want(&u->base, to, c);
	}
	if (weight != SIZE_MAX && strange > 1)
		err_die(STATUS_USAGE, "with -w, -c COL,... says which columns "
		    "describe an element: these are public, and printed");
}

/*
 * Columns that name elements or their attributes: from -c; without -c a
 * marginal takes the attributes that the metric names, or every column.
 */
static void
key_columns(struct universe *u)
{
	bool named = metric_has_attributes(u->spec.kind);

	if (u->o->columns != NULL)
		sheet_columns(&u->base, &u->of_key, u->o->columns);
	else if (u->order > 0 && named)
		u->of_key = u->of_metric;
	else if (u->order > 0 || u->spec.kind == METRIC_EDGES)
		all_columns(u, &u->of_key, false);
	if (u->o->columns == NULL && u->spec.kind == METRIC_EDGES &&
	    u->of_key.n != 1)
		err_die(STATUS_USAGE, "--metric graph: -c names the column of "
		    "the elements");
	if (u->spec.kind == METRIC_EDGES && u->o->charge.ledger != NULL &&
	    u->base.column[u->of_key.at[0]] != 0)
		err_die(STATUS_USAGE, "--metric graph: with a ledger the first "
		    "column names the elements");
	if (u->order > u->of_key.n)
		err_die(STATUS_USAGE, "--workload %s: attributes given: %zu "
		    "(-c COL,... names them)", u->workload, u->of_key.n);
	if (u->of_key.n > METRIC_DIMS && u->order > 0)
		err_die(STATUS_USAGE, "--workload %s takes at most %d "
		    "attributes (-c COL,... names them)", u->workload,
		    METRIC_DIMS);
}

static void
metric_columns(struct universe *u)
{
	if (u->spec.columns != NULL)
		sheet_columns(&u->base, &u->of_metric, u->spec.columns);
	if (u->spec.file != NULL)
		universe_load(u);
	if (u->spec.step && u->of_metric.n != 1)
		err_die(STATUS_USAGE, "--metric step: takes one column");
	if (u->spec.kind == METRIC_ATTR && u->of_metric.n != u->spec.dims)
		err_die(STATUS_USAGE, "--metric attr: %zu columns for %zu "
		    "weights", u->of_metric.n, u->spec.dims);
	if (u->of_metric.n > METRIC_DIMS)
		err_die(STATUS_USAGE, "--metric names more than %d columns",
		    METRIC_DIMS);
}

static void
open_base(struct universe *u)
{
	static const char domain[] = "--domain";
	struct sheet *s = &u->base;
	const char *name;

	if (u->domain == NULL) {
		name = opts_input(u->o);
		s->name = err_copy(name, strlen(name));
		s->table = table_input(u->o);
	} else if (opts_listed(u->domain)) {
		s->name = err_copy(domain, strlen(domain));
		s->table = universe_list(u);
	} else
		sheet_open(s, u->o, domain, u->domain, HEADER_NAMES);
}

/* The columns to write are read, too: from -c, or every column but -w. */
static void
keep_columns(struct universe *u)
{
	if (u->o->columns == NULL && u->o->header == HEADER_NONE)
		err_die(STATUS_USAGE, "without a header, -c names the columns "
		    "to write");
	if (u->o->columns != NULL)
		sheet_columns(&u->base, &u->kept, u->o->columns);
	else
		all_columns(u, &u->kept, true);
}

/*
 * The columns beside the counts are public; the counts are private, and so is a
 * view of them.
 */
static void
keep_private(const struct universe *u)
{
	size_t weight = weight_column(u);

	if (weight == SIZE_MAX)
		return;
	for (size_t c = 0; c < u->base.n; c++)
		if (table_same(u->base.table, u->base.column[c], weight))
			err_die(STATUS_USAGE, "the counts of --weight %s are "
			    "private: that column is nothing to write, no "
			    "query and no part of the metric", u->o->weight);
	view_step(table_view(u->base.table, weight), true);
}

void
universe_open(struct universe *u)
{
	if (u->queries != NULL) {
		sheet_open(&u->extra, u->o, "-Q", u->queries, HEADER_NAMES);
		sheet_first(&u->extra, table_width(u->extra.table));
		sheet_read(&u->extra);
	}
	open_base(u);
	metric_columns(u);
	if (u->query != NULL)
		sheet_columns(&u->base, &u->of_query, u->query);
	key_columns(u);
	if (u->domain != NULL && !u->public_only)
		universe_open_raw(u);
	if (u->keep)
		keep_columns(u);
	keep_private(u);
}
