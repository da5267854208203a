/* universe: options, columns and records of a public universe. */
#include "universe.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "input/intake.h"
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
universe_neighbors(struct opts *o, bool hidden)
{
	if (!hidden && o->given_neighbors && o->neighbors != NEIGHBORS_SWAP)
		die(STATUS_USAGE, "a metric says how far two elements are: "
		    "neighbors is swap only");
	if (o->unit != NULL && o->per != PER_ANY && !o->check)
		die(STATUS_USAGE, "a person is one record of the universe: "
		    "--unit COL with --per any (laplace hist takes --per "
		    "share)");
	o->neighbors = hidden ? NEIGHBORS_ADD_REMOVE : NEIGHBORS_SWAP;
}

static bool
is_discrete(const struct universe *u)
{
	return u->metric == NULL || strcmp(u->metric, "discrete") == 0;
}

bool
universe_hidden(const struct universe *u)
{
	const struct opts *o = u->o;
	bool swap = o->given_neighbors && o->neighbors == NEIGHBORS_SWAP;
	bool given = u->presence.num > 0, discrete = is_discrete(u);

	if (given && swap)
		die(STATUS_USAGE, "--presence is for --neighbors add-remove: "
		    "under swap no record comes or goes");
	if (given && discrete && u->presence.num != u->presence.den)
		die(STATUS_USAGE, "--presence is 1 where the metric is "
		    "discrete");
	if (o->given_neighbors && !swap && !given && !discrete)
		die(STATUS_USAGE, "a metric says how far two elements are, "
		    "not how far a record is from none: --presence R, or "
		    "--neighbors swap");
	return !swap && (given || discrete);
}

bool
universe_take(struct universe *u, int code)
{
	switch (code) {
	case OPT_METRIC: u->metric = optarg; break;
	case OPT_WORKLOAD: u->workload = optarg; break;
	case OPT_DOMAIN: u->domain = optarg; break;
	case OPT_CLOSE: u->close = true; break;
	case OPT_PRESENCE:
		u->presence = opts_positive("--presence", optarg);
		break;
	case 'q': u->query = optarg; break;
	case 'Q': u->queries = optarg; break;
	default: return false;
	}
	return true;
}

static void
check_workload(struct universe *u)
{
	if (u->query == NULL && u->queries == NULL && u->workload == NULL)
		die(STATUS_USAGE, "no queries given (-q COL, -Q FILE or "
		    "--workload W, such as marginal:2)");
	if (u->workload == NULL || strcmp(u->workload, "prefix") == 0 ||
	    strcmp(u->workload, "range") == 0)
		return;
	if (strncmp(u->workload, "marginal:", 9) != 0)
		die(STATUS_USAGE, "--workload '%s' is not prefix, range or "
		    "marginal:K", u->workload);
	u->order = (size_t)opts_count("--workload marginal:",
	    u->workload + 9, 1, METRIC_DIMS);
}

static void
check_people(const struct universe *u)
{
	const struct opts *o = u->o;

	if (o->unit == NULL)
		return;
	if (u->domain == NULL)
		die(STATUS_USAGE, "--unit brings raw records together "
		    "(--domain FILE): a count is of many people");
}

void
universe_check(struct universe *u)
{
	const struct opts *o = u->o;
	const char *what;

	if (u->want_metric && u->metric == NULL)
		die(STATUS_USAGE, "no metric given (--metric SPEC)");
	if (u->metric != NULL && !metric_parse(u->metric, &u->spec, &what))
		die(STATUS_USAGE, "--metric '%s' %s", u->metric, what);
	check_workload(u);
	if (u->domain != NULL && o->header == HEADER_NONE)
		die(STATUS_USAGE, "--domain matches columns by name: no "
		    "--no-header with it");
	check_people(u);
	if (o->others && u->domain == NULL)
		die(STATUS_USAGE, "--others is a row for what the domain "
		    "does not hold: it needs --domain");
	if (u->domain == NULL && o->weight == NULL && !u->public_only)
		die(STATUS_USAGE, "no counts: -w COL of the universe, or raw "
		    "records with --domain FILE");
}

