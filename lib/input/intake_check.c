/* intake_check: the words of --check for the curator. */
#include "intake_check.h"

#include <stdlib.h>

#include "bad.h"
#include "tool/err.h"

typedef unsigned long long ull;	/* for %llu */

#define DIGITS 6	/* decimals by which numbers are compared */
#define LISTED 5	/* keys without a record to name */
#define MOVES ": the answer moves; is it right?"

/* How often something was seen, and where first. */
struct seen {
	uint64_t count, first;
	char sample[BAD_SHOWN];
};

/* A number in the input, as written. */
struct extreme {
	double x;
	char sample[BAD_SHOWN];
};

struct check_column {
	struct seen bad[BAD_KINDS];
	struct extreme min, max;
	uint64_t good, below, above;
};

struct check {
	struct intake *in;
	struct check_column *column;	/* for each of in->all */
	struct seen ragged, stranger, nobody, unlisted;
	uint64_t *group;		/* usable weight in each, and in none */
	size_t width;			/* fields that a record should have */
	uint64_t looked, usable;	/* records, of the slice */
	u128 weight;			/* of usable records */
	struct quotes quotes;	
	const struct people_facts *people;	/* at the end, with --unit */
	bool problems;
};

/* Decimals enough to compare numbers with the ranges, where decimals fit. */
static void
set_grid(struct intake *in)
{
	int digits = DIGITS;
	int64_t x;

	for (size_t i = 0; i < in->o->ranges.n; i++)
		while (digits > 0 && (!rational_grid(in->o->ranges.at[i].lo,
		    digits, FIXED_NEAREST, &x) || !rational_grid(
		    in->o->ranges.at[i].hi, digits, FIXED_NEAREST, &x)))
			digits--;
	intake_grid(in, digits);
}

struct check *
check_new(struct intake *in)
{
	struct check *k = err_alloc(NULL, 1, sizeof(*k));
	size_t groups = in->keys.n + 1, width = table_width(in->table);

	*k = (struct check){ .in = in, .width = width > 0 ||
	    in->o->columns != NULL || in->all > in->k ? width : in->k,
	    .column = err_alloc(NULL, in->all, sizeof(*k->column)),
	    .group = err_alloc(NULL, groups, sizeof(*k->group)) };
	table_quotes(in->table, &k->quotes);
	set_grid(in);
	return k;
}

static void
see(struct check *k, struct seen *s, const struct cell *cell)
{
	if (s->count++ > 0)
		return;
	s->first = k->in->records;
	bad_show(s->sample, cell->text, cell->len);
}

/* Notes a bad cell in column c, and why; false. */
static bool
bad(struct check *k, const struct cell *cell, size_t c, enum bad why)
{
	see(k, &k->column[c].bad[why], cell);
	return false;
}

/* Takes in another good number. */
static void
widen(struct check_column *col, const struct extreme *x)
{
	if (col->good == 0 || x->x < col->min.x)
		col->min = *x;
	if (col->good == 0 || x->x > col->max.x)
		col->max = *x;
	col->good++;
}

/* Is the first column to be a class 0, 1, ..., and is no class? */
static bool
no_class(const struct intake *in, size_t c, int64_t x, int digits)
{
	int64_t one = fixed_pow10(digits);

	return c == 0 && in->use.classes > 0 && (x < 0 || x % one != 0 ||
	    (uint64_t)(x / one) >= in->use.classes);
}

/* Is the cell in column c a number?  Takes it in. */
static bool
check_cell(struct check *k, const struct cell *cell, size_t c,
    const struct bounds *b, int64_t *x)
{
	struct check_column *col = &k->column[c];
	struct extreme e;

	if (cell->missing ||
	    !fixed_cell_behind(cell->text, cell->len, b->digits, x))
		return bad(k, cell, c, bad_kind(cell));
	if (no_class(k->in, c, *x, b->digits))
		return bad(k, cell, c, BAD_CLASS);
	bad_show(e.sample, cell->text, cell->len);
	e.x = strtod(e.sample, NULL);
	widen(col, &e);
	if (bad_beyond(cell))
		see(k, &col->bad[BAD_BEYOND], cell);
	if (c >= k->in->k || k->in->o->unit.per != PER_SUM) {
		col->below += *x < b->lo;
		col->above += *x > b->hi;
	}
	return true;
}

