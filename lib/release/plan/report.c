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
		err_die(STATUS_USAGE, "too many notes in a report");
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
report_product(struct rational a, struct rational b)
{
	if (!rational_mul(&a, a, b))
		return (struct rational){ 0, 0 };
	return a;
}

/* In steps of the grid, reach alone with --interval. */
static void
report_reach(struct report *r, double error, double reach, int digits)
{
	const struct rational grid = { 1, fixed_pow10(digits) };

	r->reach = (i128)reach;
	r->error95 = report_product((struct rational){ (i128)error, 1 }, grid);
	r->half_width = report_product((struct rational){ r->reach, 1 }, grid);
}

void
report_scale(struct report *r, const struct scale *t, int digits)
{
	const struct rational grid = { 1, fixed_pow10(digits) };
	struct rational p = r->opts->interval;

	r->scale = report_product((struct rational){ t->s, t->r }, grid);
	report_reach(r, noise_error95(t), p.den ? noise_reach(t, p) : 0,
	    digits);
}

void
report_box(struct report *r, const struct knorm *k, size_t c, int digits)
{
	struct rational usual = { 19, 20 }, p = r->opts->interval;

	report_reach(r, knorm_reach(k, c, usual), p.den ? knorm_reach(k, c, p) :
	    0, digits);
}

static const char *
report_relation(const struct report *r)
{
	static const char *const words[][2] = { { "add-remove", "swap" },
	    { "people", "people, swap" } };

	if (r->neighbors != NULL)
		return r->neighbors;
	return words[r->opts->unit.column != NULL][r->opts->neighbors];
}

/*
 * A fact that is a number, without quotes in JSON.  A NULL value is null in
 * JSON and left out elsewhere.
 */
static void
report_number(struct row *out, const char *key, const char *value)
{
	if (out->format == FORMAT_JSON)
		row_word(out, key, value);
	else if (value != NULL)
		text_printf(out->out, "%s: %s\n", key, value);
}

/* A fact in words. */
static void
report_fact(struct row *out, const char *key, const char *value)
{
	if (out->format == FORMAT_JSON && value != NULL)
		row_text(out, key, value, strlen(value));
	else
		report_number(out, key, value);
}

static void
report_rational(struct row *out, const char *key, struct rational x)
{
	char buf[FIXED_TEXT];
	const char *text = NULL;

	if (x.den != 0)
		text = rational_text(buf, x);
	report_number(out, key, text);
}

/* Epsilon, in all its digits, or as a fraction where they do not end. */
static void
report_exact(struct row *out, const char *key, struct rational x)
{
	char buf[RATIONAL_TEXT];

	rational_exact(buf, x);
	if (rational_digits(x) >= 0)
		report_number(out, key, buf);
	else
		report_fact(out, key, buf);
}

static void
report_head(const struct report *r, struct row *out)
{
	report_fact(out, "tool", r->opts->tool->name);
	report_fact(out, "version", DPUTILS_VERSION);
	report_fact(out, "mechanism", r->mechanism);
}

/* The ranges; with --slice the records looked at. */
static void
report_range(const struct opts *o, struct row *out)
{
	char lo[FIXED_TEXT], hi[FIXED_TEXT];
	struct text words = TEXT_INIT;

	for (size_t i = 0; i < o->ranges.n; i++) {
		if (i > 0)
			text_add(&words, ",");
		text_printf(&words, "%s:%s",
		    rational_text(lo, o->ranges.at[i].lo),
		    rational_text(hi, o->ranges.at[i].hi));
	}
	report_fact(out, "range", words.buf);
	words.len = 0;
	if (o->slice.value != NULL) {
		text_printf(&words, "%s=%s", o->slice.column,
		    o->slice.value);
		report_fact(out, "slice", words.buf);
	}
	text_free(&words);
}

