/* schema: what a cell becomes, and what is no schema. */
#include <criterion/criterion.h>

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "input/table_state.h"
#include "random/rng.h"

/* The schema of a column x with these properties. */
static struct schema *
schema_with(const char *properties)
{
	struct text text = TEXT_INIT;

	text_printf(&text, "{\"fields\": [{\"name\": \"x\", %s}]}",
	    properties);
	return schema_keep(schema_text("test", text));
}

/* What the only cell of a table became. */
struct became {
	const char *want;
	bool number;
	size_t met;		/* times */
};

/* The table's cell says the same; of numbers the text may have more zeros. */
static void
meet(void *arg, const struct cell *cell, size_t fields)
{
	struct became *b = arg;
	int64_t x, y;

	cr_expect_eq(fields, 1);
	if (b->number && strcmp(b->want, "-") == 0)
		b->met += !fixed_cell(cell->text, cell->len, 9, &x);
	else if (cell->missing || strcmp(b->want, "-") == 0)
		b->met += cell->missing == (strcmp(b->want, "-") == 0);
	else if (b->number && fixed_cell(b->want, strlen(b->want), 9, &x))
		b->met += fixed_cell(cell->text, cell->len, 9, &y) && x == y;
	else
		b->met += cell->len == strlen(b->want) && memcmp(cell->text,
		    b->want, cell->len) == 0;
}

/*
 * A table, which passes most cells without the map and knows what it has met,
 * reads a cell alike.
 */
static void
meet_table(const struct schema *s, const char *name, const char *cell,
    struct became *b)
{
	struct table_form form = { .delimiter = ';', .header = HEADER_NAMES,
	    .schema = s };
	int fd = memfd_create("input", 0);
	size_t column;
	struct table *t;

	dprintf(fd, "x\n\"%s\"\n\"%s\"\n", cell, cell);
	lseek(fd, 0, SEEK_SET);
	t = table_open(fd, "input", &form, NULL);
	column = table_find(t, name);
	table_numbers(t, &b->number, false);
	table_read(t, &column, 1, meet, b);
	table_close(t);
	close(fd);
	cr_expect_eq(b->met, 2, "%s of '%s' in a table is not '%s'", name, cell,
	    b->want);
}

/* What a cell becomes in the column or view: "-" where it is bad. */
static const char *
becomes(const char *properties, const char *name, const char *cell,
    bool number)
{
	static char buf[SCHEMA_BEFORE + SCHEMA_ROOM + 1];
	static char room[SCHEMA_BEFORE + SCHEMA_ROOM];
	struct label l = { cell, strlen(cell) };
	const struct schema *s = schema_with(properties);
	struct became b = { buf, number, 0 };
	struct column_view v;

	view_open(&v, s, name);
	if (view_cell(&v, &l, room + SCHEMA_BEFORE, number))
		snprintf(buf, sizeof(buf), "%.*s", (int)l.len, l.text);
	else
		strcpy(buf, "-");
	meet_table(s, name, cell, &b);
	return buf;
}

#define NUMBER "\"type\": \"number\""
#define INTEGER "\"type\": \"integer\""
#define COMMA NUMBER ", \"decimalChar\": \",\", \"groupChar\": \".\""
#define MONEY NUMBER ", \"groupChar\": \",\", \"bareNumber\": false"
#define THIN NUMBER ", \"groupChar\": \"\342\200\211\""
#define TRUTH "\"type\": \"boolean\", \"trueValues\": [\"yes\", \"Y\"], " \
	"\"falseValues\": [\"no\"]"
#define DATE "\"type\": \"date\""
#define GERMAN DATE ", \"format\": \"%d.%m.%Y\""
#define MOMENT "\"type\": \"datetime\""
#define CODES NUMBER ", \"missingValues\": [\"\", \"-999\", " \
	"{\"value\": \"99\", \"label\": \"refused\"}]"

