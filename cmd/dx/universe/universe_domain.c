/*
 * universe_domain: raw records, each counted at the named element.
 *
 * A record's key is made from the texts in the columns that the domain's header
 * and standard input's share (or -c's), with lengths.
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
 * With --epsilon-column each record is kept or not before counting, by an
 * independent coin: the later steps are E-private under add-remove, so
 * personal.c proves each record's private epsilon [JYC15].
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "input/intake.h"
#include "input/people.h"
#include "random/personal.h"
#include "tool/err.h"
#include "universe_build.h"

/* The column with this name, or `none`. */
static size_t
named(struct table *t, const char *name, size_t none)
{
	for (size_t c = 0; c < table_width(t); c++)
		if (strcmp(table_name(t, c), name) == 0)
			return c;
	return none;
}

static void
add_key(struct universe *u, size_t public_col, size_t raw_col)
{
	u->cols = err_alloc(u->cols, u->all + 2, sizeof(*u->cols));
	u->cols[u->all++] = public_col;
	u->raw_cols = err_alloc(u->raw_cols, u->of_join + 3,
	    sizeof(*u->raw_cols));
	u->raw_cols[u->of_join++] = raw_col;
}

/* A column of the raw records behind their keys. */
static void
add_raw(struct universe *u, size_t at, const char *option, const char *name)
{
	u->raw_cols[u->of_join + at] = table_column(u->raw, option, name);
}

void
universe_open_raw(struct universe *u)
{
	size_t c, at, raw, none = SIZE_MAX;

	u->raw = table_input(u->o, u->o->header);
	for (c = 0; u->o->columns != NULL && c < u->of_key; c++) {
		at = u->cols[u->of_metric + u->of_query + c];
		raw = named(u->raw, table_name(u->table, at), none);
		if (raw == none)
			die(STATUS_INPUT, "%s has no column '%s'",
			    opts_input(u->o), table_name(u->table, at));
		add_key(u, at, raw);
	}
	for (c = 0; u->o->columns == NULL && c < table_width(u->table); c++) {
		raw = named(u->raw, table_name(u->table, c), none);
		if (raw != none)
			add_key(u, c, raw);
		else if (opts_listed(u->domain))
			die(STATUS_INPUT, "--domain: %s has no column '%s'",
			    opts_input(u->o), table_name(u->table, c));
	}
	if (u->of_join == 0)
		die(STATUS_INPUT, "%s has no column of the domain %s",
		    opts_input(u->o), u->domain);
	if (u->o->weight != NULL)
		add_raw(u, 0, "--weight", u->o->weight);
	if (u->o->unit != NULL)
		add_raw(u, u->o->weight != NULL, "--unit", u->o->unit);
	if (u->o->own_column != NULL)
		add_raw(u, u->o->weight != NULL, "--epsilon-column",
		    u->o->own_column);
}

void
universe_outside(struct universe *u)
{
	bool alike = u->metric == NULL || strcmp(u->metric, "discrete") == 0;

	u->n += u->domain != NULL && alike && (u->o->others ||
	    u->o->neighbors == NEIGHBORS_SWAP);
}

static void
join(struct text *key, uint32_t code)
{
	text_bytes(key, (const char *)&code, sizeof(code));
}

void
universe_index(struct universe *u)
{
	size_t first = u->of_metric + u->of_query + u->of_key, before;
	struct text key = TEXT_INIT;

	for (size_t i = 0; i < u->listed; i++) {
		key.len = 0;
		for (size_t c = 0; c < u->of_join; c++)
			join(&key, u->cell[first + c].code[i]);
		before = cells_find(&u->joined, key.buf, key.len);
		if (before != CELLS_NONE)
			die(STATUS_INPUT, "--domain %s: records %zu and %zu "
			    "are the same element%s", u->domain, before + 1,
			    i + 1, u->of_join < table_width(u->table) ? " in "
			    "the columns by which raw records are matched" :
			    "");
		cells_add(&u->joined, key.buf, key.len);
	}
	text_free(&key);
	u->count = err_alloc(NULL, u->n, sizeof(*u->count));
}

/* The state while raw records are read. */
struct counting {
	struct universe *u;
	struct text key;
	struct people *people;	/* with --unit */
	struct rng rng;		/* for people, and for --epsilon-column */
};

/* The value of a cell, or the band that holds it; CELLS_NONE: none. */
static size_t
value_of(const struct universe *u, size_t c, const struct cell *cell)
{
	size_t at = u->of_metric + u->of_query + u->of_key + c;
	const struct attribute *b = u->listing.n > 0 ?
	    &u->listing.of[u->cols[at]] : NULL;

	/* bands come in order, so that a band's number is the value */
	return cell->missing ? CELLS_NONE : b != NULL && b->step > 0 ?
	    attribute_band(b, cell->text, cell->len) :
	    cells_find(&u->cell[at], cell->text, cell->len);
}