static void
report_on_bad(const struct report *r, struct row *out)
{
	const struct opts *o = r->opts;
	char buf[FIXED_TEXT];
	const char *word = "0";

	if (o->on_bad == ON_BAD_DROP)
		word = "drop";
	else if (o->on_bad == ON_BAD_FAIL)
		word = "fail";
	else if (o->bad.den > 0)
		word = rational_text(buf, o->bad);
	else if (o->ranges.n > 0)
		word = "center of the range";
	report_fact(out, "on_bad", word);
}

/*
 * With --unit: the column whose values are people, and the use of their
 * rows.
 */
static void
report_unit(const struct report *r, struct row *out)
{
	static const char *const words[] = { "", "sum", "mean", "count",
	    "min", "max", "any", "share", "max-rows" };
	const char *unit = r->opts->unit.column;

	if (unit != NULL)
		report_fact(out, "unit", unit);
	if (r->opts->unit.per != PER_NONE)
		report_fact(out, "per", words[r->opts->unit.per]);
	if (r->opts->unit.groups > 0)
		report_rational(out, "max_groups", (struct rational){
		    (i128)r->opts->unit.groups, 1 });
}

static void
report_noise(const struct report *r, struct row *out)
{
	struct rational grid = { 1, 0 };

	if (r->digits >= 0)
		grid.den = fixed_pow10(r->digits);
	if (r->eps.den > 0)
		report_exact(out, "epsilon", r->eps);
	else
		report_fact(out, "epsilon", NULL);
	report_fact(out, "neighbors", report_relation(r));
	report_unit(r, out);
	report_rational(out, "sensitivity", r->sens);
	report_rational(out, "grid", grid);
	report_rational(out, "scale", r->scale);
	report_rational(out, "error95", r->error95);
	if (r->opts->interval.den == 0 || r->opts->told)
		return;
	report_rational(out, "interval", r->opts->interval);
	if (r->half_width.den != 0)
		report_rational(out, "half_width", r->half_width);
}

static void
report_tail(const struct report *r, struct row *out)
{
	const struct opts *o = r->opts;

	report_noise(r, out);
	report_range(o, out);
	report_on_bad(r, out);
	report_rational(out, "seed", (struct rational){ (i128)o->seed,
	    opts_given(o, OPT_SEED) != NULL });
	report_fact(out, "ledger", o->charge.ledger);
	if (o->completed != NULL)
		report_fact(out, "from_schema", o->completed);
}

char *
report_before(const struct report *r)
{
	struct text out = TEXT_INIT;
	struct row row = { &out, FORMAT_JSON, false };

	if (r->opts->format != FORMAT_JSON)
		return NULL;
	text_add(&out, "{");
	report_head(r, &row);
	return text_string(&out);
}