struct table *
universe_file(const struct universe *u, const char *option, const char *path,
    bool header)
{
	enum header names = u->o->header == HEADER_NUMBERS ? HEADER_NUMBERS :
	    HEADER_NAMES;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		diesys(STATUS_INPUT, "%s %s", option, path);
	return table_open(fd, path, u->o->delimiter, header ? names :
	    HEADER_NONE);
}

/* Reading a public file whole. */
struct reading {
	struct cells *to;
	size_t k;
	const char *option, *path;
	size_t records;
};

static void
read_cells(void *arg, const struct cell *cells, size_t fields)
{
	struct reading *r = arg;

	r->records++;
	for (size_t c = 0; c < r->k; c++) {
		if (cells[c].missing)
			die(STATUS_INPUT, "%s %s: record %zu has %zu fields, "
			    "or one that is too long", r->option, r->path,
			    r->records, fields);
		cells_add(&r->to[c], cells[c].text, cells[c].len);
	}
}

struct cells *
universe_cells(struct table *t, const char *option, const char *path,
    const size_t *cols, size_t k)
{
	struct reading r = { .k = k, .option = option, .path = path };

	r.to = err_alloc(NULL, k + 1, sizeof(*r.to));
	for (size_t c = 0; c < k; c++)
		r.to[c] = (struct cells)CELLS_INIT;
	table_read(t, cols, k, read_cells, &r);
	return r.to;
}

/* Appends the columns that arg names; returns how many. */
size_t
universe_columns(struct universe *u, const char *arg)
{
	size_t *more, n = table_columns(u->table, arg, &more);

	u->cols = err_alloc(u->cols, u->all + n + 1, sizeof(*u->cols));
	memcpy(u->cols + u->all, more, n * sizeof(*more));
	u->all += n;
	free(more);
	return n;
}

/* The counts' column among the universe's columns; SIZE_MAX: none. */
static size_t
weight_column(const struct universe *u)
{
	if (u->domain != NULL || u->o->weight == NULL)
		return SIZE_MAX;
	return table_column(u->table, "--weight", u->o->weight);
}

/* Is the column among the metric's and the queries', from the n-th on? */
static bool
is_named(const struct universe *u, size_t n, size_t column)
{
	for (; n < u->of_metric + u->of_query; n++)
		if (u->cols[n] == column)
			return true;
	return false;
}

/*
 * Appends every column but the counts, and the queries if told so, for
 * printing.  Beside counts a single column that no option names is the
 * elements' name; among several, some may be private.
 */
static size_t
all_columns(struct universe *u, bool queries)
{
	size_t width = table_width(u->table), weight = weight_column(u);
	size_t before = u->all, strange = 0;

	u->cols = err_alloc(u->cols, u->all + width + 2, sizeof(*u->cols));
	for (size_t c = 0; c < width; c++) {
		strange += c != weight && !is_named(u, 0, c);
		if (c != weight && (queries || !is_named(u, u->of_metric, c)))
			u->cols[u->all++] = c;
	}
	if (weight != SIZE_MAX && strange > 1)
		die(STATUS_USAGE, "with -w, -c COL,... says which columns "
		    "describe an element: these are public, and printed");
	return u->all - before;
}

/*
 * Columns that name elements or their attributes: from -c; without -c a
 * marginal takes the attributes that the metric names, or every column.
 */
