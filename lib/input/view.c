/* view: a column cut into public bands. */
#include "view.h"

#include <stdlib.h>
#include <string.h>

#include "number/calendar.h"
#include "tool/err.h"
#include "tool/opts.h"

#define HOURS 24
#define DAYS 7

static noreturn void
view_die(const struct column_view *v, const char *why)
{
	err_die(STATUS_USAGE, "'%s': %s", v->name, why);
}

/* --- opening -------------------------------------------------------------- */

/* Is it cut by its days?  Then a cell is a number of days, or of seconds. */
static bool
view_daily(const struct column_view *v)
{
	return v->kind >= VIEW_YEAR && v->kind <= VIEW_WEEKDAY;
}

/* Weekdays and hours are all there are, whatever the limits. */
static bool
view_cyclic(const struct column_view *v)
{
	return v->kind == VIEW_WEEKDAY || v->kind == VIEW_HOUR;
}

/* Which types have days, and which have hours. */
static bool
view_fits(const struct column_view *v)
{
	enum schema_type t = v->field->type;

	if (v->kind == VIEW_HOUR)
		return t == SCHEMA_DATETIME || t == SCHEMA_TIME;
	if (v->kind == VIEW_BAND)
		return t == SCHEMA_INTEGER || t == SCHEMA_NUMBER ||
		    t == SCHEMA_YEAR;
	return t == SCHEMA_DATE || t == SCHEMA_DATETIME;
}

static const char *const view_cuts[VIEW_KINDS] = { "", "10", "year", "quarter",
    "month", "week", "day", "weekday", "hour" };

void
view_advise(const struct column_view *v, const char *why)
{
	struct column_view other = *v;
	struct text all = TEXT_INIT;

	for (other.kind = VIEW_BAND; other.kind < VIEW_KINDS; other.kind++)
		if (view_fits(&other))
			text_printf(&all, " %s@%s", v->field->name,
			    view_cuts[other.kind]);
	text_add(&all, all.len == 0 ? " none" : "");
	err_die(STATUS_USAGE, "'%s': %s; views of its type:%s", v->name, why,
	    text_string(&all));
}

static enum view_kind
view_kind(const struct column_view *v, const char *cut)
{
	enum view_kind kind = VIEW_YEAR;

	if (*cut >= '0' && *cut <= '9')
		return VIEW_BAND;
	while (kind < VIEW_KINDS && strcmp(cut, view_cuts[kind]) != 0)
		kind++;
	if (kind == VIEW_KINDS)
		view_advise(v, "there is no such view");
	return kind;
}

/* The limits and the width on the finest grid that holds them. */
static bool
view_limits(struct column_view *v, struct rational width)
{
	struct rational lo, hi;

	if (!schema_limit(v->field, v->field->least, &lo) ||
	    !schema_limit(v->field, v->field->most, &hi))
		return false;
	v->digits = v->kind == VIEW_BAND ? FIXED_DIGITS : 0;
	v->named = FIXED_MOST(rational_digits(lo), rational_digits(width));
	while (v->digits > 0 && (!rational_grid(lo, v->digits, FIXED_NEAREST,
	    &v->lo) || !rational_grid(hi, v->digits, FIXED_NEAREST, &v->hi) ||
	    !rational_grid(width, v->digits, FIXED_NEAREST, &v->width)))
		v->digits--;
	return rational_grid(lo, v->digits, FIXED_NEAREST, &v->lo) &&
	    rational_grid(hi, v->digits, FIXED_NEAREST, &v->hi) &&
	    rational_grid(width, v->digits, FIXED_NEAREST, &v->width);
}

/* A cell in days. */
static int64_t
view_day(const struct column_view *v, int64_t x)
{
	if (v->field->type == SCHEMA_DATETIME)
		return (int64_t)fixed_floor_div(x, CALENDAR_SECONDS);
	return x;
}

static void
view_cut(struct column_view *v, const char *cut)
{
	struct rational width = { 1, 1 };
	i128 bands = 0;

	v->kind = view_kind(v, cut);
	if (!view_fits(v))
		view_advise(v, "this view is of another type");
	if (v->kind == VIEW_BAND && (!rational_parse(cut, &width) ||
	    rational_sign(width) <= 0 || rational_digits(width) < 0))
		view_die(v, "the width of a band is a decimal above 0");
	if (view_cyclic(v))
		return;
	if (!view_limits(v, width) || v->width == 0)
		view_die(v, "its bands lie between a minimum and a maximum of "
		    "the schema, which it has not");
	if (v->named > v->digits)
		view_die(v, "the width has more digits than go with numbers as "
		    "large as the limits");
	if (v->kind == VIEW_BAND)
		bands = ((i128)v->hi - v->lo) / v->width;
	if (v->kind == VIEW_DAY)
		bands = (i128)view_day(v, v->hi) - view_day(v, v->lo);
	if (bands >= (i128)VIEW_BANDS)
		view_die(v, "more than 2^20 bands");
}

