/* intake_check_words: the words of --check for the curator. */
#include <stdlib.h>

#include "intake_check_state.h"
#include "intake_parts.h"
#include "tool/err.h"

#define LISTED 5	/* keys without a record to name */
#define MANY 20		/* a larger part than this is worth a question */
#define SCALE 24	/* a range as short as this is a scale */
#define MOVES ": the answer moves; is it right?"

static void
tell_strangers(struct check *k, const struct seen *s, const char *option,
    const char *what)
{
	bool many = s->count > k->looked / MANY && !k->in->o->others;

	if (s->count > 0)
		err_warn("%s: records %s: %llu of %llu, the first is record "
		    "%llu: '%s'%s", option, what, (ull)s->count,
		    (ull)k->looked, (ull)s->first, s->sample, many ?
		    ": they are left out; is it right?" : "");
	k->problems |= many;
}

/*
 * Is one value far from all others, and in a hundredth of the cells?  Codes for
 * no value are 9s, or 8s.
 */
static void
tell_codes(struct check *k, const struct check_column *col, const char *name)
{
	for (size_t i = 0; i < CHECK_CODES; i++) {
		double code = check_codes[i];

		if (col->code[i] * 100 > col->good && col->plain > 0 &&
		    (code < 0 ? col->low >= 0 : col->high < .9 * code))
			PROBLEM(k, "column %s: %llu cells are %.0f, far from "
			    "all others: a code for no value? (missingValues "
			    "of the column in a schema, or --missing %.0f for "
			    "all columns)", name,
			    (ull)col->code[i], code, code);
	}
}

/* One digit and zeros, after a sign. */
static bool
is_round(double x)
{
	for (x = x < 0 ? -x : x; x >= 10; x /= 10)
		;
	return x == (int)x;
}

/* Both ends are the data's own, and such as nobody knows beforehand. */
static void
tell_ends(struct check *k, const struct check_column *col,
    const struct range *r, const char *name)
{
	double lo = rational_real(r->lo), hi = rational_real(r->hi);

	if (col->min.x == lo && col->max.x == hi && hi - lo > SCALE &&
	    !(is_round(lo) && is_round(hi)))
		PROBLEM(k, "column %s: the ends of --range are the least and "
		    "the largest number: were they taken from the data? They "
		    "are public", name);
}

/* What the range clamps: cells, or people's sums or counts. */
static void
tell_range(struct check *k, const struct check_column *col,
    const struct range *r, const char *name)
{
	const enum per per = k->in->o->unit.per;
	uint64_t cut = col->below + col->above, of = col->good;
	const char *whose = "", *cure = " (take out codes such as -999)";

	if (opts_totals(k->in->o))
		of = k->people->people;
	else
		tell_ends(k, col, r, name);
	if (of == 0)
		return;
	if (per == PER_SUM)
		whose = " of the people's sums";
	if (per == PER_COUNT) {
		whose = " of the people's numbers of rows";
		cure = "";
	}
	err_warn("column %s: --range raises %llu and lowers %llu%s%s%s", name,
	    (ull)col->below, (ull)col->above, whose, cut > of / 100 ? MOVES :
	    "", cut > of / 100 ? cure : "");
	k->problems |= cut > of / MANY;
}

/* What the limits of a view clamp. */
static void
tell_view(struct check *k, const struct check_column *col, const char *name)
{
	uint64_t cut = col->first + col->last;

	if (cut == 0)
		return;
	err_warn("column %s: outside the schema's limits: %llu in the first "
	    "band and %llu in the last%s", name, (ull)col->first,
	    (ull)col->last, cut > k->looked / 100 ? MOVES : "");
	k->problems |= cut > k->looked / MANY;
}

