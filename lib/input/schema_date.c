/* schema_date: dates and times by a field's format, and in ISO's form. */
#include "schema.h"

#include <string.h>

#include "number/calendar.h"

/* A date and a time on their way. */
struct moment {
	struct date date;
	int64_t hour, minute, second;
};

/* A date is read by calendar_read, and a datetime by moment_iso. */
static const char *
format_iso(enum schema_type type)
{
	static const char *const forms[] = { [SCHEMA_TIME] = "%H:%M:%S",
	    [SCHEMA_YEAR] = "%Y", [SCHEMA_YEARMONTH] = "%Y-%m" };

	return forms[type];
}

bool
schema_format(const struct schema_field *f)
{
	const char *p = f->format;

	if (p != NULL && strcmp(p, "any") == 0)
		return false;
	for (; p != NULL && *p != '\0'; p++)
		if (*p == '%' && (*++p == '\0' || strchr("YymdHMS", *p) ==
		    NULL))
			return false;
	return true;
}

/* A number of `least' to `most' digits. */
static bool
moment_digits(struct label *c, size_t least, size_t most, int64_t *x)
{
	size_t n = 0;

	while (n < most && n < c->len && decimal_digit(c->text[n]))
		n++;
	if (n < least || !calendar_digits(c->text, n, x))
		return false;
	text_skip(c, n);
	return true;
}

/*
 * The part of a moment that a letter of the format names: four digits for a
 * year, and else two, or in a pattern also one.
 */
static bool
moment_part(struct moment *m, char letter, struct label *c, bool iso)
{
	int64_t *const parts[] = { &m->date.year, &m->date.year,
	    &m->date.month, &m->date.day, &m->hour, &m->minute, &m->second };
	size_t i = (size_t)(strchr("YymdHMS", letter) - "YymdHMS");
	size_t most = letter == 'Y' ? 4 : 2;

	if (!moment_digits(c, iso || most == 4 ? most : 1, most, parts[i]))
		return false;
	if (letter == 'y')
		m->date.year += m->date.year < 69 ? 2000 : 1900;
	return true;
}

/*
 * Z or an offset after a datetime in ISO's form, and parts of a second: takes
 * the offset off the second.
 */
static bool
moment_zone(struct label c, int64_t *second)
{
	int64_t hours, minutes = 0;
	bool west;

	if (c.len > 1 && *c.text == '.' && decimal_digit(c.text[1]))
		for (text_skip(&c, 1); c.len > 0 && decimal_digit(*c.text);)
			text_skip(&c, 1);
	if (c.len == 0 || (c.len == 1 && *c.text == 'Z'))
		return true;
	west = *c.text == '-';
	if (!west && *c.text != '+')
		return false;
	text_skip(&c, 1);
	if (!moment_digits(&c, 2, 2, &hours))
		return false;
	if (c.len > 0 && *c.text == ':')
		text_skip(&c, 1);
	if (c.len > 0 && (c.len != 2 || !moment_digits(&c, 2, 2, &minutes)))
		return false;
	*second -= (hours * 60 + minutes) * (west ? -60 : 60);
	return hours < 24 && minutes < 60;
}

/*
 * The second of a datetime in ISO's form; a blank stands for the T in what
 * databases print.
 */
static bool
moment_iso(struct label c, int64_t *x)
{
	const char *s = c.text + CALENDAR_DATE;
	int64_t day, hour, minute, second;

	if (c.len < 19 || (*s != 'T' && *s != ' ') || s[3] != ':' ||
	    s[6] != ':' || !calendar_read(c.text, &day) ||
	    !calendar_digits(s + 1, 2, &hour) ||
	    !calendar_digits(s + 4, 2, &minute) ||
	    !calendar_digits(s + 7, 2, &second))
		return false;
	text_skip(&c, 19);
	*x = day * CALENDAR_SECONDS + (hour * 60 + minute) * 60 + second;
	return hour < 24 && minute < 60 && second < 60 &&
	    moment_zone(c, x);
}