void
view_whole(struct column_view *v, const struct schema *s, const char *name)
{
	*v = (struct column_view){ .name = name,
	    .field = schema_use(s, name) };
}

void
view_open(struct column_view *v, const struct schema *s, const char *name)
{
	char *column = view_column(s, name);

	view_whole(v, s, column);
	v->name = name;
	if (strcmp(column, name) != 0)
		view_cut(v, name + strlen(column) + 1);
	free(column);
}

char *
view_column(const struct schema *s, const char *name)
{
	const char *cut = strrchr(name, '@');

	if (cut == NULL || s->n == 0 || schema_find(s, name) != NULL)
		return err_copy(name, strlen(name));
	return err_copy(name, (size_t)(cut - name));
}

char *
view_columns(const struct schema *s, const char *list)
{
	struct text out = TEXT_INIT;

	for (const char *end; list != NULL; list = *end == ',' ? end + 1 :
	    NULL) {
		char *name = schema_list_word(list, end = names_end(list));
		char *column = view_column(s, name);

		text_add(&out, out.len > 0 ? "," : "");
		text_cell(&out, column, strlen(column));
		free(column);
		free(name);
	}
	return text_string(&out);
}

/*
 * The name of a column in a list: without a header the fields name the columns,
 * and a number is the field's.
 */
static const char *
view_column_name(const struct opts *o, const char *list, const char *end)
{
	const struct schema *s = o->schema;
	char *name = schema_keep(schema_list_word(list, end)), *rest;
	size_t i;

	if (schema_find(s, name) != NULL || *name < '0' || *name > '9')
		return name;
	i = strtoull(name, &rest, 10) - 1;
	if (*rest == '\0' && o->header != HEADER_NONE)
		err_die(STATUS_USAGE, "column %s: name it, as the schema does; "
		    "a number is a place under a header, which nobody has read "
		    "yet", name);
	if (*rest == '\0' && i < s->n)
		return s->field[i].name;
	return name;
}

struct column_view *
views_open(const struct opts *o, const char *list, size_t *n)
{
	struct column_view *v;
	const char *end, *name;

	*n = 0;
	if (list == NULL)
		return NULL;
	v = err_alloc(NULL, names_count(list) + 1, sizeof(*v));
	if (schema_find(o->schema, list) != NULL) {
		view_open(&v[(*n)++], o->schema, list);
		return v;
	}
	for (; list != NULL; list = *end == ',' ? end + 1 : NULL) {
		end = names_end(list);
		name = view_column_name(o, list, end);
		view_open(&v[(*n)++], o->schema, name);
	}
	return v;
}

/* --- bands ---------------------------------------------------------------- */

static struct label
band_name(const struct column_view *v, int64_t x, char *buf)
{
	int64_t n = (int64_t)(((i128)x - v->lo) / v->width);
	i128 low = v->lo + (i128)n * v->width;

	fixed_text(buf, low / fixed_pow10(v->digits - v->named), v->named);
	return (struct label){ buf, strlen(buf) };
}

/* Two numbers of so many digits, and between them a text. */
static struct label
pair_name(char *buf, int64_t year, const char *between, size_t digits,
    int64_t x)
{
	size_t len = strlen(between);

	calendar_put(buf, 4, year);
	memcpy(buf + 4, between, len);
	calendar_put(buf + 4 + len, digits, x);
	return (struct label){ buf, 4 + len + digits };
}

static struct label
day_name(const struct column_view *v, int64_t day, char *buf)
{
	struct date t = calendar_date(day);
	int64_t year;

	switch (v->kind) {
	case VIEW_YEAR:
		return pair_name(buf, t.year, "", 0, 0);
	case VIEW_QUARTER:
		return pair_name(buf, t.year, "-Q", 1, (t.month + 2) / 3);
	case VIEW_MONTH:
		return pair_name(buf, t.year, "-", 2, t.month);
	case VIEW_WEEK:
		day = calendar_week(day, &year);
		return pair_name(buf, year, "-W", 2, day);
	case VIEW_WEEKDAY:
		calendar_put(buf, 1, calendar_weekday(day));
		return (struct label){ buf, 1 };
	default:
		calendar_write(buf, day);
		return (struct label){ buf, CALENDAR_DATE };
	}
}

/* The name of the band that holds x. */
static struct label
view_name(const struct column_view *v, int64_t x, char *buf)
{
	if (v->kind == VIEW_BAND)
		return band_name(v, x, buf);
	if (view_daily(v))
		return day_name(v, view_day(v, x), buf);
	x = (int64_t)(x - fixed_floor_div(x, CALENDAR_SECONDS) *
	    CALENDAR_SECONDS) / 3600;
	return (struct label){ buf, strlen(fixed_text(buf, x, 0)) };
}

/* The number of a cell; the room is for the map. */
static bool
view_take(const struct column_view *v, struct label *cell, char *room,
    int64_t *x)
{
	*cell = text_trim(cell->text, cell->len);
	if (v->kind != VIEW_BAND)
		return !schema_is_missing(v->field, *cell) &&
		    schema_moment(v->field, v->field->format, *cell, x);
	return schema_cell(v->field, cell, room, true) &&
	    fixed_cell(cell->text, cell->len, v->digits, x);
}

