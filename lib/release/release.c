/* release: rows of labels and answers in every format. */
#include "release.h"

#include <stdlib.h>
#include <string.h>

#include "tool/err.h"

void
release_table(struct release *out, const struct report *r)
{
	out->report = r;
	out->format = r->opts->format;
	out->head = report_head(r);
}

/* "a", "b" or "a_b"; NULL where both are. */
static char *
join(const char *a, const char *b)
{
	struct text t = TEXT_INIT;

	if (a == NULL && b == NULL)
		return NULL;
	text_printf(&t, "%s%s%s", a == NULL ? "" : a,
	    a == NULL || b == NULL ? "" : "_", b == NULL ? "" : b);
	return text_string(&t);
}

static void
add_column(struct release *out, struct release_column column)
{
	size_t n = out->labels + out->answers;

	out->column = err_alloc(out->column, n + 1, sizeof(*out->column));
	out->column[n] = column;
}

void
release_group(struct release *out, const char *column)
{
	add_column(out, (struct release_column){ join(column, NULL), NULL, 0 });
	out->labels++;
}

void
release_key(struct release *out, const char *column)
{
	release_group(out, column);
	out->has_key = true;
}

void
release_answer(struct release *out, const char *column, const char *what,
    int digits)
{
	add_column(out, (struct release_column){ join(column, what),
	    report_tail(out->report), digits });
	out->answers++;
}

/* The n-th answer's name. */
static const char *
answer_name(const struct release *out, size_t n)
{
	const char *name = out->column[out->labels + n].name;

	return name == NULL ? "value" : name;
}

/* What stands between cells, and in plain text between an answer's numbers. */
static const char *
delimiter(const struct release *out)
{
	return out->format == FORMAT_CSV ? "," : "\t";
}

/*
 * A cell of the table, after a delimiter where it is not the first.  TSV has
 * no quotes: a tab, a line end or a backslash is written as Miller does.
 */
static void
cell(struct release *out, const char *s, size_t len, bool first)
{
	text_add(&out->text, first ? "" : delimiter(out));
	if (out->format == FORMAT_CSV) {
		text_cell(&out->text, s, len);
		return;
	}
	for (; len > 0; s++, len--)
		if (*s == '\t' || *s == '\n' || *s == '\r' || *s == '\\')
			text_add(&out->text, *s == '\t' ? "\\t" : *s == '\n' ?
			    "\\n" : *s == '\r' ? "\\r" : "\\\\");
		else
			text_bytes(&out->text, s, 1);
}

static void
name_cell(struct release *out, const char *name, const char *end, bool first)
{
	struct text t = TEXT_INIT;

	text_add(&t, name);
	text_add(&t, end);
	cell(out, t.buf, t.len, first);
	text_free(&t);
}

void
release_header(struct release *out)
{
	const struct opts *o = out->report->opts;
	size_t n = 0;

	if (out->format == FORMAT_DEFAULT)
		out->format = out->labels > 0 || out->answers > 1 ?
		    FORMAT_CSV : FORMAT_PLAIN;
	if (out->format != FORMAT_CSV && out->format != FORMAT_TSV)
		return;
	if (o->repeat > 1)
		name_cell(out, "release", "", n++ == 0);
	for (size_t i = 0; i < out->labels; i++)
		name_cell(out, out->column[i].name, "", n++ == 0);
	for (size_t i = 0; i < out->answers; i++) {
		name_cell(out, answer_name(out, i), "", n++ == 0);
		if (!o->has_interval)
			continue;
		name_cell(out, answer_name(out, i), "_lower", false);
		name_cell(out, answer_name(out, i), "_upper", false);
	}
	text_add(&out->text, "\n");
}

static void
number(struct release *out, i128 x, int digits)
{
	char buf[FIXED_TEXT];

	text_add(&out->text, fixed_text(buf, x, digits));
}

static void
word(struct release *out, const char *s, size_t len)
{
	if (out->format == FORMAT_JSON)
		text_json(&out->text, s, len);
	else if (out->format == FORMAT_PLAIN)
		text_bytes(&out->text, s, len);
	else
		cell(out, s, len, true);
}

/* A value, and its interval after the texts that lead to its ends. */
static void
numbers(struct release *out, const struct answer *a, int digits,
    const char *lower, const char *upper)
{
	if (out->word != NULL) {
		word(out, out->word->text, out->word->len);
		return;
	}
	number(out, a->value, digits);
	if (!out->report->opts->has_interval)
		return;
	text_add(&out->text, lower);
	number(out, a->lower, digits);
	text_add(&out->text, upper);
	number(out, a->upper, digits);
}

/* What a row begins with. */
static void
begin_row(struct release *out, uint64_t rel, const struct label *label)
{
	bool numbered = out->report->opts->repeat > 1;

	if (numbered)
		number(out, (i128)rel, 0);
	for (size_t i = 0; i < out->labels; i++)
		cell(out, label[i].text, label[i].len, i == 0 && !numbered);
	if (numbered || out->labels > 0)
		text_add(&out->text, delimiter(out));
}

static void
json_string(struct release *out, const char *name, const char *s, size_t len)
{
	text_printf(&out->text, ", \"%s\": ", name);
	text_json(&out->text, s, len);
}

/* One column of --group is a text, several are an object. */
static void
json_group(struct release *out, const struct label *label, size_t n)
{
	if (n == 1)
		json_string(out, "group", label->text, label->len);
	if (n <= 1)
		return;
	for (size_t i = 0; i < n; i++) {
		const char *name = out->column[i].name;

		text_add(&out->text, i == 0 ? ", \"group\": {" : ", ");
		text_json(&out->text, name, strlen(name));
		text_add(&out->text, ": ");
		text_json(&out->text, label[i].text, label[i].len);
	}
	text_add(&out->text, "}");
}

/* The key of a row, or in a row of several answers the name of this one. */
static void
json_end(struct release *out, uint64_t rel, const struct label *label,
    size_t n)
{
	size_t groups = out->labels - out->has_key;
	const char *tail = out->column[out->labels + n].tail;

	text_add(&out->text, tail);
	if (out->report->opts->repeat > 1) {
		text_add(&out->text, ", \"release\": ");
		number(out, (i128)rel, 0);
	}
	json_group(out, label, groups);
	if (out->has_key)
		json_string(out, "key", label[groups].text,
		    label[groups].len);
	else if (out->answers > 1)
		json_string(out, "key", answer_name(out, n),
		    strlen(answer_name(out, n)));
	text_add(&out->text, "}\n");
}

static void
one_answer(struct release *out, uint64_t rel, const struct label *label,
    const struct answer *answer, size_t n)
{
	int digits = out->column[out->labels + n].digits;
	bool last = out->format == FORMAT_PLAIN || n + 1 == out->answers;

	if (out->format == FORMAT_JSON) {
		text_add(&out->text, out->head);
		numbers(out, &answer[n], digits, ", \"lower\": ",
		    ", \"upper\": ");
		json_end(out, rel, label, n);
		return;
	}
	numbers(out, &answer[n], digits, delimiter(out), delimiter(out));
	text_add(&out->text, last ? "\n" : delimiter(out));
}

void
release_row(struct release *out, uint64_t rel, const struct label *label,
    const struct answer *answer)
{
	if (out->format == FORMAT_CSV || out->format == FORMAT_TSV)
		begin_row(out, rel, label);
	for (size_t i = 0; i < out->answers; i++)
		one_answer(out, rel, label, answer, i);
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
