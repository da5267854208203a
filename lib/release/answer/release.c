/* release: rows with labels and answers, in every format. */
#include "release.h"

#include <stdlib.h>
#include <string.h>

#include "tool/err.h"
#include "tool/row.h"

#define FOLLOW_PARTS 10		/* printed steps in an error, or more */

void
release_table(struct release *out, const struct report *r)
{
	report_verbose(r);
	out->report = r;
	out->format = r->opts->format;
	out->head = report_before(r);
}

/* "a", "b" or "a_b"; "value" if both are NULL. */
static char *
release_join(const char *a, const char *b)
{
	struct text t = TEXT_INIT;

	if (a == NULL && b == NULL)
		a = "value";
	if (a != NULL)
		text_add(&t, a);
	if (a != NULL && b != NULL)
		text_add(&t, "_");
	if (b != NULL)
		text_add(&t, b);
	return text_string(&t);
}

static void
release_column_add(struct release *out, struct release_column column)
{
	size_t n = out->labels + out->answers;

	out->column = err_alloc(out->column, n + 1, sizeof(*out->column));
	out->column[n] = column;
}

void
release_group(struct release *out, const char *column)
{
	release_column_add(out, (struct release_column){
	    release_join(column, NULL), NULL, 0 });
	out->labels++;
}

void
release_key(struct release *out, const char *column)
{
	release_group(out, column);
	out->has_key = true;
}

/* A column of dates has dates for answers, where these are its values. */
static const struct schema_field *
release_date(const struct opts *o, const char *column)
{
	const struct schema_field *f;

	if (!o->dates || o->schema == NULL || column == NULL)
		return NULL;
	f = schema_find(o->schema, column);
	return f != NULL && schema_dated(f) ? f : NULL;
}

void
release_answer(struct release *out, const char *column, const char *what,
    int digits)
{
	release_column_add(out, (struct release_column){
	    release_join(column, what), report_behind(out->report), digits,
	    release_date(out->report->opts, column), out->report->error95,
	    .most = digits });
	out->answers++;
}

/* Are the ends of intervals printed? */
static bool
release_ends(const struct opts *o)
{
	return o->interval.den > 0 && !o->told;
}

/* A column's name, joined from two parts. */
static void
release_name(struct row *r, const char *a, const char *b)
{
	char *name = release_join(a, b);

	row_text(r, NULL, name, strlen(name));
	free(name);
}

void
release_header(struct release *out)
{
	const struct opts *o = out->report->opts;
	struct row r = { &out->text, out->format, false };

	if (out->format == FORMAT_DEFAULT) {
		out->format = FORMAT_PLAIN;
		if (out->labels > 0 || out->answers > 1)
			out->format = FORMAT_CSV;
		r.format = out->format;
	}
	if (out->format != FORMAT_CSV && out->format != FORMAT_TSV)
		return;
	if (o->repeat > 1)
		release_name(&r, "release", NULL);
	for (size_t i = 0; i < out->labels + out->answers; i++) {
		release_name(&r, out->column[i].name, NULL);
		if (i < out->labels || !release_ends(o))
			continue;
		release_name(&r, out->column[i].name, "lower");
		release_name(&r, out->column[i].name, "upper");
	}
	text_add(&out->text, "\n");
}

static void
release_label(struct row *r, const char *key, struct label label)
{
	row_text(r, key, label.text, label.len);
}

/* A number, or the date that it stands for. */
static void
release_value(struct row *r, const char *key, i128 x,
    const struct release_column *c)
{
	char buf[FIXED_TEXT];
	i128 whole = fixed_floor_div(x, fixed_pow10(c->digits));

	if (c->date != NULL && schema_print(c->date, buf,
	    fixed_clamp_wide(whole, -FIXED_MAX, FIXED_MAX)) != NULL)
		row_text(r, key, buf, strlen(buf));
	else
		row_number(r, key, x, c->digits);
}

/* The n-th answer: a value, and its interval. */
static void
release_number(const struct release *out, struct row *r,
    const struct answer *answer, size_t n)
{
	const struct release_column *c = &out->column[out->labels + n];

	if (out->word != NULL) {
		release_label(r, "value", *out->word);
		return;
	}
	release_value(r, "value", answer[n].value, c);
	if (!release_ends(out->report->opts))
		return;
	release_value(r, "lower", answer[n].lower, c);
	release_value(r, "upper", answer[n].upper, c);
}

/* A single --group column is a text, several are an object. */
static void
release_groups(const struct release *out, struct row *r,
    const struct label *label, size_t n)
{
	struct row parts = { r->out, FORMAT_JSON, false };

	if (n == 1)
		release_label(r, "group", *label);
	if (n <= 1)
		return;
	row_field(r, "group");
	text_add(r->out, "{");
	for (size_t i = 0; i < n; i++)
		release_label(&parts, out->column[i].name, label[i]);
	text_add(r->out, "}");
}

/*
 * The n-th answer's object.  The key is the row's, or in a row with several
 * answers the answer's name.
 */