static bool
check_others(struct check *k, const struct cell *cells, uint64_t *w)
{
	const struct intake *in = k->in;
	struct bounds b = { 0, FIXED_MAX, 0, DIGITS };
	struct rational own, most = in->o->sampling.most;
	size_t at = in->at[CELL_OWN], weight = in->at[CELL_SAMPLING];
	int64_t x = 0;
	bool good = true;

	for (size_t c = 0; c < in->use.texts; c++)
		if (cells[c].missing)
			good = bad(k, &cells[c], c, BAD_MISSING);
	if (in->o->weight != NULL && !intake_weight(in->o, &cells[in->k], w)) {
		good = bad(k, &cells[in->k], in->k, BAD_WEIGHT);
		*w = in->o->on_bad == ON_BAD_NUMBER;
	}
	if (most.den > 0)
		rational_grid(most, DIGITS, FIXED_NEAREST, &b.hi);
	if (in->o->sampling.column != NULL)
		good = check_cell(k, &cells[weight], weight, &b, &x) && good;
	if (x < 0)
		good = bad(k, &cells[weight], weight, BAD_OWN);
	if (in->o->own_column != NULL && (!intake_rational(
	    &cells[at], &own) || rational_sign(own) < 0))
		good = bad(k, &cells[at], at, BAD_OWN);
	return good;
}

/* A person's row; in its cell, or -1. */
static void
check_unit(struct check *k, const struct cell *id, bool good, int64_t cell,
    struct people_row r)
{
	uint64_t cells = k->in->use.cells;

	/* a row without a listed key is no person's row */
	if (r.group < k->in->groups && (cells == 0 || cell >= 0) &&
	    (good || k->in->o->unit.per != PER_SUM))
		r.x = k->in->x;
	if (cells > 0)
		r.group = r.group * cells + (uint64_t)(cell < 0 ? 0 : cell);
	if (id->missing || id->len == 0)
		see(k, &k->nobody, id);
	else
		people_add(k->in->people, NULL, (struct label){ id->text,
		    id->len }, &r);
}

void
check_record(struct check *k, const struct cell *cells, size_t fields)
{
	struct intake *in = k->in;
	const struct intake_use *use = &in->use;
	size_t group = in->keys.n > 0 ? intake_find_group(in, cells) : 0;
	char count[FIXED_TEXT];
	int64_t place = -1;
	uint64_t w = 1;
	bool good = check_others(k, cells, &w);

	k->looked++;
	if (k->width > 0 && fields != k->width) {
		fixed_text(count, (i128)fields, 0);
		see(k, &k->ragged, &(struct cell){ count, strlen(count),
		    false });
	}
	if (use->code != NULL && use->listed != NULL && !cells[0].missing &&
	    use->code(use->arg, cells, in->x) && (place = in->x[0]) < 0)
		see(k, &k->unlisted, &cells[0]);
	for (size_t c = in->use.texts; c < in->k && !in->rows; c++)
		good = check_cell(k, &cells[c], c, &in->bounds[c],
		    &in->x[c]) && good;
	in->total += w;
	if (in->keys.n > 0 && group == in->keys.n)
		see(k, &k->stranger, &cells[in->at[CELL_GROUP]]);
	if (in->o->unit.column != NULL)
		check_unit(k, &cells[in->at[CELL_UNIT]], good, place,
		    (struct people_row){ group, NULL, w });
	if (!good)
		return;
	k->usable++;
	k->weight += w;
	k->group[group] += w;
}

void
check_sums(struct check *k, const int64_t *x)
{
	for (size_t c = k->in->use.texts; x != NULL && c < k->in->k; c++) {
		k->column[c].below += x[c] < k->in->bounds[c].lo;
		k->column[c].above += x[c] > k->in->bounds[c].hi;
	}
}

/* A warning that makes the status 1. */
#define PROBLEM(k, ...) ((k)->problems = true, err_warn(__VA_ARGS__))

static void
tell_strangers(struct check *k, const struct seen *s, const char *option,
    const char *what)
{
	bool most = s->count > k->looked / 2 && !k->in->o->others;

	if (s->count > 0)
		err_warn("%s: records %s: %llu of %llu, the first is record "
		    "%llu: '%s'%s", option, what, (ull)s->count,
		    (ull)k->looked, (ull)s->first, s->sample, most ?
		    ": most are left out; is it right?" : "");
	k->problems |= most;
}

