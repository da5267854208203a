/*
 * universe_domain: raw records, each counted at the named element.
 *
 * A record's key is the numbers of its values, in the columns that the domain's
 * header and standard input's share (or -c's).
 *
 * Outside.  n is public, so a record may not be dropped for its values: the
 * drop would tell how many records the analyst's domain holds.  Under the
 * metric discrete the records outside the domain are another element o, the
 * last, with d(o, i) = 1.  Every record is exactly one element then, so
 * neighbours differ in a move from i to j in U and o, for which [KPAK20 Theorem
 * 1] holds on the universe U and o.  A query's coefficient on o lies between
 * the coefficients on U, so c = max |q_i - q_j| stays as without o.  (Several
 * queries that share one budget may need more noise: among {1,2}, {1,3}, {1,4}
 * two queries tell two elements apart, and three tell 1 from o.) A query
 * without a difference on U has none on U and o: the answer is a multiple of n,
 * which is public.  Under another metric nothing says how far o is: there the
 * domain is part of the relation, and records outside are ignored; so they are
 * where records come and go, as a record outside changes no count then.
 *
 * With --unit each person is one record: a row in the domain, drawn by weight,
 * with separate draws; a person without such a row is o.  For given draws the
 * histograms of two data sets in which one person's rows differ are one moved
 * record apart, from a row in the first to a row in the second; so a bound
 * proved for such a move between every pair of elements holds for the mixture
 * over the draws, whose weights agree for everybody else.  The public n is the
 * number of people.
 *
 * With --epsilon-column a record is counted as a weight: all that is released
 * is linear in the counts, or chosen by scores that are (shares.c).
 */
#include <stdlib.h>
#include <string.h>

#include "cells.h"
#include "input/table.h"
#include "number/neighbors.h"
#include "tool/burden.h"
#include "tool/err.h"
#include "universe_build.h"

void
universe_want(const struct table *t, const char *name, struct text *names)
{
	if (*name >= '0' && *name <= '9' && !table_has(t, name))
		err_die(STATUS_INPUT, "--domain: no column is named '%s'",
		    name);
	sheet_list(names, name, strlen(name));
}

void
universe_match(struct universe *u, struct table *t, struct text *names,
    size_t n)
{
	u->matched = *u->o;
	u->matched.columns = text_string(names);
	intake_open(&u->raw, t, &u->matched, n, n, 0);
}

/*
 * Raw records are matched by the columns of a list or of -c, which they must
 * have, or by all columns that they share with the domain.  Under a metric
 * these are all, as they say who is in the domain: -c has no say.
 */
void
universe_open_raw(struct universe *u)
{
	bool keyed = u->o->columns != NULL && universe_discrete(u);
	bool must = keyed || opts_listed(u->domain);
	struct table *t = table_input(u->o);
	size_t n = table_width(u->base.table), column;
	const char *name;
	struct text names = TEXT_INIT;

	if (keyed)
		n = u->of_key.n;
	for (size_t c = 0; c < n; c++) {
		column = keyed ? u->base.column[u->of_key.at[c]] : c;
		name = table_name(u->base.table, column);
		if (!must && !table_has(t, name))
			continue;
		universe_want(t, name, &names);
		sheet_want(&u->base, &u->of_join, column);
	}
	if (u->of_join.n == 0)
		err_die(STATUS_INPUT, "%s has no column of the domain %s",
		    opts_input(u->o), u->domain);
	universe_match(u, t, &names, u->of_join.n);
}

/* While raw records are read. */
struct counting {
	struct universe *u;
	struct cells joined;	/* the key of each element */
};

/* The element with this key, made of a number for each column. */
static size_t
key_element(const struct counting *a, const void *key)
{
	return cells_find(&a->joined, (struct label){ key,
	    a->u->of_join.n * sizeof(uint32_t) });
}

static void
make_index(struct counting *a)
{
	const struct universe *u = a->u;
	size_t n = u->of_join.n, before;
	uint32_t *key = err_alloc(NULL, n, sizeof(*key));
	const char *where = "";

	if (n < table_width(u->base.table))
		where = " in the columns by which raw records are matched";

	for (size_t i = 0; i < u->base.rows; i++) {
		for (size_t c = 0; c < n; c++)
			key[c] = u->base.cell[u->of_join.at[c]].code[i];
		before = key_element(a, key);
		if (before != CELLS_NONE)
			err_die(STATUS_INPUT, "--domain %s: records %zu and "
			    "%zu are the same element%s", u->domain, before + 1,
			    i + 1, where);
		cells_add(&a->joined, (const char *)key, n * sizeof(*key));
	}
	free(key);
}

/* The number of a cell's value, or CELLS_NONE.  A list's values come in
   order. */
static size_t
value_of(const struct universe *u, size_t at, const struct cell *cell)
{
	if (u->listing.n > 0)
		return attribute_value(&u->listing.of[u->base.column[at]],
		    cell);
	if (cell->missing)
		return CELLS_NONE;
	return cells_find(&u->base.cell[at], (struct label){ cell->text,
	    cell->len });
}

