/* bound: the facts that a budget binds. */
#include "bound.h"

#include <stdlib.h>
#include <string.h>

#include "input/view.h"
#include "tool/digest.h"
#include "tool/err.h"
#include "tool/metric_spec.h"

/* --- how a release compares with a budget ------------------------------- */

bool
bound_same(const char *budget, const char *release)
{
	return (budget == NULL) == (release == NULL) &&
	    (budget == NULL || strcmp(budget, release) == 0);
}

static bool
related(const char *budget, const char *release)
{
	return bound_same(budget, release) || (strcmp(budget, "swap") == 0 &&
	    strcmp(release, "add-remove") == 0);
}

/* For the whole data, or for a slice of the budget's. */
static bool
sliced(const char *budget, const char *release)
{
	return release == NULL || bound_same(budget, release);
}

/*
 * What a release binds, the budget reads alike; it may bind further columns.
 * A ledger with a schema has one for all its releases, and a ledger without
 * reads nothing but text.
 */
static bool
read_alike(const char *budget, const char *release)
{
	bool alike = true;
	char *one;

	for (size_t len; alike && release != NULL && *release != '\0';
	    release += len) {
		len = strcspn(release, ";") + 1;
		one = err_copy(release, len);
		alike = budget != NULL && strstr(budget, one) != NULL;
		free(one);
	}
	return alike;
}

static bool
headed(const char *budget, const char *release)
{
	return budget == NULL || bound_same(budget, release);
}

/*
 * The table. "This release" and "its budget" are followed by `with' and the
 * text that is bound, or by `without'.  The option is a release's, and
 * dp-budget create's unless the row names another; the text is the option's
 * argument, unless the row has a text.
 */
static const struct row {
	const char *name;
	bool (*agree)(const char *budget, const char *release);
	const char *with, *without, *option, *create, *argument;
} rows[BOUNDS] = {
	[BOUND_METRIC] = { "metric", bound_same, "is under the metric %s",
	    "is under no metric", "--metric", NULL, NULL },
	[BOUND_NEIGHBORS] = { "neighbors", related,
	    "is private for %s neighbors", NULL, "--neighbors", NULL, NULL },
	[BOUND_DOMAIN] = { "domain", bound_same, "has the universe %s",
	    "has none", "--domain", NULL, "FILE, of the same bytes" },
	[BOUND_PUBLIC] = { "public", names_within, "takes %s as public",
	    "takes no column as public", "--public", NULL, NULL },
	[BOUND_UNIT] = { "unit", bound_same, "protects people (--unit %s)",
	    "protects single records", "--unit", NULL, NULL },
	[BOUND_WEIGHT] = { "weight", bound_same, "weighs records by %s",
	    "does not weigh records", "--weight", NULL, NULL },
	[BOUND_SLICES] = { "slices", sliced, "has slices by %s",
	    "has no slices (filter the lines before the tool instead)",
	    "--slice", "--by", NULL },
	[BOUND_DELIMITER] = { "delimiter", bound_same,
	    "reads cells between '%s'", "reads cells between commas",
	    "--delimiter", NULL, NULL },
	[BOUND_QUOTE] = { "quote", bound_same, "takes quotes for characters "
	    "(--quote %s)", "takes quotes for quotes", "--quote", NULL, NULL },
	[BOUND_READING] = { "reading", read_alike, "reads its columns as%s",
	    "reads its columns as text", "--schema and --missing", "--schema",
	    "FILE" },
	[BOUND_GROUPED] = { "grouped", bound_same, "reads counts of the query "
	    "of --sql (grouped: %s)", "reads rows", "--grouped", NULL, "" },
	[BOUND_HEADER] = { "header", headed, "takes %s of its lines "
	    "for a header", "takes its first line for a header",
	    "--no-header", NULL, "" },
};

const char *
bound_name(enum bound i)
{
	return rows[i].name;
}

/* --- bound facts -------------------------------------------------------- */

/* NULL for an empty text. */
static char *
owned_text(struct bound_set *b, size_t i, struct text *t)
{
	return b->owned[i] = t->len > 0 ? text_string(t) : NULL;
}

/* Columns that neighbors must share, as the columns say whose records count. */
static char *
public_columns(struct bound_set *b, const struct opts *o,
    const struct bound_terms *t)
{
	const bool named = opts_public(o, opts_group(o));
	const char *lists[] = { o->public, t->public,
	    o->op.hides_group && !named ? NULL : opts_group(o), opts_slice(o),
	    o->unit.column != NULL && o->group != NULL ? o->weight : NULL };
	struct text all = TEXT_INIT;

	if (o->neighbors != NEIGHBORS_SWAP)
		return NULL;
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		if (lists[i] != NULL && (i == 0 ||
		    !names_within(o->public, lists[i])))
			text_printf(&all, "%s%s", all.len > 0 ? "," : "",
			    lists[i]);
	return owned_text(b, 0, &all);
}

/* How one column is read, if not as without a schema. */
static void
bound_reading_add(struct text *all, const struct schema_field *f,
    const char *name)
{
	struct text one = TEXT_INIT;

	schema_reading(f, &one);
	if (one.len > 0)
		text_printf(all, " %s:%.*s;", name, (int)one.len, one.buf);
	text_free(&one);
}

/*
 * A view cuts its bands from the limits on; the width is in its name.  Without
 * a header the order of the schema's fields says which column has the name.
 */