int
view_beyond(const struct column_view *v, struct label cell, char *room)
{
	int64_t x;

	if (v->kind == VIEW_WHOLE || view_cyclic(v) ||
	    !view_take(v, &cell, room, &x))
		return 0;
	return (x > v->hi) - (x < v->lo);
}

bool
view_cell(const struct column_view *v, struct label *cell, char *room,
    bool number)
{
	int64_t x;

	if (v->kind == VIEW_WHOLE)
		return schema_cell(v->field, cell, room, number);
	if (!view_take(v, cell, room, &x))
		return false;
	if (!view_cyclic(v))
		x = fixed_clamp(x, v->lo, v->hi);
	*cell = view_name(v, x, room);
	return true;
}

void
view_step(const struct column_view *v, bool whole)
{
	bool leaps = v != NULL && (v->kind != VIEW_WHOLE ||
	    v->field->type > SCHEMA_NUMBER ||
	    (!whole && (v->field->type == SCHEMA_INTEGER || !v->field->bare ||
	    v->field->group.len > 0 || v->field->point.text[0] != '.')));

	for (size_t i = 0; v != NULL && i < v->field->missing.n; i++)
		leaps = leaps || strpbrk(v->field->missing.at[i].text,
		    "0123456789") != NULL;
	if (leaps)
		view_die(v, "a record moves a number there by a step, of which "
		    "a band, a date, a type such as integer, a mark such as "
		    "groupChar or a code for no value that has a digit "
		    "(missingValues, --missing) makes a leap");
}

bool
view_word(const struct column_view *v, struct label *word, char *room)
{
	return v->kind != VIEW_WHOLE || schema_word(v->field, word, room);
}

static void
keys_add(struct schema_list *keys, struct label name)
{
	const struct label *last = keys->at + keys->n - (keys->n > 0);

	if (keys->n > 0 && last->len == name.len &&
	    memcmp(last->text, name.text, name.len) == 0)
		return;
	if (keys->n == VIEW_BANDS)
		err_die(STATUS_USAGE, "a view has more than 2^20 bands");
	keys->at = err_grow(keys->at, keys->n, &keys->room, sizeof(*keys->at));
	keys->at[keys->n++] = (struct label){ err_copy(name.text, name.len),
	    name.len };
}

/* The values of the column as it is, which the schema lists. */
static void
keys_listed(const struct schema_field *f, struct schema_list *keys)
{
	static const struct label words[] = { { "false", 5 }, { "true", 4 } };

	for (size_t i = 0; f->type == SCHEMA_BOOLEAN && i < 2; i++)
		keys_add(keys, words[i]);
	for (size_t i = 0; f->type != SCHEMA_BOOLEAN && i < f->keys.n; i++)
		keys_add(keys, f->keys.at[i]);
}

/* Where the bands begin and end, and how far it is to the next that may. */
static void
view_walk(const struct column_view *v, int64_t *from, int64_t *to,
    int64_t *step)
{
	*from = v->lo;
	*to = v->hi;
	*step = v->kind == VIEW_BAND ? v->width : 1;
	if (view_daily(v)) {
		*from = view_day(v, v->lo);
		*to = view_day(v, v->hi);
	}
	if (v->kind == VIEW_WEEKDAY) {	/* 1970-01-05 was a Monday */
		*from = 4;
		*to = *from + DAYS - 1;
	}
	if (v->kind == VIEW_HOUR) {
		*from = 0;
		*to = CALENDAR_SECONDS - 1;
		*step = CALENDAR_SECONDS / HOURS;
	}
}

static void
keys_bands(const struct column_view *v, struct schema_list *keys)
{
	char buf[VIEW_LABEL];
	int64_t from, to, step;

	view_walk(v, &from, &to, &step);
	for (i128 x = from; x <= to; x += step)
		keys_add(keys, view_daily(v) ? day_name(v, (int64_t)x, buf) :
		    view_name(v, (int64_t)x, buf));
}

void
view_keys(const struct column_view *v, struct schema_list *keys)
{
	*keys = (struct schema_list){ .n = 0 };
	if (v->kind == VIEW_WHOLE)
		keys_listed(v->field, keys);
	else
		keys_bands(v, keys);
	schema_keep(keys->at);
}

void
view_listed(const struct column_view *v, struct schema_list *keys)
{
	view_keys(v, keys);
	if (keys->n == 0)
		view_advise(v, "the schema lists no keys of it (enum), and no "
		    "option does");
}

void
view_number(const struct column_view *v)
{
	if (v == NULL)
		return;
	if (v->kind != VIEW_WHOLE)
		view_die(v, "it is a list of bands, which stands in -g, and in "
		    "-c of hist");
	if (!schema_numeric(v->field))
		view_die(v, "the schema says that it holds names, and numbers "
		    "are wanted: laplace hist counts names");
}