/* Reads the whole cell by the format, or by ISO's. */
static bool
moment_read(enum schema_type type, const char *format, struct moment *m,
    struct label c)
{
	const char *p = format != NULL ? format : format_iso(type);
	bool iso = format == NULL;

	for (; *p != '\0'; p++) {
		if (*p == '%') {
			if (!moment_part(m, *++p, &c, iso))
				return false;
			continue;
		}
		if (c.len == 0 || *c.text != *p)
			return false;
		text_skip(&c, 1);
	}
	return c.len == 0 && m->hour < 24 && m->minute < 60 && m->second < 60;
}

static bool
moment_number(enum schema_type type, const struct moment *m, int64_t *x)
{
	int64_t second = (m->hour * 60 + m->minute) * 60 + m->second, day;

	if (!calendar_day(m->date, &day))
		return false;
	switch (type) {
	case SCHEMA_TIME: *x = second; break;
	case SCHEMA_YEAR: *x = m->date.year; break;
	case SCHEMA_YEARMONTH:
		*x = (m->date.year - 1970) * 12 + m->date.month - 1;
		break;
	case SCHEMA_DATE: *x = day; break;
	default:
		*x = day * CALENDAR_SECONDS + second;
	}
	return true;
}

/* --- words for numbers ---------------------------------------------------- */

/* HH:MM:SS; returns the end. */
static char *
print_time(char *to, int64_t second)
{
	static const int64_t units[] = { 3600, 60, 1 };

	for (int i = 0; i < 3; i++) {
		calendar_put(to, 2, second / units[i] % 60);
		to[2] = i < 2 ? ':' : '\0';
		to += 3;
	}
	return to - 1;
}

/* The first and the last day of the calendar. */
static int64_t
print_day(int64_t day)
{
	static const int64_t first = -719162, last = 2932896;

	return fixed_clamp(day, first, last);
}

char *
schema_print(const struct schema_field *f, char *buf, int64_t x)
{
	int64_t day = (int64_t)fixed_floor_div(x, CALENDAR_SECONDS);

	switch (f->type) {
	case SCHEMA_DATE:
		calendar_write(buf, print_day(x));
		buf[CALENDAR_DATE] = '\0';
		return buf;
	case SCHEMA_DATETIME:
		calendar_write(buf, print_day(day));
		buf[CALENDAR_DATE] = 'T';
		print_time(buf + CALENDAR_DATE + 1,
		    x - day * CALENDAR_SECONDS);
		return buf;
	case SCHEMA_TIME:
		print_time(buf, fixed_clamp(x, 0, CALENDAR_SECONDS - 1));
		return buf;
	case SCHEMA_YEARMONTH:
		x = fixed_clamp(x, (1 - 1970) * 12, (9999 - 1970) * 12 + 11);
		day = (int64_t)fixed_floor_div(x, 12);
		calendar_put(buf, 4, day + 1970);
		buf[4] = '-';
		calendar_put(buf + 5, 2, x - day * 12 + 1);
		buf[7] = '\0';
		return buf;
	default:
		return NULL;
	}
}

bool
schema_moment(const struct schema_field *f, const char *format,
    struct label cell, int64_t *x)
{
	struct moment m = { .date = { 1970, 1, 1 } };

	if (f->type == SCHEMA_DATE && format == NULL)
		return cell.len == CALENDAR_DATE && calendar_read(cell.text, x);
	if (f->type == SCHEMA_DATETIME && format == NULL)
		return moment_iso(cell, x);
	return moment_read(f->type, format, &m, cell) &&
	    moment_number(f->type, &m, x);
}

bool
schema_date_cell(const struct schema_field *f, const char *format,
    struct label *cell, char *room, bool number)
{
	int64_t x;

	if (!schema_moment(f, format, *cell, &x))
		return false;
	if (number || schema_print(f, room, x) == NULL)
		fixed_text(room, x, 0);
	*cell = (struct label){ room, strlen(room) };
	return true;
}
