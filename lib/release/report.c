/* report: a release in public facts alone. */
#include "report.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random/personal.h"
#include "tool/err.h"
#include "tool/row.h"

/*
 * A full note ends with dots in place of the last characters; a UTF-8 character
 * is never cut in two.
 */
void
report_note(struct report *r, const char *key, const char *format, ...)
{
	size_t at = REPORT_NOTE - sizeof("...");
	struct note *n;
	va_list args;
	int len;

	if (r->nnotes == REPORT_NOTES)
		die(STATUS_USAGE, "too many notes in a report");
	n = &r->notes[r->nnotes++];
	n->key = key;
	va_start(args, format);
	len = vsnprintf(n->text, sizeof(n->text), format, args);
	va_end(args);
	if (len < REPORT_NOTE)
		return;
	while (at > 0 && ((unsigned char)n->text[at] & 0xc0) == 0x80)
		at--;
	strcpy(n->text + at, "...");
}

/* The product; den 0 where the parts have no room. */
static struct rational
product(struct rational a, struct rational b)
{
	return rational_mul(&a, a, b) ? a : (struct rational){ 0, 0 };
}

void
report_scale(struct report *r, const struct scale *t, int digits)
{
	const struct opts *o = r->opts;
	const struct rational grid = { 1, fixed_pow10(digits) };

	r->scale = product((struct rational){ t->s, t->r }, grid);
	r->error95 = product((struct rational){ (i128)noise_error95(t), 1 },
	    grid);
	if (o->interval.den == 0)
		return;
	r->reach = (i128)noise_reach(t, o->interval);
	r->half_width = product((struct rational){ r->reach, 1 }, grid);
}

static const char *
relation(const struct report *r)
{
	static const char *const words[][2] = { { "add-remove", "swap" },
	    { "people", "people, swap" } };

	return r->neighbors != NULL ? r->neighbors :
	    words[r->opts->unit.column != NULL][r->opts->neighbors];
}

/*
 * One fact.  A NULL value is null in JSON and left out elsewhere; JSON has
 * `number` values without quotes.
 */
static void
fact(struct row *out, const char *key, const char *value, bool number)
{
	if (out->format != FORMAT_JSON && value != NULL)
		text_printf(out->out, "%s: %s\n", key, value);
	else if (out->format == FORMAT_JSON && (value == NULL || number))
		row_word(out, key, value);
	else if (value != NULL)
		row_text(out, key, value, strlen(value));
}

static void
rational_fact(struct row *out, const char *key, struct rational x)
{
	char buf[FIXED_TEXT];

	fact(out, key, x.den != 0 ? rational_text(buf, x) : NULL, true);
}

static void
head(const struct report *r, struct row *out)
{
	fact(out, "tool", r->opts->tool->name, false);
	fact(out, "version", DPUTILS_VERSION, false);
	fact(out, "mechanism", r->mechanism, false);
}

/* The ranges; with --slice the records looked at. */
static void
range_facts(const struct opts *o, struct row *out)
{
	char lo[FIXED_TEXT], hi[FIXED_TEXT];
	struct text words = TEXT_INIT;

	for (size_t i = 0; i < o->ranges.n; i++)
		text_printf(&words, "%s%s:%s", i > 0 ? "," : "",
		    rational_text(lo, o->ranges.at[i].lo),
		    rational_text(hi, o->ranges.at[i].hi));
	text_bytes(&words, "", 1);
	fact(out, "range", o->ranges.n > 0 ? words.buf : NULL, false);
	words.len = 0;
	if (o->slice.value != NULL) {
		text_printf(&words, "%s=%s", o->slice.column,
		    o->slice.value);
		text_bytes(&words, "", 1);
		fact(out, "slice", words.buf, false);
	}
	text_free(&words);
}

static void
on_bad_fact(const struct report *r, struct row *out)
{
	const struct opts *o = r->opts;
	char buf[FIXED_TEXT];
	const char *word = o->on_bad == ON_BAD_DROP ? "drop" :
	    o->on_bad == ON_BAD_FAIL ? "fail" : o->bad.den > 0 ?
	    rational_text(buf, o->bad) : o->ranges.n > 0 ?
	    "center of the range" : "0";

	fact(out, "on_bad", word, false);
}

/*
 * With --unit: the column whose values are people, and the use of their
 * rows.
 */
static void
unit_facts(const struct report *r, struct row *out)
{
	static const char *const words[] = { "", "sum", "mean", "count",
	    "min", "max", "any", "share", "max-rows" };
	const char *unit = r->unit != NULL ? r->unit : r->opts->unit.column;

	if (unit != NULL)
		fact(out, "unit", unit, false);
	if (r->opts->unit.per != PER_NONE)
		fact(out, "per", words[r->opts->unit.per], false);
	if (r->opts->unit.groups > 0)
		rational_fact(out, "max_groups", (struct rational){
		    (i128)r->opts->unit.groups, 1 });
}

static void
noise_facts(const struct report *r, struct row *out)
{
	struct rational grid = { 1, r->digits < 0 ? 0 :
	    fixed_pow10(r->digits) };
	char buf[RATIONAL_TEXT];

	fact(out, "epsilon", r->eps.den > 0 ? rational_exact(buf, r->eps) :
	    NULL, r->eps.den > 0 && rational_digits(r->eps) >= 0);
	fact(out, "neighbors", relation(r), false);
	unit_facts(r, out);
	rational_fact(out, "sensitivity", r->sens);
	rational_fact(out, "grid", grid);
	rational_fact(out, "scale", r->scale);
	rational_fact(out, "error95", r->error95);
	if (r->opts->interval.den == 0)
		return;
	rational_fact(out, "interval", r->opts->interval);
	if (r->half_width.den != 0)
		rational_fact(out, "half_width", r->half_width);
}