static void
release_object(struct release *out, uint64_t rel, const struct label *label,
    const struct answer *answer, size_t n)
{
	struct row r = { &out->text, FORMAT_JSON, true };
	size_t groups = out->labels - out->has_key;
	const struct release_column *c = &out->column[out->labels + n];

	text_add(&out->text, out->head);
	release_number(out, &r, answer, n);
	text_add(&out->text, c->tail);
	if (out->report->opts->repeat > 1)
		row_number(&r, "release", (i128)rel, 0);
	release_groups(out, &r, label, groups);
	if (out->has_key)
		release_label(&r, "key", label[groups]);
	else if (out->answers > 1)
		row_text(&r, "key", c->name, strlen(c->name));
	text_add(&out->text, "}\n");
}

void
release_begin(struct release *out)
{
	struct release_column *c = out->column + out->labels;

	for (size_t i = 0; i < out->answers; i++)
		c[i].digits = c[i].most;
}

/* Dates are cut to whole days or seconds where they are printed. */
void
release_follow(struct release *out, struct answer *rows, size_t n)
{
	for (size_t i = 0; i < out->answers; i++) {
		struct release_column *c = &out->column[out->labels + i];
		int from = c->most, to = c->error > 0 ? 0 : from;

		while (to < from && c->error * (double)fixed_pow10(to) <
		    FOLLOW_PARTS * out->n)
			to++;
		c->digits = c->date == NULL ? to : from;
		for (size_t k = i; k < n * out->answers; k += out->answers)
			rows[k] = (struct answer){ fixed_round(rows[k].value,
			    from, c->digits, FIXED_NEAREST), fixed_round(
			    rows[k].lower, from, c->digits, FIXED_FLOOR),
			    fixed_round(rows[k].upper, from, c->digits,
			    FIXED_CEIL) };
	}
}

/* The ends are worked out for release_tell alone. */
static void
release_widest(struct release *out, const struct answer *answer)
{
	struct release_column *c = out->column + out->labels;

	for (size_t i = 0; i < out->answers && out->report->opts->told; i++)
		c[i].half = FIXED_MOST(c[i].half, fixed_round(
		    (answer[i].upper - answer[i].lower + 1) / 2, c[i].digits,
		    c[i].most, FIXED_CEIL));
}

void
release_row(struct release *out, uint64_t rel, const struct label *label,
    const struct answer *answer)
{
	struct row r = { &out->text, out->format, false };
	bool plain = out->format == FORMAT_PLAIN;

	release_widest(out, answer);
	if (out->format == FORMAT_JSON) {
		for (size_t i = 0; i < out->answers; i++)
			release_object(out, rel, label, answer, i);
		return;
	}
	if (!plain && out->report->opts->repeat > 1)
		row_number(&r, NULL, (i128)rel, 0);
	for (size_t i = 0; !plain && i < out->labels; i++)
		release_label(&r, NULL, label[i]);
	for (size_t i = 0; i < out->answers; i++) {
		release_number(out, &r, answer, i);
		r.begun = !plain;
		if (plain)
			text_add(&out->text, "\n");
	}
	if (!plain)
		text_add(&out->text, "\n");
}

void
release_tell(const struct release *out)
{
	const struct release_column *c = out->column + out->labels;
	const struct opts *o;
	struct text line = TEXT_INIT;
	char buf[FIXED_TEXT];

	if (out->answers == 0)
		return;
	o = out->report->opts;
	if (o->group != NULL && o->unit.per > PER_NONE &&
	    o->unit.per <= PER_MAX && o->unit.groups == 0)
		err_warn("a person counts in one group alone, the one with "
		    "most of the rows; --max-groups K counts in K");
	for (size_t i = 0; i < out->answers; i++, c++) {
		if (o->told && c->half > FIXED_MAX)
			strcpy(buf, "without a bound");
		else if (o->told)
			fixed_text(buf, fixed_round(c->half, c->most,
			    c->digits, FIXED_CEIL), c->digits);
		else if (c->error95.den > 0)
			rational_text(buf, c->error95);
		else
			continue;
		text_printf(&line, "%s%s%s%s", line.len > 0 ? ", " : "",
		    out->answers > 1 ? c->name : "", out->answers > 1 ? " " :
		    "", buf);
	}
	if (line.len > 0)
		err_warn("95 %% of the noise: %.*s", (int)line.len, line.buf);
	for (size_t i = 0; i < out->report->nnotes; i++) {
		const struct note *note = &out->report->notes[i];

		if (strcmp(note->key, "error") == 0)
			err_warn("%s", note->text);
		if (strcmp(note->key, "needs") == 0)
			err_warn("needs %s", note->text);
		if (strcmp(note->key, "threshold") == 0)
			err_warn("keys with a noisy count below %s are not "
			    "printed", note->text);
	}
	text_free(&line);
}

struct answer
answer_make(i128 x, i128 reach, int from, int to)
{
	return (struct answer){
		.value = fixed_round(x, from, to, FIXED_NEAREST),
		.lower = fixed_round(fixed_add_sat(x, -reach), from, to,
		    FIXED_FLOOR),
		.upper = fixed_round(fixed_add_sat(x, reach), from, to,
		    FIXED_CEIL)
	};
}

char *
answer_percentile(char *buf, struct rational q)
{
	struct rational hundred = { 100, 1 };

	buf[0] = 'p';
	if (!rational_mul(&q, q, hundred))
		q = (struct rational){ 0, 1 };
	rational_text(buf + 1, q);
	return buf;
}