static void
key_columns(struct universe *u)
{
	bool named = u->spec.kind >= METRIC_ATTR &&
	    u->spec.kind <= METRIC_VALUES_MIN;

	if (u->o->columns != NULL)
		u->of_key = universe_columns(u, u->o->columns);
	else if (u->spec.kind == METRIC_EDGES) {
		u->of_key = all_columns(u, false);
		if (u->of_key != 1)
			die(STATUS_USAGE, "--metric graph: -c names the "
			    "column of the elements");
	}
	else if (u->order > 0 && !named)
		u->of_key = all_columns(u, false);
	else if (u->order > 0) {
		u->cols = err_alloc(u->cols, u->all + u->of_metric + 1,
		    sizeof(*u->cols));
		memcpy(u->cols + u->all, u->cols, u->of_metric *
		    sizeof(*u->cols));
		u->all += u->of_metric;
		u->of_key = u->of_metric;
	}
	if (u->order > u->of_key)
		die(STATUS_USAGE, "--workload %s: attributes given: %zu "
		    "(-c COL,... names them)", u->workload, u->of_key);
	if (u->of_key > METRIC_DIMS && u->order > 0)
		die(STATUS_USAGE, "--workload %s takes at most %d attributes "
		    "(-c COL,... names them)", u->workload, METRIC_DIMS);
}

static void
open_extra(struct universe *u)
{
	struct table *t = universe_file(u, "-Q", u->queries, true);
	size_t c, *cols;

	u->extras = table_rest(t, NULL, 0, table_width(t), table_width(t),
	    &cols);
	u->extra_name = err_alloc(NULL, u->extras + 1,
	    sizeof(*u->extra_name));
	for (c = 0; c < u->extras; c++) {
		const char *name = table_name(t, c);
		size_t len = strlen(name) + 1;

		u->extra_name[c] = err_alloc(NULL, len, 1);
		memcpy(u->extra_name[c], name, len);
	}
	u->extra = universe_cells(t, "-Q", u->queries, cols, u->extras);
	free(cols);
	table_close(t);
}

static void
bad_count(struct universe *u)
{
	u->count_bad = 0;
	if (u->o->given_bad && !rational_grid(u->o->bad, 0, FIXED_NEAREST,
	    &u->count_bad))
		die(STATUS_USAGE, "--on-bad is too large for a count");
	u->count_bad = fixed_clamp(u->count_bad, 0, INTAKE_WEIGHT);
}

/* The columns to write are read, too: from -c, or every column but -w. */
static void
keep(struct universe *u)
{
	if (u->o->columns == NULL && u->o->header == HEADER_NONE)
		die(STATUS_USAGE, "without a header, -c names the columns to "
		    "write");
	u->of_kept = u->o->columns != NULL ?
	    universe_columns(u, u->o->columns) : all_columns(u, true);
}

/* The columns before the counts are public, the counts are private. */
static void
keep_private(const struct universe *u)
{
	size_t weight = weight_column(u);

	for (size_t c = 0; c < u->all; c++)
		if (u->cols[c] == weight)
			die(STATUS_USAGE, "the counts of --weight %s are "
			    "private: that column is nothing to write, no "
			    "query and no part of the metric", u->o->weight);
}

void
universe_open(struct universe *u)
{
	if (u->queries != NULL)
		open_extra(u);
	u->table = u->domain != NULL ? opts_listed(u->domain) ?
	    universe_list(u) :
	    universe_file(u, "--domain", u->domain, true) :
	    table_input(u->o, u->o->header);
	if (u->spec.columns != NULL)
		u->of_metric = universe_columns(u, u->spec.columns);
	if (u->spec.file != NULL)
		universe_load(u);
	if (u->spec.step && u->of_metric != 1)
		die(STATUS_USAGE, "--metric step: takes one column");
	if (u->spec.kind == METRIC_ATTR && u->of_metric != u->spec.dims)
		die(STATUS_USAGE, "--metric attr: %zu columns for %zu "
		    "weights", u->of_metric, u->spec.dims);
	if (u->of_metric > METRIC_DIMS)
		die(STATUS_USAGE, "--metric names more than %d columns",
		    METRIC_DIMS);
	if (u->query != NULL)
		u->of_query = universe_columns(u, u->query);
	key_columns(u);
	if (u->domain != NULL && !u->public_only)
		universe_open_raw(u);
	if (u->keep)
		keep(u);
	keep_private(u);
	if (u->domain == NULL && u->o->weight != NULL &&
	    !u->public_only) {
		universe_columns(u, u->o->weight);
		u->counted = true;
	}
	bad_count(u);
}
