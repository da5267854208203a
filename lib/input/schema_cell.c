/*
 * schema_cell: the map of a cell, by the field of its column alone.
 *
 * A cell that has not the field's form is bad; nothing is guessed.
 */
#include "schema.h"

#include <string.h>

#define LONGEST 200	/* bytes of a number's cell */
#define FAR 40		/* digits from the point; farther with an exponent */

/* --- texts ---------------------------------------------------------------- */

static bool
label_is(struct label a, const char *text, size_t len)
{
	return a.len == len && memcmp(a.text, text, len) == 0;
}

/* Most cells have no word's length. */
static bool
list_has(const struct schema_list *l, struct label cell)
{
	if ((l->lengths >> (cell.len & 63) & 1) == 0)
		return false;
	for (size_t i = 0; i < l->n; i++)
		if (label_is(cell, l->at[i].text, l->at[i].len))
			return true;
	return false;
}

bool
schema_is_missing(const struct schema_field *f, struct label cell)
{
	return list_has(&f->missing, text_trim(cell.text, cell.len));
}

static bool
begins(struct label cell, struct label mark)
{
	return mark.len > 0 && cell.len >= mark.len &&
	    memcmp(cell.text, mark.text, mark.len) == 0;
}

/* --- numbers -------------------------------------------------------------- */

/*
 * A sign stands before all or before the number.  Parentheses and a sign after
 * would change the value: such a cell has another form.  So do <5, and 5 with
 * another minus or dash than ASCII's.
 */
bool
schema_strip(const struct schema_field *f, struct label *c, bool *neg)
{
	static const struct label math = { "\342\210", 2 },
	    more = { "\342\211", 2 }, dash = { "\342\200\223", 3 };
	bool first = true;

	for (struct label at = *c; at.len > 0; text_skip(&at, 1))
		if (*at.text == '<' || *at.text == '>' || begins(at, math) ||
		    begins(at, more) || begins(at, dash))
			return false;
	while (c->len > 0 && !decimal_digit(*c->text) &&
	    !begins(*c, f->point)) {
		if (*c->text == '(' || (*c->text == '-' && *neg))
			return false;
		if (*c->text == '-' && !first && c->len > 1 &&
		    !decimal_digit(c->text[1]) &&
		    !begins((struct label){ c->text + 1, c->len - 1 },
		    f->point))
			return false;
		*neg = *neg || *c->text == '-';
		first = false;
		text_skip(c, 1);
	}
	while (c->len > 0 && !decimal_digit(c->text[c->len - 1])) {
		if (strchr("-)(", c->text[c->len - 1]) != NULL)
			return false;
		if (c->len >= f->point.len && label_is(f->point, c->text +
		    c->len - f->point.len, f->point.len))
			break;
		c->len--;
	}
	return c->len > 0;
}

/*
 * The digits before the point, without marks.  Marks stand before three digits
 * at the end and before two or three elsewhere, or it is another mark.
 */
static bool
number_whole(const struct schema_field *f, struct label *c, char **to)
{
	size_t run = 0, marks = 0;

	while (c->len > 0) {
		if (decimal_digit(*c->text)) {
			*(*to)++ = *c->text;
			text_skip(c, 1);
			run++;
		} else if (begins(*c, f->group) && run > 0 && run <= 3 &&
		    (marks == 0 || run >= 2)) {
			text_skip(c, f->group.len);
			marks++;
			run = 0;
		} else
			break;
	}
	return marks == 0 || run == 3;
}

/* Copies the number with a point and without marks; false for another form. */
static bool
number_copy(const struct schema_field *f, struct label *cell, char *room)
{
	struct label c = *cell;
	bool neg = false;
	char *to = room + 1;

	if (c.len > LONGEST)
		return false;
	if (!f->bare && !schema_strip(f, &c, &neg))
		return false;
	if (!neg && c.len > 0 && (*c.text == '-' || *c.text == '+')) {
		neg = *c.text == '-';
		text_skip(&c, 1);
	}
	if (c.len == 0 || (!decimal_digit(*c.text) && !begins(c, f->point)))
		return false;
	if (!number_whole(f, &c, &to))
		return false;
	if (begins(c, f->point)) {
		text_skip(&c, f->point.len);
		*to++ = '.';
	}
	/* another mark's point is none */
	if (memchr(c.text, '.', c.len) != NULL)
		return false;
	/* decimals and an exponent, which decimal_scan judges */
	memcpy(to, c.text, c.len);
	to += c.len;
	room[0] = '-';
	*cell = (struct label){ room + !neg, (size_t)(to - room) - !neg };
	return true;
}

