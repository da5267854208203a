/* attributes: the list of a domain, letter by letter. */
#include "attributes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/intake.h"
#include "tool/err.h"
#include "tool/text.h"
#include "workload.h"

struct reader {
	const char *p;		/* the rest to read */
};

static void
bad_list(const char *what)
{
	die(STATUS_USAGE, "--domain: %s; a list is written as "
	    "'sex=F,M;age=17..90'", what);
}

static const char *
blanks(const char *p)
{
	return p + strspn(p, " \t");
}

/* A name or value, up to a separator; true if in quotes. */
static bool
take(struct reader *l, struct text *to)
{
	to->len = 0;
	text_bytes(to, "", 0);
	l->p = blanks(l->p);
	if (*l->p != '"') {
		size_t len = strcspn(l->p, ",;=\"");
		struct label word = text_trim(l->p, len);

		text_bytes(to, word.text, word.len);
		l->p += len;
		return false;
	}
	for (l->p++; *l->p != '\0' && (*l->p != '"' || l->p[1] == '"');
	    l->p++) {
		l->p += *l->p == '"';
		text_bytes(to, l->p, 1);
	}
	if (*l->p++ != '"')
		bad_list("a quote is not closed");
	l->p = blanks(l->p);
	return true;
}

static void
add(struct attribute *a, const char *text, size_t len)
{
	if (cells_find(&a->value, (struct label){ text, len }) != CELLS_NONE)
		bad_list("an attribute lists a value twice");
	cells_add(&a->value, text, len);
}

static void
add_text(struct attribute *a, const char *format, long x, long y)
{
	char buf[48];
	int len = snprintf(buf, sizeof(buf), format, x, y);

	add(a, buf, (size_t)len);
}

/* The values of A..B, or its bands of `step` numbers each. */
static void
add_steps(struct attribute *a, long lo, long hi, long step)
{
	if (hi < lo || (hi - lo) / (step > 0 ? step : 1) >=
	    (long)WORKLOAD_ELEMENTS)
		bad_list("A..B stands for the whole numbers from A up to B, "
		    "at most 2^24");
	for (long x = lo; step == 0 && x <= hi; x++)
		add_text(a, "%ld", x, 0);
	for (long x = lo; step > 0 && x <= hi; x += step)
		add_text(a, "%ld..%ld", x, x + step - 1 < hi ? x + step - 1 :
		    hi);
	if (step > 0 && a->step > 0)
		bad_list("an attribute has bands of one width alone");
	if (step > 0)
		*a = (struct attribute){ a->name, a->value, lo, hi, step };
}

/* A..B or A..B/STEP, whole numbers of nine digits; false: no such list. */
static bool
add_numbers(struct attribute *a, const struct text *t)
{
	char *from = err_copy(t->buf, t->len), *end;
	long lo = strtol(from, &end, 10), hi, step = 0;
	bool is = end != from && end - from <= 10 &&
	    strncmp(blanks(end), "..", 2) == 0;

	if (is) {
		hi = strtol(blanks(end) + 2, &end, 10);
		if (end[-1] == '.')
			bad_list("A..B lacks a number");
		if (*blanks(end) == '/' && ((step = strtol(blanks(end) + 1,
		    &end, 10)) < 1 || step > 1000000000))
			bad_list("the bands of A..B/STEP have whole numbers "
			    "of at least 1");
		if (*end != '\0')
			bad_list("A..B or A..B/STEP are whole numbers");
		add_steps(a, lo, hi, step);
	}
	free(from);
	return is;
}

#define DIGITS "0123456789"

/* 17-90 and 17:90 alone are one value, and seldom meant so. */
static void
doubt(const struct attribute *a)
{
	struct label one = cells_at(&a->value, 0);
	char *text = err_copy(one.text, one.len), *end = text +
	    strspn(text, DIGITS), *to = end + (*end != '\0');

	if (end > text && (*end == '-' || *end == ':') && *to != '\0' &&
	    to[strspn(to, DIGITS)] == '\0')
		warn("--domain: %s has one value, %s; whole numbers are "
		    "%.*s..%s", a->name, text, (int)(end - text), text, to);
	free(text);
}

static void
take_attribute(struct reader *l, struct attributes *to, struct text *word)
{
	struct attribute *a;
	bool quoted;

	to->of = err_alloc(to->of, to->n + 1, sizeof(*to->of));
	a = &to->of[to->n++];
	*a = (struct attribute){ .value = CELLS_INIT };
	(void)take(l, word);
	if (word->len == 0 || *l->p++ != '=')
		bad_list("an attribute is a name, an equals sign and values");
	a->name = err_copy(word->buf, word->len);
	do {
		quoted = take(l, word);
		if (!quoted && word->len == 0 && a->value.n == 0 &&
		    *l->p != ',')
			bad_list("an attribute has no values");
		if (quoted || !add_numbers(a, word))
			add(a, word->buf, word->len);
	} while (*l->p++ == ',');
	l->p--;
	if (a->step > 0 && (long)a->value.n != (a->hi - a->lo) / a->step + 1)
		bad_list("bands stand alone: no other values beside "
		    "A..B/STEP");
	if (a->value.n == 1)
		doubt(a);
	if (*l->p != '\0' && *l->p++ != ';')
		bad_list("a comma or a semicolon is missing, or quotes "
		    "around a value that holds an equals sign");
}

void
attributes_read(struct attributes *a, const char *list)
{
	struct reader l = { list };
	struct text word = TEXT_INIT;

	do
		take_attribute(&l, a, &word);
	while (*l.p != '\0');
	text_free(&word);
}

double
attributes_elements(const struct attributes *a)
{
	double all = 1;

	for (size_t c = 0; c < a->n; c++)
		all *= (double)a->of[c].value.n;
	return all;
}

size_t
attribute_value(const struct attribute *a, const struct cell *cell)
{
	struct rational x;
	int64_t whole;

	if (cell->missing)
		return CELLS_NONE;
	if (a->step == 0)
		return cells_find(&a->value, (struct label){ cell->text,
		    cell->len });
	return intake_rational(cell, &x) && rational_grid(x, 0, FIXED_FLOOR,
	    &whole) && whole >= a->lo && whole <= a->hi ?
	    (size_t)((whole - a->lo) / a->step) : CELLS_NONE;
}