/* The element that these cells name, from 1; 0: none. */
static size_t
element_of(struct counting *a, const struct cell *cells)
{
	const struct universe *u = a->u;
	size_t v;

	a->key.len = 0;
	for (size_t c = 0; c < u->of_join; c++) {
		v = value_of(u, c, &cells[c]);
		if (v == CELLS_NONE)
			return 0;
		join(&a->key, (uint32_t)v);
	}
	return cells_find(&u->joined, a->key.buf, a->key.len) + 1;
}

/* x NULL: a record, or a person, outside the domain. */
static void
count(void *arg, size_t at, const int64_t *x, uint64_t w)
{
	struct universe *u = ((struct counting *)arg)->u;
	uint64_t *n;

	at = x == NULL ? u->listed : at;
	if (at == u->n)
		return;
	n = &u->count[at];
	if (__builtin_add_overflow(*n, w, n))
		*n = UINT64_MAX;
}

/* A row without an id is nobody's. */
static void
count_row(struct counting *a, const struct cell *id, size_t at, uint64_t w)
{
	static const int64_t none[1];
	struct people_row row = { at > 0 ? at - 1 : 0, at > 0 ? none : NULL,
	    w };

	if (!id->missing && id->len > 0 && w > 0)
		people_add(a->people, (struct label){ id->text, id->len },
		    &row);
}

/* How many of w records with private epsilons are kept (personal.h). */
static uint64_t
sample(struct counting *a, const struct cell *own, uint64_t w)
{
	const struct opts *o = a->u->o;
	struct rational eps;

	if (o->own_column == NULL || o->check)
		return w;
	if (intake_rational(own, &eps))
		return personal_thin(&a->rng, w, personal_keep(eps, o->eps));
	if (o->on_bad == ON_BAD_FAIL)
		intake_fail(a->u->records);
	return 0;
}

static void
record(void *arg, const struct cell *cells, size_t fields)
{
	static const int64_t none[1];
	struct counting *a = arg;
	struct universe *u = a->u;
	uint64_t w = 1;
	size_t at;

	(void)fields;
	u->records++;
	if (u->o->weight != NULL)
		w = universe_weight(u, &cells[u->of_join], !u->hidden);
	else
		u->total++;
	w = sample(a, &cells[u->of_join + (u->o->weight != NULL)], w);
	at = element_of(a, cells);
	if (at == 0 && u->strangers++ == 0)
		u->stranger = u->records;
	if (a->people != NULL)
		count_row(a, &cells[u->of_join + (u->o->weight != NULL)], at,
		    w);
	else
		count(a, at > 0 ? at - 1 : 0, at > 0 ? none : NULL, w);
}

/* Each person becomes a record; the ids are then forgotten. */
static void
count_people(struct counting *a)
{
	const struct opts *o = a->u->o;
	struct people_rule rule = { .per = PER_ANY, .groups = true,
	    .weighted = o->weight != NULL, .sorted = o->unit_sorted,
	    .give = count, .arg = a };

	rule.rng = &a->rng;
	a->people = people_new(&rule);
	table_read(a->u->raw, a->u->raw_cols, a->u->of_join + 1 +
	    (o->weight != NULL), record, a);
	a->u->total = people_end(a->people);
	people_free(a->people);
}

#define ALL ((uint64_t)1 << 62)	/* for counts that are cut one by one */

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

	most = most < UNIVERSE_RECORDS ? most : UNIVERSE_RECORDS;
	for (size_t i = 0; i < u->n; i++) {
		if (hidden && u->count[i] > most)
			u->count[i] = most;
		n += u->count[i];
	}
	if (!hidden && n > UNIVERSE_RECORDS)
		memset(u->count, 0, u->n * sizeof(*u->count));
}

/* For --check: records outside the domain are left out of a release. */
static void
tell_records(struct universe *u)
{
	warn("records: %llu, in the domain: %llu",
	    (unsigned long long)u->records,
	    (unsigned long long)(u->records - u->strangers));
	if (u->strangers > 0)
		warn("--domain: records outside: %llu, the first is record "
		    "%llu", (unsigned long long)u->strangers,
		    (unsigned long long)u->stranger);
	u->problems += u->strangers == u->records;
}

void
universe_count(struct universe *u)
{
	struct counting a = { .u = u, .key = TEXT_INIT };
	size_t cols = u->of_join + (u->o->weight != NULL) +
	    (u->o->own_column != NULL);

	if (u->raw == NULL) {
		if (u->o->check)
			warn("elements: %zu, records: %llu", u->n,
			    (unsigned long long)u->total);
		opts_expect(u->o, u->total);
		bound_total(u);
		return;
	}
	u->records = 0;		/* so far the domain's records */
	opts_rng(u->o, "people", &a.rng);
	if (u->o->unit != NULL)
		count_people(&a);
	else
		table_read(u->raw, u->raw_cols, cols, record, &a);
	rng_wipe(&a.rng);
	if (u->o->check)
		tell_records(u);
	opts_expect(u->o, u->total);
	bound_total(u);
	text_free(&a.key);
}
