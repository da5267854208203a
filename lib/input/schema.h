/*
 * schema: what a table says, said once: a Table Schema.
 *
 * Versions 1 and 2 of the standard, as the schema alone, in a Data Resource, or
 * in a Data Package with one resource.  What is not named below is passed over.
 * SQLite reads the JSON.
 *
 * A schema is public.  Reading by a schema is a map of each cell by itself
 * (schema_cell), so data that differ in one record, or one person, still differ
 * in one record or person after the map, under every relation: what a release
 * costs is what the same release with the same options costs.  The cut into
 * records (quotes) and the map of ids to people are not of this kind; a budget
 * binds them.  Nothing about numbers of records or groups is believed.
 */
#pragma once

#include "number/fixed.h"
#include "tool/text.h"

#define SCHEMA_BYTES ((size_t)16 << 20)	/* at most */
#define SCHEMA_ROOM 512		/* bytes of a cell that was rewritten */

struct opts;

enum schema_type {
	SCHEMA_ANY, SCHEMA_STRING, SCHEMA_INTEGER, SCHEMA_NUMBER,
	SCHEMA_BOOLEAN, SCHEMA_DATE, SCHEMA_DATETIME, SCHEMA_TIME,
	SCHEMA_YEAR, SCHEMA_YEARMONTH, SCHEMA_OTHER
};

/* Texts, in the file's order. */
struct schema_list {
	struct label *at;
	size_t n, room;
	uint64_t lengths;		/* bit n: some text has n bytes, or n
					   and a multiple of 64 */
};

struct schema_field {
	const char *name, *type_name;
	enum schema_type type;
	const char *format;		/* of dates; NULL: the ISO form */
	struct label point, group;	/* decimalChar, groupChar (len 0) */
	bool bare;			/* no currency, no percent */
	bool required;			/* somebody says: no cell is missing */
	struct schema_list yes, no, missing, keys;
	const char *least, *most;	/* limits, as in a cell, or NULL */
};

/* What the property "privacy" says, by the names of our options; or NULL. */
struct schema_privacy {
	const char *unit, *per, *max_rows, *max_groups, *weight, *most;
};

struct schema {
	const char *path;		/* for messages */
	struct text text;		/* the bytes read */
	struct schema_field *field;	/* none: only `other' holds */
	size_t n;
	struct schema_field other;	/* of a column without a field */
	const char *delimiter;		/* of the dialect, or NULL */
	bool no_header, no_quotes;	/* of the dialect */
	struct schema_privacy privacy;
};

/*
 * Reads a schema from a file, or from a text with this name.  What is wrong
 * with it is status 1, with the place: no JSON, no fields, limits that
 * contradict, a name twice; an unknown type only where the field is used.
 */
struct schema *schema_read(const char *path);
struct schema *schema_text(const char *path, struct text text);

/* A schema without fields: --missing LIST, cells that mean no value. */
struct schema *schema_missing(const char *list);

/* Keeps public memory until the program ends; returns it. */
void *schema_keep(void *memory);

/* A word of a list, without the quotes of CSV, for the caller to free. */
char *schema_list_word(const char *text, const char *end);

/* The field with this name, or NULL. */
const struct schema_field *schema_find(const struct schema *s,
    const char *name);

/*
 * The field of a column that is used; `other' in a schema without fields.
 * Status 1 where there is none, or where its type or format is unknown.
 */
const struct schema_field *schema_use(const struct schema *s,
    const char *name);

/* Is the cell a number after the map: a limit may be its range? */
static inline bool
schema_numeric(const struct schema_field *f)
{
	return f->type != SCHEMA_STRING && f->type != SCHEMA_OTHER;
}

/* Is it a day, second, month or year? */
static inline bool
schema_dated(const struct schema_field *f)
{
	return f->type >= SCHEMA_DATE && f->type <= SCHEMA_YEARMONTH;
}

/*
 * The map of a cell, to a number or to a key.  Numbers get a decimal point, no
 * marks and no needless zeros, and are their own keys.  Yes is 1 and no is 0,
 * with the keys true and false.  A date is its day from 1970-01-01, a datetime
 * its second (with Z or an offset in UTC), a time its second, a month its
 * number from 1970-01; their keys are in ISO's form.  The new text is the old
 * text, or in room, which has SCHEMA_ROOM bytes, and SCHEMA_BEFORE readable
 * bytes before them.  False for a missing value and for any other form.
 */
#define SCHEMA_BEFORE 64
bool schema_cell(const struct schema_field *f, struct label *cell, char *room,
    bool number);

/*
 * The key of what a person writes in an option or a public list: a cell, or a
 * key as above.
 */
bool schema_word(const struct schema_field *f, struct label *word, char *room);

/* Is the format one that the map knows: ISO, or %Y %y %m %d %H %M %S? */
bool schema_format(const struct schema_field *f);

/*
 * Takes off what stands around a number, as currency and percent, and notes a
 * minus that went with it; false where the cell has another form.
 */
bool schema_strip(const struct schema_field *f, struct label *c, bool *neg);

/* Is the cell one of the codes of a missing value? */
bool schema_is_missing(const struct schema_field *f, struct label cell);

/* A limit as a number; false where it is NULL, or no number. */
bool schema_limit(const struct schema_field *f, const char *limit,
    struct rational *x);

/* Both limits, or 0 and 1 for yes and no; false where one lacks. */
struct range;
bool schema_range(const struct schema_field *f, struct range *r);

/*
 * A number of the field's map in words, for answers: a date from its day.  buf
 * holds FIXED_TEXT.  NULL where numbers print as numbers.
 */
char *schema_print(const struct schema_field *f, char *buf, int64_t x);

/*
 * How the column is read, if not as text: type, marks and codes.  Two budgets'
 * records differ where this differs.
 */
void schema_reading(const struct schema_field *f, struct text *out);

/*
 * schema_date.c: the number of a date, datetime, time, year or month, by a
 * format; NULL is the ISO form.  False where it is none.
 */
bool schema_moment(const struct schema_field *f, const char *format,
    struct label cell, int64_t *x);

/* schema_cell for these. */
bool schema_date_cell(const struct schema_field *f, const char *format,
    struct label *cell, char *room, bool number);