static void
bound_reading_column(struct text *all, const struct opts *o, const char *name)
{
	const struct schema *s = o->schema;
	char *column = view_column(s, name);
	const struct schema_field *f = schema_find(s, column);

	if (f != NULL && o->header == HEADER_NONE)
		text_printf(all, " %s by its place (--no-header);", name);
	if (f != NULL && strcmp(column, name) != 0)
		text_printf(all, " %s from %s to %s;", name, f->least != NULL ?
		    f->least : "any", f->most != NULL ? f->most : "any");
	bound_reading_add(all, f != NULL ? f : &s->other, name);
	free(column);
}

static void
bound_reading_list(struct text *all, const struct opts *o, const char *list)
{
	for (const char *p = list, *end; p != NULL;
	    p = *end == ',' ? end + 1 : NULL) {
		char *name = schema_list_word(p, end = names_end(p));

		bound_reading_column(all, o, name);
		free(name);
	}
}

/* An option for one column takes its name, or the name in quotes. */
static void
bound_reading_one(struct text *all, const struct opts *o, const char *name)
{
	char *column = view_column(o->schema, name);

	if (schema_find(o->schema, column) != NULL)
		bound_reading_column(all, o, name);
	else
		bound_reading_list(all, o, name);
	free(column);
}

/*
 * How the columns are read that say whose a record is, and what neighbors
 * share; under a metric all, as a cell that is read as missing is at no
 * distance from any other.
 */
static char *
bound_reading(struct bound_set *b, const struct opts *o)
{
	const char *const names[] = { b->is[BOUND_UNIT], b->is[BOUND_WEIGHT],
	    b->is[BOUND_SLICES] };
	const struct schema *s = o->schema;
	struct text all = TEXT_INIT;

	if (s == NULL)
		return NULL;
	if (b->is[BOUND_METRIC] != NULL) {
		for (size_t i = 0; i < s->n; i++)
			bound_reading_column(&all, o, s->field[i].name);
		bound_reading_add(&all, &s->other, "others");
		return owned_text(b, 3, &all);
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i] != NULL)
			bound_reading_one(&all, o, names[i]);
	bound_reading_list(&all, o, b->is[BOUND_PUBLIC]);
	return owned_text(b, 3, &all);
}

void
bounds_take(struct bound_set *b, const struct opts *o,
    const struct bound_terms *t)
{
	static const char *const relations[] = { "add-remove", "swap" };
	bool far = t->metric != NULL && strcmp(t->metric, "discrete") != 0;
	struct text metric = TEXT_INIT, universe = TEXT_INIT;
	char digest[DIGEST_TEXT];

	if (far)
		metric_name(&metric, t->metric);
	if (far && t->domain != NULL)	/* by bytes, or by the list */
		text_add(&universe, opts_listed(t->domain) ? t->domain :
		    digest_file("domain", t->domain, digest));
	*b = (struct bound_set){ .delimiter = { o->delimiter, '\0' } };
	b->is[BOUND_NEIGHBORS] = relations[o->neighbors];
	if (far)
		b->is[BOUND_NEIGHBORS] = "metric";
	if (t->stated)
		b->is[BOUND_NEIGHBORS] = BOUND_STATED;
	b->is[BOUND_METRIC] = owned_text(b, 2, &metric);
	b->is[BOUND_DOMAIN] = owned_text(b, 1, &universe);
	b->is[BOUND_PUBLIC] = public_columns(b, o, t);
	b->is[BOUND_UNIT] = o->unit.column;
	b->is[BOUND_WEIGHT] = o->weight;
	b->is[BOUND_SLICES] = t->slices;
	if (o->delimiter == '\t')
		b->is[BOUND_DELIMITER] = "tab";
	else if (o->delimiter != ',')
		b->is[BOUND_DELIMITER] = b->delimiter;
	if (o->header == HEADER_NONE)
		b->is[BOUND_HEADER] = "none";
	if (o->unquoted)
		b->is[BOUND_QUOTE] = "none";
	if (o->grouped)
		b->is[BOUND_GROUPED] = "yes";
	b->is[BOUND_READING] = bound_reading(b, o);
}

void
bounds_free(struct bound_set *b)
{
	for (size_t i = 0; i < sizeof(b->owned) / sizeof(b->owned[0]); i++)
		free(b->owned[i]);
}

/* --- refusals ----------------------------------------------------------- */

/* " OPTION ARGUMENT", or the option alone. */
static void
cure(struct text *why, const struct row *r, const char *option, const char *is)
{
	const char *argument = r->argument == NULL ? is : r->argument;

	text_printf(why, " %s", option);
	if (is != NULL && *argument != '\0')
		text_printf(why, " %s", argument);
}

static void
refuse(const struct row *r, const char *is, const char *asked,
    struct text *why)
{
	const char *create = r->create != NULL ? r->create : r->option;

	text_add(why, "this release ");
	text_printf(why, asked == NULL ? r->without : r->with, asked);
	text_add(why, ", its budget ");
	text_printf(why, is == NULL ? r->without : r->with, is);
	text_add(why, is == NULL ? "; leave out" : "; give");
	cure(why, r, r->option, is);
	text_printf(why, ", or charge a budget made with%s", asked == NULL ?
	    "out" : "");
	cure(why, r, create, asked);
}

unsigned
bounds_factor(const struct bound_set *budget, const struct bound_set *release,
    struct text *why)
{
	const char *relation = release->is[BOUND_NEIGHBORS];

	if (strcmp(relation, BOUND_STATED) == 0)
		return 1;
	for (enum bound i = 0; i < BOUNDS; i++)
		if (!rows[i].agree(budget->is[i], release->is[i])) {
			refuse(&rows[i], budget->is[i], release->is[i], why);
			return 0;
		}
	return strcmp(relation, budget->is[BOUND_NEIGHBORS]) == 0 ? 1 : 2;
}