static void
tell_column(struct check *k, size_t c)
{
	const struct check_column *col = &k->column[c];
	const char *full = table_name(k->in->table, k->in->cols[c]);
	uint64_t cut = col->below + col->above, of = col->good;
	const char *whose = "";
	char name[BAD_SHOWN];

	bad_show(name, full, strlen(full));
	for (size_t i = 0; i < BAD_KINDS; i++) {
		const struct seen *s = &col->bad[i];
		bool shown = s->sample[0] != '\0';

		if (s->count > 0)
			PROBLEM(k, "column %s: bad, %s: %llu, the first in "
			    "record %llu%s%s%s%s", name, bad_words[i].what,
			    (ull)s->count, (ull)s->first, shown ? ": '" : "",
			    s->sample, shown ? "'" : "", bad_words[i].hint);
	}
	if (col->good > 0)
		err_warn("column %s: numbers from %s to %s", name,
		    col->min.sample, col->max.sample);
	if (col->good > 0 && c < k->in->k && opts_range(k->in->o, c) != NULL &&
	    k->in->o->unit.per != PER_COUNT) {
		if (k->in->o->unit.per == PER_SUM) {
			whose = " of the people's sums";
			of = k->people->people;
		}
		err_warn("column %s: --range raises %llu and lowers %llu%s%s",
		    name, (ull)col->below, (ull)col->above, whose, cut > of /
		    100 ? MOVES " (take out codes such as -999)" : "");
		k->problems |= cut > of / 2;
	}
	if (c >= k->in->k && col->above > 0) {
		err_warn("column %s: --most lowers %llu%s", name,
		    (ull)col->above, col->above > of / 100 ? MOVES : "");
		k->problems |= col->above > of / 2;
	}
}

/* How many keys have fewer than `least' usable records, and some names. */
static size_t
check_lacking(const struct check *k, uint64_t least, struct text *names)
{
	const struct intake *in = k->in;
	size_t lacking = 0;

	for (size_t g = 0; g < in->keys.n; g++) {
		const struct label key = keys_name(&in->keys, g);

		if (k->group[g] >= least || lacking++ >= LISTED)
			continue;
		text_add(names, lacking > 1 ? ", " : "");
		text_cell(names, key.text, key.len);
	}
	text_add(names, lacking > LISTED ? ", ..." : "");
	return lacking;
}

/* The key with the fewest usable records. */
static size_t
check_smallest(const struct check *k)
{
	size_t least = 0;

	for (size_t g = 1; g < k->in->keys.n; g++)
		if (k->group[g] < k->group[least])
			least = g;
	return least;
}

static void
tell_groups(struct check *k)
{
	const struct intake *in = k->in;
	struct text names = TEXT_INIT;
	size_t least = check_smallest(k);
	struct label key;
	const char *listed = in->use.listed, *option = listed != NULL ?
	    listed : "--groups";
	size_t lacking = check_lacking(k, 1, &names);

	if (lacking > 0)
		PROBLEM(k, "%s: keys without a usable record: %zu of %zu: "
		    "%.*s", option, lacking, in->keys.n, (int)names.len,
		    names.buf);
	else if (in->keys.n > 0) {
		key = keys_name(&in->keys, least);
		text_cell(&names, key.text, key.len);
		err_warn("%s: the smallest is %.*s, with %llu usable records",
		    option, (int)names.len, names.buf, (ull)k->group[least]);
	}
	text_free(&names);
	tell_strangers(k, &k->stranger, option, "of no listed key");
}

/*
 * For the choice of K: what it leaves out of people's groups, and what would
 * keep nearly all.  With K more each person of the `left' keeps one more.
 */
static void
check_tell_spread(const uint64_t *spread, uint64_t most)
{
	static const unsigned percent[] = { 95, 99, 100 };
	uint64_t least[3] = { 0 };
	u128 all = 0, left = 0, kept = 0, out = 0;

	for (uint64_t m = 1; m <= PER_GROUPS; m++) {
		all += (u128)spread[m] * m;
		left += spread[m];
	}
	for (uint64_t m = 1; kept < all; left -= spread[m++]) {
		kept += left;
		if (m == most)
			out = all - kept;
		for (int i = 0; i < 3; i++)
			if (least[i] == 0 && kept * 100 >= all * percent[i])
				least[i] = m;
	}
	err_warn("--max-groups K: %llu keeps 95 %% of people's groups, %llu "
	    "keeps 99 %%, %llu all", (ull)least[0], (ull)least[1],
	    (ull)least[2]);
	if (most > 0)
		err_warn("--max-groups %llu leaves out %llu of %llu groups of "
		    "people, %.1f %%", (ull)most, (ull)out, (ull)all,
		    100 * (double)out / (double)all);
}

