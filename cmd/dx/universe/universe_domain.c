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
#include <string.h>

#include "input/intake.h"
#include "input/people.h"
#include "random/personal.h"
#include "tool/err.h"
#include "universe_build.h"

static void
add_raw(struct universe *u, size_t column)
{
	struct columns *c = &u->of_raw;

	c->at = err_alloc(c->at, c->n + 1, sizeof(*c->at));
	c->at[c->n++] = column;
}

/* Raw records are matched by this column, if they have one of its name. */
static void
match(struct universe *u, size_t column, bool must)
{
	const char *name = table_name(u->base.table, column);
	size_t c = 0, width = table_width(u->raw);

	while (c < width && strcmp(table_name(u->raw, c), name) != 0)
		c++;
	if (c < width) {
		sheet_want(&u->base, &u->of_join, column);
		add_raw(u, c);
	} else if (must)
		die(STATUS_INPUT, "--domain: %s has no column '%s'",
		    opts_input(u->o), name);
}

void
universe_open_raw(struct universe *u)
{
	const struct opts *o = u->o;
	bool chosen = o->columns != NULL;
	size_t n = chosen ? u->of_key.n : table_width(u->base.table);

	u->raw = table_input(o);
	for (size_t c = 0; c < n; c++)
		match(u, chosen ? u->base.column[u->of_key.at[c]] : c,
		    chosen || opts_listed(u->domain));
	if (u->of_join.n == 0)
		die(STATUS_INPUT, "%s has no column of the domain %s",
		    opts_input(o), u->domain);
	if (o->weight != NULL)
		add_raw(u, table_column(u->raw, "--weight", o->weight));
	if (o->unit != NULL)
		add_raw(u, table_column(u->raw, "--unit", o->unit));
	if (o->own_column != NULL)
		add_raw(u, table_column(u->raw, "--epsilon-column",
		    o->own_column));
}

/* The state while raw records are read. */
struct counting {
	struct universe *u;
	struct cells joined;	/* the key of each element */
	struct text key;
	struct people *people;	/* with --unit */
	struct rng rng;		/* for people, and for --epsilon-column */
	uint64_t records;
	uint64_t strangers, stranger;	/* records that the domain lacks, and
					   the first */
	u128 total;		/* of the weights, before clamps */
};

static void
join(struct counting *a, uint32_t code)
{
	text_bytes(&a->key, (const char *)&code, sizeof(code));
}

static size_t
joined(const struct counting *a)
{
	return cells_find(&a->joined, (struct label){ a->key.buf, a->key.len });
}

static void
make_index(struct counting *a)
{
	const struct universe *u = a->u;
	size_t before;

	for (size_t i = 0; i < u->base.rows; i++) {
		a->key.len = 0;
		for (size_t c = 0; c < u->of_join.n; c++)
			join(a, u->base.cell[u->of_join.at[c]].code[i]);
		before = joined(a);
		if (before != CELLS_NONE)
			die(STATUS_INPUT, "--domain %s: records %zu and %zu "
			    "are the same element%s", u->domain, before + 1,
			    i + 1, u->of_join.n < table_width(u->base.table) ?
			    " in the columns by which raw records are matched" :
			    "");
		cells_add(&a->joined, a->key.buf, a->key.len);
	}
}

/* The number of a cell's value, or CELLS_NONE.  A list's values come in
   order. */
static size_t
value_of(const struct universe *u, size_t at, const struct cell *cell)
{
	if (u->listing.n > 0)
		return attribute_value(&u->listing.of[u->base.column[at]],
		    cell);
	return cell->missing ? CELLS_NONE : cells_find(&u->base.cell[at],
	    (struct label){ cell->text, cell->len });
}

/* The element that these cells name, from 1; 0: none. */
static size_t
element_of(struct counting *a, const struct cell *cells)
{
	const struct universe *u = a->u;
	size_t v;

	a->key.len = 0;
	for (size_t c = 0; c < u->of_join.n; c++) {
		v = value_of(u, u->of_join.at[c], &cells[c]);
		if (v == CELLS_NONE)
			return 0;
		join(a, (uint32_t)v);
	}
	return joined(a) + 1;
}

/* x NULL: a record, or a person, outside the domain. */
static void
count(void *arg, size_t at, const int64_t *x, uint64_t w)
{
	struct universe *u = ((struct counting *)arg)->u;
	uint64_t *n;

	at = x == NULL ? u->base.rows : at;
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
		people_add(a->people, NULL, (struct label){ id->text,
		    id->len }, &row);
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
		intake_fail(a->records);
	return 0;
}

static void
record(void *arg, const struct cell *cells, size_t fields)
{
	static const int64_t none[1];
	struct counting *a = arg;
	const struct cell *own = cells + a->u->of_join.n;
	uint64_t w = 1;
	size_t at;

	(void)fields;
	a->records++;
	if (a->u->o->weight != NULL)
		w = universe_weight(a->u, own++, a->records, !a->u->hidden);
	a->total += w;
	w = sample(a, own, w);
	at = element_of(a, cells);
	if (at == 0 && a->strangers++ == 0)
		a->stranger = a->records;
	if (a->people != NULL)
		count_row(a, own, at, w);
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
	    .threads = 1, .give = count, .arg = a };

	rule.rng = &a->rng;
	a->people = people_new(&rule);
	table_read(a->u->raw, a->u->of_raw.at, a->u->of_raw.n, record, a);
	a->total = people_end(a->people);
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
tell_records(const struct counting *a)
{
	warn("records: %llu, in the domain: %llu",
	    (unsigned long long)a->records,
	    (unsigned long long)(a->records - a->strangers));
	if (a->strangers > 0)
		warn("--domain: records outside: %llu, the first is record "
		    "%llu", (unsigned long long)a->strangers,
		    (unsigned long long)a->stranger);
	a->u->problems += a->strangers == a->records;
}

/* Returns how many there are. */
static u128
count_raw(struct universe *u)
{
	struct counting a = { .u = u, .key = TEXT_INIT };

	make_index(&a);
	opts_rng(u->o, "people", &a.rng);
	if (u->o->unit != NULL)
		count_people(&a);
	else
		table_read(u->raw, u->of_raw.at, u->of_raw.n, record, &a);
	rng_wipe(&a.rng);
	if (u->o->check)
		tell_records(&a);
	text_free(&a.key);
	cells_free(&a.joined);
	return a.total;
}

void
universe_count(struct universe *u)
{
	u128 total = 0;

	for (size_t i = 0; i < u->n; i++)
		total += u->count[i];
	if (u->raw != NULL)
		total = count_raw(u);
	else if (u->o->check)
		warn("elements: %zu, records: %llu", u->n,
		    (unsigned long long)total);
	opts_expect(u->o, total);
	bound_total(u);
}