/*
 * The element that the cells name, -1 for none; the key is made in x.  A row
 * outside the domain does not count for its person, who has other rows to draw
 * from.
 */
static bool
record_element(void *arg, const struct cell *cells, int64_t *x)
{
	const struct counting *a = arg;
	const struct opts *o = a->u->o;
	size_t v = 0;

	for (size_t c = 0; c < a->u->of_join.n && v != CELLS_NONE; c++) {
		v = value_of(a->u, a->u->of_join.at[c], &cells[c]);
		memcpy((char *)x + c * sizeof(uint32_t), &(uint32_t){
		    (uint32_t)v }, sizeof(uint32_t));
	}
	if (v != CELLS_NONE)
		v = key_element(a, x);
	*x = v == CELLS_NONE ? -1 : (int64_t)v;
	return *x >= 0 || o->unit.column == NULL || o->check;
}

/* -1 is the element outside the domain, if any. */
static void
count_record(void *arg, size_t group, const int64_t *x, uint64_t w)
{
	struct universe *u = ((struct counting *)arg)->u;
	size_t at = *x < 0 ? u->base.rows : (size_t)*x;

	(void)group;
	if (at < u->n && __builtin_add_overflow(u->count[at], w, &u->count[at]))
		u->count[at] = UINT64_MAX;
}

#define ALL ((uint64_t)1 << 62)	/* for counts that are cut one by one */
#define UNIVERSE_CELL 128	/* bytes that an element takes, fits included */

/*
 * Neighbours with one n: with too many records to count the two become data
 * without records, and nothing has to be told.  No single count may be cut
 * instead: a cut would hide one end of a move from i to j, and the answers
 * would change by q_j or q_i alone.
 *
 * Neighbours that come and go: each count is cut separately, so that a record
 * still changes one count by one at most.  Data without records would be far
 * from data with a record less, and a cut of the sum could make a record push
 * another out: two changes.
 */
static void
bound_total(struct universe *u)
{
	bool hidden = u->o->neighbors == NEIGHBORS_ADD_REMOVE;
	uint64_t most = ALL / (u->n + 1);
	u128 n = 0;

	most = FIXED_LEAST(most, UNIVERSE_RECORDS * u->o->unit.whole);
	for (size_t i = 0; i < u->n; i++) {
		if (hidden && u->count[i] > most)
			u->count[i] = most;
		n += u->count[i];
	}
	if (!hidden && n > UNIVERSE_RECORDS)
		memset(u->count, 0, u->n * sizeof(*u->count));
}

void
universe_bear(const struct universe *u)
{
	if (u->domain == NULL)
		return;
	burden_bear(u->o, &(struct burden){ .columns = 1,
	    .ns = 25 * u->of_join.n,
	    .memory = (u128)u->n * UNIVERSE_CELL,
	    .numbers = FIXED_MOST((u128)u->n, u->w.k) * u->o->repeat,
	    .labels = (u128)u->n * u->kept.n * 8 * u->o->repeat });
}

void
universe_count(struct universe *u)
{
	struct counting a = { .u = u };
	u128 total = 0;

	if (u->raw.table != NULL) {
		make_index(&a);
		intake_read(&u->raw, &(struct intake_use){ .texts =
		    u->of_join.n, .code = record_element,
		    .take = count_record, .arg = &a, .listed = "--domain" });
		cells_free(&a.joined);
	} else {
		for (size_t i = 0; i < u->n; i++)
			total += u->count[i];
		if (u->o->check)
			err_warn("elements: %zu, records: %llu", u->n,
			    (unsigned long long)total);
		opts_expect(u->o, total);
		if (u->o->check)
			exit(u->problems > 0 ? STATUS_INPUT : STATUS_OK);
	}
	bound_total(u);
}

/* --- a universe written on the command line (attributes.h) --------------- */

/*
 * Every combination of attribute values is an element; the last attribute
 * changes fastest.  The product is handed on as CSV, so that lists are read
 * like files.
 */

/* A record of the product, 0 the header; quoted, so no delimiter matters. */
static void
list_record(struct text *out, const struct attributes *l, size_t elements,
    size_t i, char delimiter)
{
	for (size_t c = 0; c < l->n; c++) {
		const struct cells *value = &l->of[c].value;
		struct label cell = { l->of[c].name, strlen(l->of[c].name) };

		elements /= value->n;
		if (c > 0)
			text_bytes(out, &delimiter, 1);
		if (i > 0)
			cell = cells_at(value, (i - 1) / elements % value->n);
		text_quoted(out, cell.text, cell.len);
	}
	text_bytes(out, "\n", 1);
}

struct table *
universe_list(struct universe *u)
{
	struct text out = TEXT_INIT;
	size_t elements = (size_t)attributes_elements(&u->listing);

	for (size_t i = 0; i <= elements; i++)
		list_record(&out, &u->listing, elements, i, u->o->delimiter);
	return table_open(text_file(&out, "--domain"), "--domain",
	    &(struct table_form){ u->o->delimiter, HEADER_NUMBERS }, NULL);
}
