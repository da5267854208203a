/* complete: what the schema says, in place of options that are not given. */
#include "complete.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "input/keys.h"
#include "ledger/ledger.h"
#include "tool/err.h"

/* --- the schema ----------------------------------------------------------- */

/* The ledger's, which another must agree with; NULL without one. */
static struct schema *
complete_ledger(const struct opts *o)
{
	const char *ledger = o->charge.ledger;
	const struct opt *row = opts_given(o, OPT_SCHEMA);
	bool idle = o->explain || o->check || o->sql != NULL;
	struct text text = TEXT_INIT;

	if (ledger == NULL && opts_takes(o, OPT_LEDGER))
		ledger = opts_ledger();
	/* the limits of a missing ledger's schema are missed below */
	if (ledger != NULL && !idle && access(ledger, F_OK) != 0)
		ledger_open(ledger);
	if (ledger == NULL || !ledger_schema(ledger, o->charge.dataset, &text))
		return NULL;
	if (opts_given(o, OPT_MISSING) != NULL || o->unquoted)
		err_die(STATUS_REFUSED, "refused: the ledger has a schema, "
		    "which says what is missing and quoted");
	if (row != NULL) {
		const struct schema *other = schema_read(o->schema_path);

		if (other->text.len != text.len || memcmp(other->text.buf,
		    text.buf, text.len) != 0)
			err_die(STATUS_REFUSED, "refused: the ledger has "
			    "another schema than --schema %s (dp-budget "
			    "schema prints it)", o->schema_path);
	}
	return schema_text(ledger, text);
}

static const struct schema *
complete_open(const struct opts *o)
{
	struct schema *s = complete_ledger(o);

	if (s == NULL && o->schema_path != NULL)
		s = schema_read(o->schema_path);
	if (s != NULL && o->missing != NULL)
		err_die(STATUS_USAGE, "--missing: here the schema says which "
		    "cells are missing (missingValues)");
	if (s == NULL && (o->missing != NULL || o->unquoted))
		s = schema_missing(o->missing);
	return s;
}

/* --- one value after another ---------------------------------------------- */

/* Notes for --explain that an option comes from the schema. */
static void
complete_say(struct opts *o, const char *option)
{
	struct text t = TEXT_INIT;

	if (o->completed != NULL)
		text_printf(&t, "%s, ", o->completed);
	text_add(&t, option);
	o->completed = schema_keep(text_string(&t));
}

static void
complete_dialect(struct opts *o)
{
	const struct schema *s = o->schema;

	if (s->delimiter != NULL && opts_given(o, 'd') == NULL) {
		if (strlen(s->delimiter) != 1 || strchr("\"\r\n",
		    *s->delimiter) != NULL)
			err_die(STATUS_INPUT, "schema %s: $.dialect.delimiter: "
			    "not one character", s->path);
		o->delimiter = *s->delimiter;
		complete_say(o, "delimiter");
	}
	if (s->no_header && opts_given(o, OPT_HEADER) == NULL)
		o->header = HEADER_NONE;
	o->unquoted = o->unquoted || s->no_quotes;
}

/* --- ranges --------------------------------------------------------------- */

/* A range of the line lies within the limits. */
static void
complete_within(const struct range *r, const struct schema_field *f)
{
	struct rational lo, hi;

	if ((schema_limit(f, f->least, &lo) && rational_cmp(r->lo, lo) < 0) ||
	    (schema_limit(f, f->most, &hi) && rational_cmp(r->hi, hi) > 0))
		err_die(STATUS_USAGE, "--range is wider than the schema's "
		    "limits of '%s', %s to %s, which cannot help", f->name,
		    f->least != NULL ? f->least : "any",
		    f->most != NULL ? f->most : "any");
}

/* One range for several columns fits none that the schema bounds otherwise. */
static void
complete_alike(const struct column_view *v, size_t n)
{
	struct range a, b;

	for (size_t i = 1; i < n; i++)
		if (schema_range(v[0].field, &a) &&
		    schema_range(v[i].field, &b) &&
		    (rational_cmp(a.lo, b.lo) != 0 ||
		    rational_cmp(a.hi, b.hi) != 0))
			err_die(STATUS_USAGE, "one --range for several "
			    "columns, but the schema has other limits for '%s' "
			    "than for '%s': --range A:B,A:B,..., one each, or "
			    "no --range", v[i].field->name, v[0].field->name);
}