static void
tail(const struct report *r, struct row *out)
{
	const struct opts *o = r->opts;
	char buf[FIXED_TEXT];

	noise_facts(r, out);
	range_facts(o, out);
	on_bad_fact(r, out);
	snprintf(buf, sizeof(buf), "%llu", (unsigned long long)o->seed);
	fact(out, "seed", opts_given(o, OPT_SEED) ? buf : NULL, true);
	fact(out, "ledger", o->charge.ledger, false);
}

char *
report_part(const struct report *r, bool behind)
{
	struct text out = TEXT_INIT;
	struct row row = { &out, FORMAT_JSON, behind };

	if (r->opts->format != FORMAT_JSON)
		return NULL;
	text_add(&out, behind ? "" : "{");
	(behind ? tail : head)(r, &row);
	if (behind && r->opts->non_private)
		row_word(&row, "non_private", "true");
	return text_string(&out);
}

/*
 * [DMNS06 Definition 6, Claim 3] A release of charge C changes the odds of two
 * neighbours by e^C at most, so the chance p for a neighbour becomes at most p
 * e^C / (1 - p + p e^C) = 1 / (1 + odds e^-C), odds being (1 - p)/p; here in
 * thousandths, rounded up from a lower bound of e^-C.
 */
static unsigned
belief(struct rational charge, unsigned odds)
{
	u128 rest = (u128)odds * personal_fade(charge, FIXED_FLOOR) +
	    PERSONAL_ONE;

	return (unsigned)(((u128)1000 * PERSONAL_ONE + rest - 1) / rest);
}

/*
 * One of two neighbors has the record, or says the claim about the record.
 * Nothing under a metric, where epsilon is for a unit of distance.
 */
static void
belief_fact(const struct report *r, struct row *out, struct rational charge)
{
	static const char *const what[] = { "being there", "saying this" };
	char text[REPORT_NOTE];

	snprintf(text, sizeof(text), "who gives %s%s a chance of 0.5 before "
	    "gives it %.3f at most after, and %.3f for 0.1", r->stated ?
	    "one of two data sets" : r->opts->unit.column != NULL ?
	    "a person's " : "a record's ", r->stated ? "" :
	    what[r->opts->neighbors],
	    belief(charge, 1) / 1e3, belief(charge, 9) / 1e3);
	fact(out, "belief", r->metric == NULL ? text : NULL, false);
}

/* N releases cost N epsilon; groups cost one, by parallel composition. */
static void
charge_fact(const struct report *r, struct row *out)
{
	const struct rational n = { (i128)r->opts->repeat, 1 };
	struct rational charge;
	char buf[RATIONAL_TEXT];

	if (r->eps.den == 0) {
		fact(out, "charge", r->opts->repeat > 1 ? "N E" : "E", false);
	} else if (rational_mul(&charge, n, r->eps)) {
		fact(out, "charge", rational_exact(buf, charge),
		    rational_digits(charge) >= 0);
		belief_fact(r, out, charge);
	}
}

/* With --groups, --weight and --epsilon-column. */
static void
own_facts(const struct report *r, struct row *out)
{
	const struct opts *o = r->opts;
	bool hidden = o->op.hides_group && !opts_public(o, o->group);
	char text[REPORT_NOTE];

	snprintf(text, sizeof(text), "one charge for all: a record is in one "
	    "group only%s", o->neighbors != NEIGHBORS_SWAP ? "" : hidden ?
	    "; its group is private: the noise is that of one record less and "
	    "one more" : "; its group is public");
	if (o->unit.groups > 0)
		strcpy(text, "one charge for all: a person counts in "
		    "max_groups at most, with epsilon / max_groups in each");
	if (o->groups != NULL || o->unit.groups > 0)
		fact(out, "groups", text, false);
	if (r->opts->weight != NULL)
		fact(out, "weight", "whole numbers from 0 up; any other makes "
		    "a record bad", false);
	if (o->sampling.column != NULL)
		rational_fact(out, "sampling_weight_most", o->sampling.most);
	if (r->opts->own_column == NULL)
		return;
	fact(out, "epsilon_column", "each record has its own epsilon, at most "
	    "the one above", false);
	snprintf(text, sizeof(text), "a record of epsilon e counts as e/E of a "
	    "record, rounded down to parts of 1/%llu",
	    (unsigned long long)o->unit.whole);
	if (o->op.own_weight)
		fact(out, "own_weight", text, false);
	else if (!o->op.own_whole)
		fact(out, "sampling", "a record of epsilon e is kept with "
		    "probability (exp(e) - 1) / (exp(E) - 1); error95 leaves "
		    "this out", false);
}

void
report_print(const struct report *r, struct text *out, bool json)
{
	struct row row = { out, json ? FORMAT_JSON : FORMAT_PLAIN, false };

	text_add(out, json ? "{" : "");
	head(r, &row);
	fact(&row, "noise", r->noise, false);
	tail(r, &row);
	charge_fact(r, &row);
	own_facts(r, &row);
	for (size_t i = 0; i < r->nnotes; i++)
		fact(&row, r->notes[i].key, r->notes[i].text, false);
	text_add(out, json ? "}\n" : "");
}

void
report_explain(const struct report *r)
{
	struct text out = TEXT_INIT;

	report_print(r, &out, r->opts->format == FORMAT_JSON);
	text_output(out.buf, out.len);
	exit(STATUS_OK);
}

void
report_verbose(const struct report *r)
{
	struct text out = TEXT_INIT;

	if (!r->opts->verbose)
		return;
	report_print(r, &out, r->opts->format == FORMAT_JSON);
	fwrite(out.buf, 1, out.len, stderr);
	text_free(&out);
}