/* Digits number i and on of a scanned number, `n' of them; zeros after it. */
static char *
number_digits(const struct decimal *d, const char **at, int64_t n, char *to)
{
	for (; n > 0; n--) {
		if (*at < d->last && **at == '.')
			++*at;
		*to++ = *at < d->last ? *(*at)++ : '0';
	}
	return to;
}

/*
 * A scanned number without needless zeros and without an exponent; one that is
 * far from the point stays as it is.
 */
static void
number_write(const struct decimal *d, struct label *cell, char *room)
{
	const char *at = d->first;
	int64_t digits = d->last - d->first;
	char *to = room;

	if (digits > 0 && memchr(d->first, '.', (size_t)digits) != NULL)
		digits--;
	if (d->place < -FAR || d->place > FAR)
		return;
	if (d->neg && digits > 0)
		*to++ = '-';
	if (digits == 0 || d->place <= 0)
		*to++ = '0';
	to = number_digits(d, &at, digits > 0 ? d->place : 0, to);
	if (digits > 0 && digits > d->place) {
		*to++ = '.';
		for (int64_t i = d->place; i < 0; i++)
			*to++ = '0';
		to = number_digits(d, &at, digits - (d->place > 0 ? d->place :
		    0), to);
	}
	*cell = (struct label){ room, (size_t)(to - room) };
}

static bool
number_map(const struct schema_field *f, struct label *cell, char *room)
{
	struct decimal d;

	if (!number_copy(f, cell, room + SCHEMA_ROOM / 2) ||
	    decimal_scan(cell->text, cell->text + cell->len, &d) !=
	    cell->text + cell->len)
		return false;
	number_write(&d, cell, room);
	return f->type != SCHEMA_INTEGER ||
	    memchr(cell->text, '.', cell->len) == NULL;
}

static bool
boolean_map(const struct schema_field *f, struct label *cell, char *room,
    bool number)
{
	static const char words[][2][6] = { { "false", "true" },
	    { "0", "1" } };
	bool yes = list_has(&f->yes, *cell);

	if (!yes && !list_has(&f->no, *cell))
		return false;
	memcpy(room, words[number][yes], sizeof(words[0][0]));
	*cell = (struct label){ room, number ? 1 : (size_t)(5 - yes) };
	return true;
}

/* --- the map -------------------------------------------------------------- */

bool
schema_cell(const struct schema_field *f, struct label *cell, char *room,
    bool number)
{
	*cell = text_trim(cell->text, cell->len);
	if (list_has(&f->missing, *cell))
		return false;
	switch (f->type) {
	case SCHEMA_INTEGER:
	case SCHEMA_NUMBER:
		return number_map(f, cell, room);
	case SCHEMA_BOOLEAN:
		return boolean_map(f, cell, room, number);
	case SCHEMA_DATE:
	case SCHEMA_DATETIME:
	case SCHEMA_TIME:
	case SCHEMA_YEAR:
	case SCHEMA_YEARMONTH:
		return schema_date_cell(f, f->format, cell, room, number);
	default:
		return true;
	}
}

bool
schema_word(const struct schema_field *f, struct label *word, char *room)
{
	struct label key = *word;

	if (schema_cell(f, &key, room, false)) {
		*word = key;
		return true;
	}
	if (f->type == SCHEMA_BOOLEAN)
		return label_is(*word, "true", 4) ||
		    label_is(*word, "false", 5);
	return schema_dated(f) && schema_date_cell(f, NULL, word, room, false);
}

/* --- what a budget binds -------------------------------------------------- */

static void
reading_list(struct text *out, const char *what, const struct schema_list *l)
{
	text_printf(out, " %s", what);
	for (size_t i = 0; i < l->n; i++) {
		text_add(out, i > 0 ? "," : " ");
		text_cell(out, l->at[i].text, l->at[i].len);
	}
}

/* Text without codes is what a reader without a schema reads. */
void
schema_reading(const struct schema_field *f, struct text *out)
{
	bool codes = f->missing.n != 1 || f->missing.at[0].len > 0;
	bool number = f->type == SCHEMA_INTEGER || f->type == SCHEMA_NUMBER;

	if (schema_numeric(f) && f->type != SCHEMA_ANY)
		text_printf(out, " %s", f->type_name);
	if (schema_dated(f) && f->format != NULL)
		text_printf(out, " %s", f->format);
	if (number && (f->group.len > 0 || f->point.text[0] != '.'))
		text_printf(out, " marks %s %s", f->point.text, f->group.text);
	if (number && !f->bare)
		text_add(out, " with units");
	if (f->type == SCHEMA_BOOLEAN) {
		reading_list(out, "yes", &f->yes);
		reading_list(out, "no", &f->no);
	}
	if (codes)
		reading_list(out, "without", &f->missing);
}