static void
tell_column(struct check *k, size_t c)
{
	const struct check_column *col = &k->column[c];
	const struct column_view *v = table_view(k->in->table, k->in->cols[c]);
	const char *full = table_name(k->in->table, k->in->cols[c]);
	uint64_t of = col->good;
	char name[BAD_SHOWN];

	bad_show(name, full, strlen(full));
	for (size_t i = 0; i < BAD_KINDS; i++) {
		const struct seen *s = &col->bad[i];
		bool shown = s->sample[0] != '\0';

		if (s->count > 0 && i == BAD_CODE)
			err_warn("column %s: %s: %llu", name, bad_words[i].what,
			    (ull)s->count);
		else if (s->count > 0)
			PROBLEM(k, "column %s: bad, %s: %llu, the first in "
			    "record %llu%s%s%s%s", name, bad_words[i].what,
			    (ull)s->count, (ull)s->first, shown ? ": '" : "",
			    s->sample, shown ? "'" : "", bad_words[i].hint);
	}
	if (col->good > 0 && (v == NULL || v->field->type != SCHEMA_BOOLEAN))
		err_warn("column %s: numbers from %s to %s", name,
		    col->min.sample, col->max.sample);
	if (c < k->in->k)
		tell_codes(k, col, name);
	if (col->good > 2 && col->pointed == col->good)
		PROBLEM(k, "column %s: all cells have a point before three "
		    "digits: 1.250 is read as 1.25, and as 1250 with "
		    "groupChar in a schema", name);
	if (k->in->use.logits && c > 0 && col->good > 0 && col->min.x >= 0 &&
	    col->max.x <= 1)
		PROBLEM(k, "column %s: all from 0 to 1, as probabilities are, "
		    "but logits are read: ln(p / (1 - p)) of one class, ln(p) "
		    "of several", name);
	tell_view(k, col, name);
	if (c < k->in->k && opts_range(k->in->o, c) != NULL)
		tell_range(k, col, opts_range(k->in->o, c), name);
	if (c >= k->in->k && col->above > 0) {
		err_warn("column %s: --most lowers %llu%s", name,
		    (ull)col->above, col->above > of / 100 ? MOVES : "");
		k->problems |= col->above > of / MANY;
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
 * For the choice of K: what it leaves out of people's groups, or rows, and what
 * would keep nearly all.  With K more each person of the `left' keeps one more.
 */
static void
tell_spread(struct check *k, const char *option, const char *what,
    const uint64_t *spread, uint64_t most)
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
	err_warn("%s K: %llu keeps 95 %% of people's %s, %llu keeps 99 %%, "
	    "%llu all", option, (ull)least[0], what, (ull)least[1],
	    (ull)least[2]);
	if (most > 0)
		err_warn("%s %llu leaves out %llu of %llu %s of people, "
		    "%.1f %%", option, (ull)most, (ull)out, (ull)all, what,
		    100 * (double)out / (double)all);
	k->problems |= out > all / MANY;
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
		tell_spread(k, "--max-rows", "rows", f->rows, u->most);
	if (f->several > 0)
		err_warn("--unit: people with rows in several groups: %llu%s",
		    (ull)f->several, each ? "" : "; each counts in one of "
		    "them alone, unless --max-groups, --per share or "
		    "--max-rows is given");
	if (f->several > 0)
		tell_spread(k, "--max-groups", "groups", f->spread, u->groups);
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
	    ("quotes inside cells that do not begin with one (--quote none "
	    "where the file never quotes)"),
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

/* Lines that are no records of this header, and what they may be. */
static void
tell_ragged(struct check *k)
{
	const char *why = "";

	if (table_doubtful(k->in->table))
		PROBLEM(k, "the header has one column, with another delimiter "
		    "in it: is the delimiter right (-d)?");
	if (k->ragged.count == 0)
		return;
	if (k->width > 1 && k->single > 0)
		why = ": blank lines have one";
	if (k->width > 1 && k->single > 1 && 2 * k->single >= k->looked)
		why = ": do lines end with CR CR LF? (tr -d '\\r')";
	if (k->width == 1 && k->ragged.count == k->looked)
		why = ": is a title above the header? (tail -n +2)";
	PROBLEM(k, "records with more or fewer fields than the %s %zu: %llu, "
	    "the first is record %llu with %s%s", table_width(
	    k->in->table) > 0 ? "header's" : "columns read without -c,",
	    k->width, (ull)k->ragged.count, (ull)k->ragged.first,
	    k->ragged.sample, why);
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
	tell_ragged(k);
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
	check_ids_tell(k);
	tell_needs(k);
	exit(k->problems || k->usable <= k->unlisted.count ? STATUS_INPUT :
	    STATUS_OK);
}