/* The limits of all columns, or nothing where one has none. */
static void
complete_ranges(struct opts *o, const struct column_view *v, size_t n)
{
	struct range *r = err_alloc(NULL, n + 1, sizeof(*r));
	size_t i = 0;

	while (i < n && schema_range(v[i].field, &r[i]))
		i++;
	if (i == n && n > 0) {
		o->ranges = (struct ranges){ r, n };
		complete_say(o, "range");
	} else
		free(r);
}

/* What the type of a column allows. */
static void
complete_type(const struct column_view *v, const struct operation *takes)
{
	const struct schema_field *f = v->field;
	bool day = f->type == SCHEMA_DATE || f->type == SCHEMA_DATETIME;

	if (takes->numbers)
		view_number(v);
	if (takes->figures && day)
		view_advise(v, "--bins has numbers, and the column dates: its "
		    "edges are YYYY-MM-DD");
	if (takes->days && !day && f->type > SCHEMA_STRING)
		view_advise(v, "--bins has dates, and the column none");
	if (takes->sums && schema_dated(f))
		err_die(STATUS_USAGE, "the schema says that '%s' holds dates "
		    "(%s): their mean and quantiles are dates, and their sum "
		    "is nothing", f->name, f->type_name);
	if (day && takes->numbers && !takes->dates)
		err_warn("'%s' is a number here: a date is its day from "
		    "1970-01-01, a datetime its second", f->name);
}

/*
 * A table of one column needs no -c, for numbers and for a histogram: of a
 * schema of one column it is this.
 */
static void
complete_default(struct opts *o, const struct operation *takes)
{
	const struct schema *s = o->schema;
	bool read = takes->numbers || (takes->keyed && takes->groups);

	if (o->columns != NULL || o->unit.per == PER_COUNT)
		return;
	if (s->n == 1 && read)
		o->columns = s->field->name;
	else if (takes->limits && !o->check)
		err_die(STATUS_USAGE, "the schema has '%s' and more columns: "
		    "choose with -c", s->field->name);
}

static void
complete_columns(struct opts *o, const struct operation *takes)
{
	size_t n;
	struct column_view *v = views_open(o, o->columns, &n);
	bool dated = n > 0, whole = n > 0 && o->unit.per != PER_MEAN;

	for (size_t i = 0; i < n; i++) {
		complete_type(&v[i], takes);
		dated = dated && schema_dated(v[i].field);
		whole = whole && v[i].field->type == SCHEMA_INTEGER;
		if (takes->numbers && o->ranges.n > 0 && !opts_totals(o))
			complete_within(opts_range(o, o->ranges.n == n ? i :
			    0), v[i].field);
	}
	if (o->ranges.n == 1 && !opts_totals(o))
		complete_alike(v, n);
	/* limits are of a row, and say nothing of a person's total */
	if (takes->limits && o->ranges.n == 0 && !opts_totals(o))
		complete_ranges(o, v, n);
	o->dates = takes->dates;
	if (takes->dates && dated && o->digits < 0)
		o->digits = 0;
	if (takes->ranks && whole && o->digits < 0) {
		o->digits = 0;
		complete_say(o, "digits");
	}
	free(v);
}

/* --- people, groups and slices -------------------------------------------- */

/* Does the tool, or one to which it gives the schema, take the option? */
static bool
complete_takes(const struct opts *o, const struct operation *takes, int code)
{
	return takes->passed || opts_takes(o, code);
}

/*
 * How a person's rows count, where the line does not say it.  A sum, a mean and
 * the like are of numbers: rows that have keys alone take any and share.
 */
static void
complete_rows(struct opts *o, const struct operation *takes)
{
	const struct schema_privacy *p = &o->schema->privacy;
	struct unit *u = &o->unit;
	bool groups = o->group != NULL || takes->keyed;
	bool keys = groups && (takes->keyed || takes->counted);
	enum per per = PER_NONE;

	if (p->per != NULL && complete_takes(o, takes, OPT_PER))
		per = opts_per("privacy.per", p->per);
	if (u->per == PER_NONE && u->most == 0 && (!keys || u->groups == 0)) {
		if (p->per == NULL && p->max_rows != NULL &&
		    complete_takes(o, takes, OPT_MAX_ROWS))
			u->most = opts_count("privacy.maxRows", p->max_rows, 1,
			    PER_GROUPS);
		else if (keys && p->max_groups == NULL && per >= PER_ANY)
			u->per = per;
		else if (!takes->keyed && !takes->counted)
			u->per = per;
	}
	if (p->max_groups != NULL && groups && u->groups == 0 &&
	    u->most == 0 && complete_takes(o, takes, OPT_MAX_GROUPS))
		u->groups = opts_count("privacy.maxGroups", p->max_groups, 1,
		    PER_GROUPS);
}