static void
tell_people(struct check *k)
{
	const struct people_facts *f = k->people;
	const struct unit *u = &k->in->o->unit;
	bool each = u->per >= PER_SHARE || u->most > 0 || u->groups > 0;

	if (k->nobody.count > 0)
		PROBLEM(k, "--unit: records without an id: %llu, the first is "
		    "record %llu", (ull)k->nobody.count, (ull)k->nobody.first);
	err_warn("--unit: people: %llu, the most rows of one: %llu",
	    (ull)f->people, (ull)f->largest);
	if (f->cut > 0)
		err_warn("--max-rows: rows beyond it: %llu of %llu",
		    (ull)f->cut, (ull)k->in->total);
	if (f->several > 0)
		err_warn("--unit: people with rows in several groups: %llu%s",
		    (ull)f->several, each ? "" : "; each counts in one of "
		    "them alone, unless --max-groups, --per share or "
		    "--max-rows is given");
	if (f->several > 0)
		check_tell_spread(f->spread, u->groups);
	k->problems |= f->several > 0 && !each;
}

/* The smallest group's size counts, as every group has one scale. */
static void
tell_size(struct check *k)
{
	const struct intake *in = k->in;
	bool promised = in->use.promised;
	u128 size = in->use.size, least = k->weight;
	const char *what = "usable records:";

	if (in->keys.n > 0) {
		what = "the smallest group has";
		least = k->group[check_smallest(k)];
	} else if (in->people != NULL) {
		what = "people:";
		least = k->people->people;
	} else if (promised) {
		what = "records:";
		least = in->total;
	}
	err_warn("--size %llu: %s %llu", (ull)size, what, (ull)least);
	if (promised)
		k->problems |= size != least;
	else
		k->problems |= size > 2 * least || 2 * size < least;
}

static void
tell_quotes(struct check *k)
{
	static const char *const what[] = {
	    "quotes inside cells that do not begin with one",
	    "text after the closing quote of a cell",
	    "quoted cells of several lines" };
	const struct quotes *q = &k->quotes;

	for (int i = 0; i < QUOTES_KINDS; i++)
		if (q->seen[i].count > 0)
			PROBLEM(k, "%s: %llu, the first on line %llu", what[i],
			    (ull)q->seen[i].count, (ull)q->seen[i].line);
	if (q->state == QUOTES_INSIDE)
		PROBLEM(k, "the quote on line %llu is never closed: all that "
		    "follows is one cell", (ull)q->opened);
}

/* Every group asks its own quantiles. */
static void
tell_needs(struct check *k)
{
	struct text names = TEXT_INIT;
	uint64_t needs = k->in->use.needs;
	size_t lacking = check_lacking(k, needs, &names);

	if (lacking > 0)
		PROBLEM(k, "these quantiles need %llu records or more in each "
		    "group, see --explain: %zu have fewer: %.*s", (ull)needs,
		    lacking, (int)names.len, names.buf);
	else if (k->weight < needs)
		PROBLEM(k, "these quantiles need %llu records or more, see "
		    "--explain", (ull)needs);
	text_free(&names);
}

noreturn void
check_end(struct check *k)
{
	struct intake *in = k->in;
	bool expect = opts_given(in->o, OPT_EXPECT_WEIGHT) != NULL;

	if (in->people != NULL)
		k->people = people_end(in->people);
	err_warn("records: %llu, usable: %llu", (ull)in->records,
	    (ull)k->usable);
	if (in->o->slice.value != NULL)
		err_warn("--slice: records of it: %llu of %llu",
		    (ull)k->looked, (ull)in->records);
	if (k->ragged.count > 0)
		PROBLEM(k, "records with more or fewer fields than the %s %zu:"
		    " %llu, the first is record %llu with %s",
		    table_width(in->table) > 0 ? "header's" : "columns read "
		    "without -c,", k->width, (ull)k->ragged.count,
		    (ull)k->ragged.first, k->ragged.sample);
	tell_quotes(k);
	for (size_t c = 0; c < in->all; c++)
		tell_column(k, c);
	tell_groups(k);
	tell_strangers(k, &k->unlisted, in->use.listed, "outside");
	if (in->people != NULL)
		tell_people(k);
	if (in->o->weight != NULL || expect)
		err_warn("the total weight is %llu", (ull)in->total);
	k->problems |= expect && in->total != in->o->expect;
	if (in->use.size > 0)
		tell_size(k);
	tell_needs(k);
	exit(k->problems || k->usable <= k->unlisted.count ? STATUS_INPUT :
	    STATUS_OK);
}
