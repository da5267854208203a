/* attributes: the list of a domain, letter by letter. */
#include "attributes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/intake.h"
#include "tool/err.h"
#include "dx/plan/workload.h"

static void
bad_list(const char *what)
{
	err_die(STATUS_USAGE, "--domain: %s; a list is written as "
	    "'sex=F,M;age=17..90'", what);
}

static const char *
blanks(const char *p)
{
	return p + strspn(p, " \t");
}

/* A name or value, up to a separator; true if in quotes. */
static bool
take_word(const char **list, struct text *to)
{
	const char *p = blanks(*list);
	bool quoted = *p == '"';
	size_t len = strcspn(p, ",;=\"");
	struct label word = text_trim(p, len);

	to->len = 0;
	if (!quoted) {
		text_bytes(to, word.text, word.len);
		*list = p + len;
		return false;
	}
	for (p++; *p != '\0' && (*p != '"' || p[1] == '"'); p++) {
		p += *p == '"';
		text_bytes(to, p, 1);
	}
	if (*p++ != '"')
		bad_list("a quote is not closed");
	*list = blanks(p);
	return true;
}

static void
attribute_add(struct attribute *a, struct label value)
{
	if (cells_find(&a->value, value) != CELLS_NONE)
		bad_list("an attribute lists a value twice");
	cells_add(&a->value, value.text, value.len);
}

/* The whole numbers lo..hi, or bands of `step` of them. */
static void
add_numbers(struct attribute *a, long lo, long hi, long step)
{
	long width = FIXED_MOST(step, 1);
	char buf[48];
	int len;

	if (hi < lo || (hi - lo) / width >= (long)WORKLOAD_ELEMENTS)
		bad_list("A..B stands for the whole numbers from A up to B, "
		    "at most 2^24");
	for (long x = lo; x <= hi; x += width) {
		len = snprintf(buf, sizeof(buf), "%ld", x);
		if (step > 0)
			len = snprintf(buf, sizeof(buf), "%ld..%ld", x,
			    FIXED_LEAST(x + step - 1, hi));
		attribute_add(a, (struct label){ buf, (size_t)len });
	}
	if (step > 0)
		*a = (struct attribute){ a->name, a->value, lo, hi, step };
}

/* A..B or A..B/STEP, at most nine digits each; false: no such list. */
static bool
take_numbers(struct attribute *a, const char *text)
{
	long lo, hi, step = 0;
	int dots = 0, end = 0, n;

	n = sscanf(text, "%10ld ..%n %10ld%n / %10ld%n", &lo, &dots, &hi, &end,
	    &step, &end);
	if (dots == 0)
		return false;
	if (n < 2 || text[end] != '\0' || (n > 2 && (step < 1 || step >
	    1000000000)))
		bad_list("A..B and A..B/STEP are whole numbers, STEP from 1 "
		    "up");
	add_numbers(a, lo, hi, step);
	return true;
}

/* 17-90 and 17:90 alone are one value, and seldom meant so. */
static void
doubt(const struct attribute *a)
{
	struct label one = cells_at(&a->value, 0);
	char *text = err_copy(one.text, one.len), lo[10], to[2], hi[10];
	int end = 0;

	if (sscanf(text, "%9[0-9]%1[-:]%9[0-9]%n", lo, to, hi, &end) == 3 &&
	    text[end] == '\0')
		err_warn("--domain: %s has one value, %s; whole numbers are "
		    "%s..%s", a->name, text, lo, hi);
	free(text);
}

/* A value, by the schema if there is one: as the map of cells writes it. */
static void
take_value(struct attribute *a, struct column_view *v, struct label value)
{
	char room[SCHEMA_BEFORE + SCHEMA_ROOM];
	const struct label word = value;

	if (v != NULL && (!view_word(v, &value, room + SCHEMA_BEFORE) ||
	    !keys_known(v, 1, &value)))
		err_die(STATUS_USAGE, "--domain: the schema knows no '%.*s' in "
		    "'%s'", (int)word.len, word.text, a->name);
	attribute_add(a, value);
}

static void
take_values(const char **list, struct attribute *a, struct column_view *v,
    struct text *word)
{
	/* no cell of these is a whole number, whatever the file has */
	bool words = v != NULL && v->field->type > SCHEMA_NUMBER &&
	    v->field->type != SCHEMA_YEAR, quoted;
	char *text;

	do {
		quoted = take_word(list, word);
		if (!quoted && word->len == 0 && a->value.n == 0 &&
		    **list != ',')
			bad_list("an attribute has no values");
		text = err_copy(word->buf, word->len);
		if (quoted || words || !take_numbers(a, text))
			take_value(a, v, (struct label){ text, word->len });
		free(text);
	} while (*(*list)++ == ',');
	--*list;
	if (a->step > 0 && (long)a->value.n != (a->hi - a->lo) / a->step + 1)
		bad_list("bands stand alone: no other values beside "
		    "A..B/STEP");
	if (a->value.n == 1)
		doubt(a);
}

void
attributes_read(struct attributes *to, const char *list,
    const struct schema *schema)
{
	struct text word = TEXT_INIT;
	struct column_view view, *v = NULL;
	struct attribute *a;

	do {
		to->of = err_alloc(to->of, to->n + 1, sizeof(*to->of));
		a = &to->of[to->n++];
		*a = (struct attribute){ .value = CELLS_INIT };
		(void)take_word(&list, &word);
		if (word.len == 0 || *list++ != '=')
			bad_list("an attribute is a name, an equals sign and "
			    "values");
		a->name = err_copy(word.buf, word.len);
		if (schema != NULL)
			view_open(v = &view, schema, a->name);
		take_values(&list, a, v, &word);
		if (*list != '\0' && *list++ != ';')
			bad_list("a comma or a semicolon is missing, or "
			    "quotes around a value that holds an equals sign");
	} while (*list != '\0');
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
	if (!intake_rational(cell, &x) ||
	    !rational_grid(x, 0, FIXED_FLOOR, &whole) || whole < a->lo ||
	    whole > a->hi)
		return CELLS_NONE;
	return (size_t)((whole - a->lo) / a->step);
}