/* What nobody asked for on the line, and what it does to an answer. */
static void
complete_warn(struct opts *o, const struct operation *takes)
{
	const char *per = o->schema->privacy.per;
	enum per is = o->unit.per;

	complete_say(o, "per");
	if (takes->sums && is != PER_SUM && is != PER_COUNT)
		err_warn("this adds up one number of each person (per %s, by "
		    "the schema); --per sum, with a --range of a person's "
		    "total, adds up all rows", per);
	if (o->group != NULL && is < PER_ANY && o->unit.groups == 0)
		err_warn("a person counts in one group (per %s, by the "
		    "schema), that of most rows; --max-groups K counts a "
		    "person in up to K groups", per);
}

static void
complete_people(struct opts *o, const struct operation *takes)
{
	const struct schema_privacy *p = &o->schema->privacy;
	struct unit *u = &o->unit;
	bool own = u->column != NULL;
	enum per per;

	if (p->unit == NULL)
		return;
	if (own && strcmp(u->column, p->unit) != 0)
		err_die(STATUS_USAGE, "--unit %s: the schema says that a "
		    "person is one value of '%s'", u->column, p->unit);
	if (!takes->people)
		err_die(STATUS_USAGE, "the schema says that all rows of one "
		    "'%s' are one person's; this protects single rows",
		    p->unit);
	u->column = p->unit;
	complete_say(o, "unit");
	per = u->per;
	complete_rows(o, takes);
	if (u->per != per)
		complete_warn(o, takes);
}

static void
complete_weights(struct opts *o, const struct operation *takes)
{
	const struct schema_privacy *p = &o->schema->privacy;

	if (p->weight == NULL || o->sampling.column != NULL || takes->passed ||
	    opts_given(o, 'w') != NULL)
		return;
	if (!opts_takes(o, OPT_SAMPLING) || !takes->people) {
		err_warn("the schema's samplingWeight is passed over: every "
		    "record counts once");
		return;
	}
	o->sampling.column = p->weight;
	if (p->most != NULL && o->sampling.most.den == 0)
		o->sampling.most = opts_positive("privacy.most", p->most);
	complete_say(o, "sampling-weight");
}

/* The keys of -g, which the schema lists for every column. */
static void
complete_groups(struct opts *o)
{
	size_t n;
	struct column_view *v = views_open(o, o->group, &n);
	struct schema_list keys;

	for (size_t i = 0; i < n; i++)
		view_listed(&v[i], &keys);
	o->groups = KEYS_SCHEMA;
	complete_say(o, "groups");
	free(v);
}

/* One spelling of a slice's value, as slices are told apart by it. */
static void
complete_slice(struct opts *o)
{
	char room[SCHEMA_BEFORE + SCHEMA_ROOM];
	struct slice *s = &o->slice;
	struct label word = { s->value, strlen(s->value) };
	struct column_view v;

	view_open(&v, o->schema, s->column);
	if (!view_word(&v, &word, room + SCHEMA_BEFORE) ||
	    !keys_known(&v, 1, &word))
		err_die(STATUS_USAGE, "--slice %s=%s: the schema knows no such "
		    "value of this column", s->column, s->value);
	schema_keep(s->value);
	s->value = err_copy(word.text, word.len);
}

/* Public is a column, and then each view of it. */
static void
complete_public(struct opts *o)
{
	const struct schema *s = o->schema;

	if (o->group != NULL)
		o->group_columns = schema_keep(view_columns(s, o->group));
	if (o->slice.column != NULL)
		o->slice_column = schema_keep(view_column(s, o->slice.column));
	if (o->public != NULL && !names_within(view_columns(s, o->public),
	    o->public))
		err_die(STATUS_USAGE, "--public names columns, and no views: a "
		    "column that is public has public views");
}

static void
complete_schema(struct opts *o, const struct operation *takes)
{
	o->schema = complete_open(o);
	if (o->schema == NULL)
		return;
	complete_dialect(o);
	if (o->slice.value != NULL)
		complete_slice(o);
	if (o->schema->n == 0)
		return;
	complete_public(o);
	if (!takes->listed)
		complete_people(o, takes);
	complete_default(o, takes);
	complete_columns(o, takes);
	if (!takes->listed)
		complete_weights(o, takes);
	if (takes->groups && o->group != NULL && o->groups == NULL)
		complete_groups(o);
}

void
complete_options(struct opts *o, const struct operation *op)
{
	complete_schema(o, op);
	opts_begin(o, op);
}