/* Most cells pass a table without the map: random ones as if by the map. */
Test(schema, a_table_reads_what_the_map_makes_of_a_cell)
{
	static const char *const fields[] = { NUMBER, INTEGER, COMMA, MONEY,
	    CODES, TRUTH, DATE, MOMENT,
	    "\"type\": \"string\", \"missingValues\": [\"\", \"-\"]",
	    "\"type\": \"integer\", \"missingValues\": [\"7\", \" 9\"]" };
	static const char *const pieces[] = { "7", "99", "-999", "0", "00",
	    "12", ".", ",", "-", "+", "e1", "E-2", " ", "\t", "$", "%", "x",
	    "yes", "no", "2024-02-29", "2023-11-05", "T", "12:30:59", "Z",
	    "+01:30", "99999999999999999999", "\302\240", "" };
	struct rng r;
	char cell[200];

	rng_seeded(&r, 1, "cells");
	for (size_t i = 0; i < 4000; i++) {
		cell[0] = '\0';
		for (uint64_t n = rng_below(&r, 6); n > 0; n--)
			strcat(cell, pieces[rng_below(&r, sizeof(pieces) /
			    sizeof(pieces[0]))]);
		becomes(fields[rng_below(&r, sizeof(fields) /
		    sizeof(fields[0]))], "x", cell, rng_below(&r, 2) > 0);
	}
}