char *
report_behind(const struct report *r)
{
	struct text out = TEXT_INIT;
	struct row row = { &out, FORMAT_JSON, true };

	if (r->opts->format != FORMAT_JSON)
		return NULL;
	report_tail(r, &row);
	if (r->opts->non_private)
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
report_chance(struct rational charge, unsigned odds)
{
	u128 rest = (u128)odds * personal_fade(charge, FIXED_FLOOR) +
	    PERSONAL_ONE;

	return (unsigned)(((u128)1000 * PERSONAL_ONE + rest - 1) / rest);
}

/*
 * What the odds are about: one of two neighbors has the record, or has it with
 * what somebody claims about it.
 */
static const char *
report_claim(const struct report *r)
{
	static const char *const words[][2] = {
	    { "a record is there", "a record says this" },
	    { "a person is there", "a person says this" } };

	if (r->stated)
		return "this of two data sets is the real one";
	return words[r->opts->unit.column != NULL][r->opts->neighbors];
}

/* Nothing under a metric, where epsilon is for a unit of distance. */
static void
report_belief(const struct report *r, struct row *out, struct rational charge)
{
	char text[REPORT_NOTE];

	if (r->metric != NULL) {
		report_fact(out, "belief", NULL);
		return;
	}
	snprintf(text, sizeof(text), "a chance of 0.5 that %s becomes %.3f at "
	    "most, and one of 0.1 becomes %.3f", report_claim(r),
	    report_chance(charge, 1) / 1e3, report_chance(charge, 9) / 1e3);
	report_fact(out, "belief", text);
}

/* N releases cost N epsilon; groups cost one, by parallel composition. */
static void
report_charge(const struct report *r, struct row *out)
{
	const struct rational n = { (i128)r->opts->repeat, 1 };
	struct rational charge;

	if (r->eps.den == 0 && r->opts->repeat > 1) {
		report_fact(out, "charge", "N E");
	} else if (r->eps.den == 0) {
		report_fact(out, "charge", "E");
	} else if (rational_mul(&charge, n, r->eps)) {
		report_exact(out, "charge", charge);
		report_belief(r, out, charge);
	}
}

/* With --groups or --max-groups. */
static void
report_groups(const struct opts *o, struct row *out)
{
	char text[REPORT_NOTE];
	const char *group = "";

	if (o->neighbors == NEIGHBORS_SWAP && o->op.hides_group &&
	    !opts_public(o, opts_group(o)))
		group = "; its group is private: the noise is that of one "
		    "record less and one more";
	else if (o->neighbors == NEIGHBORS_SWAP)
		group = "; its group is public";
	snprintf(text, sizeof(text), "one charge for all: a record is in one "
	    "group only%s", group);
	if (o->unit.groups > 0)
		strcpy(text, "one charge for all: a person counts in "
		    "max_groups at most, with epsilon / max_groups in each");
	else if (o->unit.per != PER_NONE && o->unit.per <= PER_MAX)
		strcpy(text, "one charge for all: a person counts in one only, "
		    "where most rows are; --max-groups K counts in K");
	if (o->groups != NULL || o->unit.groups > 0)
		report_fact(out, "groups", text);
}

/* With --weight, --sampling-weight and --epsilon-column. */
static void
report_own(const struct opts *o, struct row *out)
{
	char text[REPORT_NOTE];
	const char *who = "record";

	if (o->weight != NULL)
		report_fact(out, "weight", "whole numbers from 0 up, which "
		    "count as 2^40 at most under add-remove; any other makes a "
		    "record bad");
	if (o->sampling.column != NULL)
		report_rational(out, "sampling_weight_most", o->sampling.most);
	if (o->own_column == NULL)
		return;
	if (o->unit.column != NULL)
		who = "person";
	snprintf(text, sizeof(text), "each %s has its own epsilon, at most the "
	    "one above", who);
	report_fact(out, "epsilon_column", text);
	snprintf(text, sizeof(text), "a %s of epsilon e counts as e/E of a %s, "
	    "rounded down to parts of 1/%llu", who, who,
	    (unsigned long long)o->unit.whole);
	if (o->op.own_weight)
		report_fact(out, "own_weight", text);
	else if (!o->op.own_whole)
		report_fact(out, "sampling", "a record of epsilon e is kept "
		    "with probability (exp(e) - 1) / (exp(E) - 1); error95 "
		    "leaves this out");
}

void
report_print(const struct report *r, struct text *out, enum format format)
{
	struct row row = { out, FORMAT_PLAIN, false };

	if (format == FORMAT_JSON) {
		row.format = FORMAT_JSON;
		text_add(out, "{");
	}
	report_head(r, &row);
	report_fact(&row, "noise", r->noise);
	report_tail(r, &row);
	report_charge(r, &row);
	report_groups(r->opts, &row);
	report_own(r->opts, &row);
	for (size_t i = 0; i < r->nnotes; i++)
		report_fact(&row, r->notes[i].key, r->notes[i].text);
	if (format == FORMAT_JSON)
		text_add(out, "}\n");
}

void
report_explain(const struct report *r)
{
	struct text out = TEXT_INIT;

	report_print(r, &out, r->opts->format);
	text_output(out.buf, out.len);
	exit(STATUS_OK);
}

void
report_verbose(const struct report *r)
{
	struct text out = TEXT_INIT;

	if (!r->opts->verbose)
		return;
	report_print(r, &out, r->opts->format);
	fwrite(out.buf, 1, out.len, stderr);
	text_free(&out);
}
