/*
 * table_names: the header, and the columns that -c names.
 *
 * The header is public, so messages list its names; where its line is in
 * truth a record (a forgotten -H), nothing of it is told.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdnoreturn.h>
#include <string.h>
#include <unistd.h>

#include "table_state.h"
#include "number/fixed.h"
#include "tool/err.h"
#include "tool/near.h"
#include "tool/text.h"

#define SHOWN 60	/* bytes of a name in a message */
#define LISTED 20	/* names of the header in a message */
#define ONE_COLUMN "; the header has one column: is the delimiter right (-d)?"

void
names_add(struct names *names, size_t column, const char *text, size_t len,
    bool usable)
{
	struct name *name;

	if (names->count == names->room) {
		names->room = 2 * names->room + 8;
		names->list = err_alloc(names->list, names->room,
		    sizeof(*names->list));
	}
	name = &names->list[names->count++];
	name->column = column;
	name->len = len;
	name->usable = usable;
	name->text = err_alloc(NULL, len + 1, 1);
	if (len > 0)
		memcpy(name->text, text, len);
	name->text[len] = '\0';
}

void
names_free(struct names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->list[i].text);
	free(names->list);
}

/* The name made fit for a terminal, cut where it is long. */
static const char *
shown(const struct name *name, char *buf)
{
	char *p = buf;
	unsigned char c;
	size_t i;

	for (i = 0; i < name->len && i < SHOWN; i++) {
		c = (unsigned char)name->text[i];
		if (c < ' ' || c == 127)
			p += sprintf(p, "\\%03o", c);
		else
			*p++ = (char)c;
	}
	memcpy(p, i < name->len ? "..." : "\0\0\0", 4);
	return buf;
}

/* Column of that name, or false when there is none. */
static bool
by_name(const struct table *t, const struct name *want, size_t *column)
{
	char buf[4 * SHOWN + 4];
	const struct name *have;
	size_t found = 0;

	for (size_t i = 0; i < t->header.count; i++) {
		have = &t->header.list[i];
		if (!have->usable || have->len != want->len ||
		    memcmp(have->text, want->text, want->len) != 0)
			continue;
		if (found++ > 0)
			die(STATUS_INPUT, "column name '%s' is ambiguous",
			    shown(want, buf));
		*column = i;
	}
	return found > 0;
}

/* A number from 1; saturates, so that no number wraps to a small one. */
static bool
by_number(const struct name *want, size_t *column)
{
	size_t n = 0, digit;

	for (size_t i = 0; i < want->len; i++) {
		if (want->text[i] < '0' || want->text[i] > '9')
			return false;
		digit = (size_t)(want->text[i] - '0');
		n = n > (SIZE_MAX - 9) / 10 ? SIZE_MAX : 10 * n + digit;
	}
	*column = n - 1;
	return want->len > 0;
}

static void
check_number(const struct table *t, size_t column, const char *text)
{
	if (column == SIZE_MAX)
		die(STATUS_INPUT, "column %s does not exist: the first is 1",
		    text);
	if (t->done && column >= t->header.count)
		die(STATUS_INPUT, "column %s of %zu does not exist%s", text,
		    t->header.count, t->header.count == 1 ? ONE_COLUMN : "");
}

/* A header with a number in it is in truth a record: nothing of it is told. */
static bool
looks_like_data(const struct table *t)
{
	int64_t x;

	for (size_t i = 0; i < t->header.count; i++)
		if (fixed_cell(t->header.list[i].text, t->header.list[i].len,
		    0, &x))
			return true;
	return false;
}