Test(schema, a_number_loses_marks_and_needless_zeros)
{
	static const struct {
		const char *field, *cell, *number;
	} rows[] = {
		{ NUMBER, "12", "12" }, { NUMBER, "-0.50", "-0.5" },
		{ NUMBER, "007", "7" }, { NUMBER, "1e3", "1000" },
		{ NUMBER, "1.5E-2", "0.015" }, { NUMBER, "-0", "0" },
		{ NUMBER, "+3.0", "3" }, { NUMBER, " 4 ", "4" },
		{ NUMBER, ".25", "0.25" }, { NUMBER, "5.", "5" },
		{ NUMBER, "1,5", "-" }, { NUMBER, "", "-" },
		{ NUMBER, "1 2", "-" }, { NUMBER, "nan", "-" },
		{ NUMBER, "1e", "-" }, { NUMBER, "$5", "-" },
		{ NUMBER, "-", "-" }, { NUMBER, "--5", "-" },
		{ NUMBER, "+-5", "-" }, { NUMBER, "++5", "-" },
		{ NUMBER, "12345.6789012345", "12345.6789012345" },
		{ INTEGER, "7.0", "7" }, { INTEGER, "07", "7" },
		{ INTEGER, "7.5", "-" }, { INTEGER, "70e-1", "7" },
		{ COMMA, "1.234,50", "1234.5" }, { COMMA, "3,4", "3.4" },
		{ COMMA, "1.250", "1250" }, { COMMA, "1.25", "-" },
		{ COMMA, "12.34.567", "1234567" },
		{ COMMA, "1.2.345", "-" }, { COMMA, "1234.567", "-" },
		{ COMMA, "-1.000.000", "-1000000" },
		{ MONEY, "$1,200.50", "1200.5" },
		{ MONEY, "10.93 EUR", "10.93" },
		{ MONEY, "95%", "95" }, { MONEY, "-$5", "-5" },
		{ MONEY, "$-5", "-5" }, { MONEY, "($5.00)", "-" },
		{ MONEY, "5-", "-" }, { MONEY, "$", "-" },
		{ MONEY, "5 of 9", "-" }, { MONEY, "1,23", "-" },
		{ MONEY, "--5", "-" }, { MONEY, "A-B5", "-" },
		{ THIN, "12\342\200\211345.6", "12345.6" },
		{ CODES, "-999", "-" }, { CODES, "99", "-" },
		{ CODES, "98", "98" }, { CODES, " 99\t", "-" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		cr_expect_str_eq(becomes(rows[i].field, "x", rows[i].cell,
		    true), rows[i].number, "%s: '%s'", rows[i].field,
		    rows[i].cell);
}

Test(schema, yes_and_no_and_dates_are_numbers_and_keys)
{
	static const struct {
		const char *field, *cell, *number, *key;
	} rows[] = {
		{ TRUTH, "yes", "1", "true" }, { TRUTH, "Y", "1", "true" },
		{ TRUTH, "no", "0", "false" }, { TRUTH, "No", "-", "-" },
		{ TRUTH, "1", "-", "-" },
		{ "\"type\": \"boolean\"", "TRUE", "1", "true" },
		{ DATE, "1970-01-02", "1", "1970-01-02" },
		{ DATE, "1969-12-31", "-1", "1969-12-31" },
		{ DATE, "2024-02-29", "19782", "2024-02-29" },
		{ DATE, "2023-02-29", "-", "-" },
		{ DATE, "2024-2-9", "-", "-" },
		{ DATE, "2024-02-09 10:00", "-", "-" },
		{ GERMAN, "29.02.2024", "19782", "2024-02-29" },
		{ GERMAN, "9.2.2024", "19762", "2024-02-09" },
		{ GERMAN, "2024-02-29", "-", "-" },
		{ DATE ", \"format\": \"%d/%m/%y\"", "01/01/70", "0",
		    "1970-01-01" },
		{ MOMENT, "1970-01-01T00:01:40", "100",
		    "1970-01-01T00:01:40" },
		{ MOMENT, "1970-01-01T01:00:00+01:00", "0",
		    "1970-01-01T00:00:00" },
		{ MOMENT, "1969-12-31T23:00:00.25-0130", "1800",
		    "1970-01-01T00:30:00" },
		{ MOMENT, "1970-01-01 00:00:01Z", "1",
		    "1970-01-01T00:00:01" },
		{ MOMENT, "1970-01-01T24:00:00", "-", "-" },
		{ "\"type\": \"time\"", "01:00:01", "3601", "01:00:01" },
		{ "\"type\": \"year\"", "2024", "2024", "2024" },
		{ "\"type\": \"yearmonth\"", "1971-02", "13", "1971-02" },
		{ "\"type\": \"string\"", "a b", "a b", "a b" },
		{ "\"type\": \"any\"", "1,5", "1,5", "1,5" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		cr_expect_str_eq(becomes(rows[i].field, "x", rows[i].cell,
		    true), rows[i].number, "%s: '%s'", rows[i].field,
		    rows[i].cell);
		cr_expect_str_eq(becomes(rows[i].field, "x", rows[i].cell,
		    false), rows[i].key, "%s: '%s'", rows[i].field,
		    rows[i].cell);
	}
}

#define AGE INTEGER ", \"constraints\": {\"minimum\": 5, \"maximum\": 24}"
#define PART NUMBER ", \"constraints\": {\"minimum\": 0, \"maximum\": 1}"
#define DAYS GERMAN ", \"constraints\": {\"minimum\": \"30.12.2023\", " \
	"\"maximum\": \"02.02.2024\"}"

/* All bands, with blanks between. */
static const char *
bands(const char *properties, const char *name)
{
	static char buf[4096];
	struct schema_list keys;
	struct column_view v;
	size_t n = 0;

	view_open(&v, schema_with(properties), name);
	view_keys(&v, &keys);
	for (size_t i = 0; i < keys.n; i++)
		n += (size_t)snprintf(buf + n, sizeof(buf) - n, "%s%.*s",
		    i > 0 ? " " : "", (int)keys.at[i].len, keys.at[i].text);
	return buf;
}

Test(schema, a_view_has_all_bands)
{
	cr_expect_str_eq(bands(AGE, "x@10"), "5 15");
	cr_expect_str_eq(bands(PART, "x@0.25"), "0.00 0.25 0.50 0.75 1.00");
	cr_expect_str_eq(bands(DAYS, "x@year"), "2023 2024");
	cr_expect_str_eq(bands(DAYS, "x@quarter"), "2023-Q4 2024-Q1");
	cr_expect_str_eq(bands(DAYS, "x@month"), "2023-12 2024-01 2024-02");
	cr_expect_str_eq(bands(DAYS, "x@week"), "2023-W52 2024-W01 2024-W02 "
	    "2024-W03 2024-W04 2024-W05");
	cr_expect_str_eq(bands(DAYS, "x@weekday"), "1 2 3 4 5 6 7");
	cr_expect_str_eq(bands(TRUTH, "x"), "false true");
}

Test(schema, a_cell_beyond_the_limits_is_in_the_band_at_the_end)
{
	static const struct {
		const char *field, *view, *cell, *band;
	} rows[] = {
		{ AGE, "x@10", "14", "5" }, { AGE, "x@10", "15", "15" },
		{ AGE, "x@10", "99", "15" }, { AGE, "x@10", "-3", "5" },
		{ AGE, "x@10", "x", "-" },
		{ PART, "x@0.25", "0.7499999", "0.50" },
		{ DAYS, "x@week", "31.12.2023", "2023-W52" },
		{ DAYS, "x@week", "01.01.2024", "2024-W01" },
		{ DAYS, "x@weekday", "01.01.2024", "1" },
		{ DAYS, "x@weekday", "06.08.1961", "7" },
		{ DAYS, "x@month", "01.01.1999", "2023-12" },
		{ MOMENT, "x@hour", "2024-05-06T23:59:59", "23" },
		{ MOMENT, "x@hour", "1960-05-06T00:00:00", "0" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		cr_expect_str_eq(becomes(rows[i].field, rows[i].view,
		    rows[i].cell, false), rows[i].band, "%s: '%s'",
		    rows[i].view, rows[i].cell);
}

static bool
is_listed(const struct schema_list *keys, struct label l)
{
	for (size_t i = 0; i < keys->n; i++)
		if (keys->at[i].len == l.len &&
		    memcmp(keys->at[i].text, l.text, l.len) == 0)
			return true;
	return false;
}

/* Every cell of the calendar is in a band that the view lists. */
Test(schema, a_view_lists_the_band_of_each_day)
{
	static const char *const names[] = { "x@year", "x@quarter", "x@month",
	    "x@week", "x@day", "x@weekday" };
	struct schema *s = schema_with(DATE ", \"constraints\": {\"minimum\": "
	    "\"1999-12-30\", \"maximum\": \"2001-01-03\"}");
	char room[SCHEMA_BEFORE + SCHEMA_ROOM], cell[FIXED_TEXT];
	struct schema_list keys;
	struct column_view v;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		view_open(&v, s, names[i]);
		view_keys(&v, &keys);
		for (int64_t day = 10955; day <= 11325; day++) {
			struct label l = { cell, 10 };

			schema_print(v.field, cell, day);
			cr_assert(view_cell(&v, &l, room + SCHEMA_BEFORE,
			    false));
			cr_assert(is_listed(&keys, l), "%s: %s", names[i],
			    cell);
		}
	}
}

Test(schema, the_map_of_a_key_is_the_key)
{
	static const char *const rows[][2] = { { TRUTH, "yes" },
	    { GERMAN, "9.2.2024" }, { MOMENT, "2024-01-01T05:06:07+02:00" },
	    { INTEGER, "07.0" } };
	char room[2][SCHEMA_BEFORE + SCHEMA_ROOM];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct schema_field *f = schema_with(rows[i][0])->field;
		struct label once = { rows[i][1], strlen(rows[i][1]) }, twice;

		cr_assert(schema_word(f, &once, room[0] + SCHEMA_BEFORE));
		twice = once;
		cr_assert(schema_word(f, &twice, room[1] + SCHEMA_BEFORE));
		cr_expect(once.len == twice.len && memcmp(once.text,
		    twice.text, once.len) == 0, "%s", rows[i][1]);
	}
}