static noreturn void
unknown(const struct table *t, const struct name *want)
{
	const char **names, *near;
	char buf[4 * SHOWN + 4];
	struct text say = TEXT_INIT;
	size_t i, n = 0;

	if (t->fd != STDIN_FILENO)
		text_printf(&say, "%s: ", t->name);
	text_printf(&say, "no column named '%s'", shown(want, buf));
	if (looks_like_data(t))
		die(STATUS_INPUT, "%s in the first line, which looks like a "
		    "record: is -H missing?", text_string(&say));
	names = err_alloc(NULL, t->header.count, sizeof(*names));
	for (i = 0; i < t->header.count; i++)
		if (t->header.list[i].usable)
			names[n++] = t->header.list[i].text;
	near = near_word(want->text, names, n);
	free(names);
	if (near != NULL)
		text_printf(&say, " (did you mean '%s'?)", near);
	for (i = 0; i < t->header.count && i < LISTED; i++)
		text_printf(&say, "%s%s", i > 0 ? ", " : "; the header has ",
		    shown(&t->header.list[i], buf));
	text_add(&say, i < t->header.count ? ", ..." : "");
	text_add(&say, t->header.count == 1 ? ONE_COLUMN : "");
	die(STATUS_INPUT, "%s", text_string(&say));
}

static size_t
find(const struct table *t, const struct name *want)
{
	char buf[4 * SHOWN + 4];
	size_t column;

	if (by_name(t, want, &column))
		return column;
	if (!by_number(want, &column)) {
		if (!t->done)
			die(STATUS_INPUT, "no column named '%s': without a "
			    "header, columns go by number", shown(want, buf));
		unknown(t, want);
	}
	check_number(t, column, shown(want, buf));
	return column;
}

static void
list_field(void *text, size_t len, void *list)
{
	struct names *names = list;

	names_add(names, names->count, text, len, true);
}

/* The list is CSV itself; a name with a comma in it is quoted. */
static void
split_list(const char *arg, struct names *names)
{
	struct csv_parser csv;
	size_t n = strlen(arg);

	if (csv_init(&csv, 0) != 0 ||
	    csv_parse(&csv, arg, n, list_field, NULL, names) != n)
		die(STATUS_INPUT, "out of memory");
	csv_fini(&csv, list_field, NULL, names);
	csv_free(&csv);
	if (names->count == 0)
		list_field("", 0, names);
}

static size_t
first_columns(const struct table *t, size_t want, size_t **cols)
{
	char buf[32];

	*cols = err_alloc(NULL, want, sizeof(**cols));
	for (size_t i = 0; i < want; i++) {
		snprintf(buf, sizeof(buf), "%zu", i + 1);
		check_number(t, i, buf);
		(*cols)[i] = i;
	}
	return want;
}

size_t
table_columns(struct table *t, const char *arg, size_t want, size_t **cols)
{
	struct names names = { NULL, 0, 0 };
	struct name whole = { .text = (char *)arg };
	size_t count, column;

	if (arg == NULL)
		return first_columns(t, want, cols);
	whole.len = strlen(arg);
	if (by_name(t, &whole, &column)) {
		*cols = err_alloc(NULL, 1, sizeof(**cols));
		(*cols)[0] = column;
		return 1;
	}
	split_list(arg, &names);
	*cols = err_alloc(NULL, names.count, sizeof(**cols));
	for (size_t i = 0; i < names.count; i++)
		(*cols)[i] = find(t, &names.list[i]);
	count = names.count;
	names_free(&names);
	return count;
}

const char *
table_name(struct table *t, size_t c)
{
	char buf[32];
	int n;

	if (c < t->header.count && t->header.list[c].usable)
		return t->header.list[c].text;
	for (size_t i = 0; i < t->numbers.count; i++)
		if (t->numbers.list[i].column == c)
			return t->numbers.list[i].text;
	n = snprintf(buf, sizeof(buf), "%zu", c + 1);
	names_add(&t->numbers, c, buf, (size_t)n, false);
	return t->numbers.list[t->numbers.count - 1].text;
}

size_t
table_width(const struct table *t)
{
	return t->header.count;
}

void
table_doubt(struct table *t)
{
	const char *name = table_width(t) == 1 ? table_name(t, 0) : NULL;

	if (name != NULL && strpbrk(name, ";|\t") != NULL)
		warn("the header has one column, '%.*s': is the delimiter "
		    "right (-d)?", SHOWN, name);
	if (looks_like_data(t))
		warn("the header holds a number: if it is a record, -H is "
		    "missing");
}
