/*
 * table_names: the header, and the columns that -c names.
 *
 * Messages list a header's names once names_header has passed it.
 */
#include <stdlib.h>

#include "heading.h"
#include "number/taint.h"
#include "table_state.h"
#include "tool/err.h"

#define SHOWN 60	/* bytes shown from a name */
#define LISTED 20	/* header names in a message */
#define ONE_COLUMN "; the header has one column: is the delimiter right " \
	"(-d), or is a title above it (tail -n +2)?"

/* A name; libcsv's callback for a list. */
static void
add(void *text, size_t len, void *list)
{
	struct names *names = list;

	names->list = err_grow(names->list, names->count, &names->room,
	    sizeof(*names->list));
	names->list[names->count++] = err_copy(text, len);
}

void
names_free(struct names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->list[i]);
	free(names->list);
}

/* The names in a line of CSV; a name with a delimiter is quoted. */
static void
split(const char *line, size_t n, const struct table_form *form,
    struct names *names)
{
	struct csv_parser csv;

	if (csv_init(&csv, 0) != 0)
		err_die(STATUS_INPUT, "out of memory");
	csv_set_delim(&csv, (unsigned char)form->delimiter);
	table_csv_quote(&csv, form);
	if (csv_parse(&csv, line, n, add, NULL, names) != n)
		err_die(STATUS_INPUT, "out of memory");
	csv_fini(&csv, add, NULL, names);
	csv_free(&csv);
	if (names->count == 0)
		add("", 0, names);
}

/* Why a cell of a first line is no name; NULL if it is one. */
static const char *
names_fault(const struct table *t, const char *name, enum header header)
{
	size_t len = strlen(name);
	int64_t x;

	if (names_control(name, len) < len)
		return "holds a tab or another control character; is the "
		    "delimiter right (-d tab)?";
	if (header != HEADER_NAMES)
		return NULL;
	/* an empty cell is a name where it is the only one */
	if ((t->header.count > 1 && strspn(name, " ") == len) ||
	    fixed_cell(name, len, 0, &x) || heading_value(name))
		return "is no name, but a number, a date, an address with @, "
		    "or nothing; -H says that the line is a record, --header "
		    "that it is a header all the same, and tail -n +2 takes "
		    "out a title";
	return NULL;
}

void
names_header(struct table *t, const struct text *line, enum header header)
{
	struct quotes q = { .delimiter = t->form.delimiter };
	const char *why = NULL;

	if (!t->form.unquoted)
		quotes_feed(&q, line->buf, line->len);
	if (line->len > TABLE_CELL)
		why = "longer than 64 KiB";
	else if (q.seen[QUOTES_AFTER].count > 0)
		why = "text after a closing quote";
	else if (q.state == QUOTES_INSIDE)
		why = "a quote that is not closed, as in a name of two lines";
	else if (header == HEADER_NAMES && line->len > 4 &&
	    memcmp(line->buf, "sep=", 4) == 0)
		why = "it tells spreadsheets the delimiter, and tail -n +2 "
		    "leaves it out";
	if (why != NULL)
		err_die(STATUS_USAGE, "%s: the first line is no header: %s; is "
		    "the delimiter right (-d)?", t->name, why);
	if (memchr(line->buf, '\0', line->len) != NULL)
		err_die(STATUS_USAGE, "%s: the first line is no header: a cell "
		    "holds a zero byte; is it UTF-16? Then iconv -f UTF-16LE "
		    "-t UTF-8 FILE |", t->name);
	split(line->buf, line->len, &t->form, &t->header);
	for (size_t i = 0; i < t->header.count; i++) {
		why = names_fault(t, t->header.list[i], header);
		if (why != NULL)
			err_die(STATUS_USAGE, "%s: the first line is no "
			    "header: a cell %s", t->name, why);
	}
}

/*
 * The column with this name, or false.  A command that names a column of the
 * header knows that the line is a header; no other command gets to see it.
 */
static bool
by_name(struct table *t, const char *want, size_t *column)
{
	size_t found = 0;

	for (size_t i = 0; i < t->header.count; i++) {
		if (strcmp(t->header.list[i], want) != 0)
			continue;
		if (found++ > 0)
			err_die(STATUS_INPUT, "column name '%.*s' is "
			    "ambiguous: give its number", SHOWN, want);
		*column = i;
	}
	if (found > 0)
		table_show(t);
	return found > 0;
}

static void
check_number(const struct table *t, size_t column, const char *text)
{
	if (column == SIZE_MAX)
		err_die(STATUS_INPUT, "column %.*s does not exist: the first "
		    "is 1", SHOWN, text);
	if (column >= t->header.count && t->header.count > 0)
		err_die(STATUS_INPUT, "column %.*s does not exist; is the "
		    "delimiter right (-d)?", SHOWN, text);
}

/* The header's names, for a message. */
static char *
list_names(const struct table *t)
{
	struct text say = TEXT_INIT;
	size_t i;

	for (i = 0; i < t->header.count && i < LISTED; i++)
		text_printf(&say, "%s%.*s", i > 0 ? ", " : "", SHOWN,
		    t->header.list[i]);
	text_add(&say, i < t->header.count ? ", ..." : "");
	return text_string(&say);
}

static noreturn void
unknown(const struct table *t, const char *want)
{
	const char *near;
	struct text say = TEXT_INIT;

	if (!t->named)
		err_die(STATUS_INPUT, "no column named '%.*s'; head -n 1 shows "
		    "the names; is the delimiter right (-d), or is a title "
		    "above (tail -n +2)?", SHOWN, want);
	near = names_near(want, (const char *const *)t->header.list,
	    t->header.count);
	if (near != NULL)
		text_printf(&say, " (did you mean '%.*s'?)", SHOWN, near);
	if (t->header.count == 1 && *t->header.list[0] == '\0')
		text_add(&say, "; the first line is blank");
	else
		text_printf(&say, "; the header has %s", list_names(t));
	if (t->fd == 0)
		err_die(STATUS_INPUT, "no column named '%.*s'%s%s", SHOWN, want,
		    text_string(&say), t->header.count > 1 ? "" : ONE_COLUMN);
	err_die(STATUS_INPUT, "%s: no column named '%.*s'%s%s", t->name, SHOWN,
	    want, text_string(&say), t->header.count > 1 ? "" :
	    "; its first line must name the columns");
}

void
names_schema(struct table *t)
{
	const struct schema *s = t->form.schema;

	for (size_t i = 0; s != NULL && i < s->n; i++)
		add((char *)s->field[i].name, strlen(s->field[i].name),
		    &t->header);
	t->named = t->named || t->header.count > 0;
}

/* A view of a column, such as age@10; false where there is no schema. */
static bool
find_view(struct table *t, const char *want, size_t *column)
{
	const struct schema *s = t->form.schema;
	const char *cut = strrchr(want, '@');
	struct column_view view;
	char *base;

	if (s == NULL || s->n == 0 || cut == NULL ||
	    schema_find(s, want) != NULL)
		return false;
	base = err_copy(want, (size_t)(cut - want));
	*column = table_find(t, base);
	free(base);
	view_open(&view, s, schema_keep(err_copy(want, strlen(want))));
	table_view_add(t, *column, &view);
	*column = TABLE_VIEW + t->views->n - 1;
	return true;
}

/* strtoull saturates, so that no number wraps to a small one. */
size_t
table_find(struct table *t, const char *want)
{
	size_t column;
	char *end;

	if (by_name(t, want, &column) || find_view(t, want, &column))
		return column;
	column = strtoull(want, &end, 10) - 1;
	if (*want >= '0' && *want <= '9' && *end == '\0')
		check_number(t, column, want);
	else if (t->header.count > 0)
		unknown(t, want);
	else
		err_die(STATUS_INPUT, "no column named '%.*s': without a "
		    "header, columns go by number", SHOWN, want);
	return column;
}

/*
 * A list of names, or a name with commas.  What neighbors share was compared by
 * these words before the header was known, so they are never both.
 */
size_t
table_columns(struct table *t, const char *arg, size_t **cols)
{
	const struct table_form list = { .delimiter = ',' };
	struct names names = { .count = 0 };
	size_t column = 0, known = 0, count;
	bool whole = by_name(t, arg, &column);

	split(arg, strlen(arg), &list, &names);
	for (size_t i = 0; i < names.count; i++)
		known += table_has(t, names.list[i]);
	if (whole && known > 1 && known == names.count)
		err_die(STATUS_INPUT, "'%.*s' is a column and a list of "
		    "columns: quote the name, or the first of the list", SHOWN,
		    arg);
	count = whole ? 1 : names.count;
	*cols = err_alloc(NULL, count, sizeof(**cols));
	for (size_t i = 0; i < count; i++)
		(*cols)[i] = whole ? column : table_find(t, names.list[i]);
	names_free(&names);
	return count;
}

size_t
table_column(struct table *t, const char *option, const char *arg)
{
	size_t *cols, column;

	if (table_columns(t, arg, &cols) != 1)
		err_die(STATUS_USAGE, "%s names more than one column", option);
	column = cols[0];
	free(cols);
	return column;
}

static noreturn void
choose(const struct table *t, size_t most)
{
	if (!t->named)
		err_die(STATUS_USAGE, "%s: more columns than the %zu that %s "
		    "read: choose with -c; head -n 1 shows the names", t->name,
		    most, most == 1 ? "is" : "are");
	err_die(STATUS_USAGE, "%s: %zu columns, and %zu %s read: choose with "
	    "-c from %s", t->name, t->header.count, most, most == 1 ? "is" :
	    "are", list_names(t));
}

bool
table_doubtful(const struct table *t)
{
	const char *others = t->form.delimiter == ',' ? ";|" : ",;|";

	return t->header.count == 1 &&
	    strpbrk(t->header.list[0], others) != NULL;
}

/* Where the header has no more columns, every column is read, named or not. */
size_t
table_rest(struct table *t, const char *const *named, size_t n, size_t least,
    size_t most, size_t **cols)
{
	size_t width = t->header.count, k = 0, many, *other;
	bool *taken, first = most == 0 || (width <= least && width <= most);

	if (most > 0 && table_doubtful(t))
		err_die(STATUS_USAGE, "%s: the header has one column, with "
		    "another delimiter in it: is the delimiter right (-d)? -c "
		    "names it if it is", t->name);
	if (width == 0 && most > least)
		err_die(STATUS_USAGE, "without a header the columns have to be "
		    "given (-c)");
	if (first && least > width)
		check_number(t, width, table_name(t, width));
	taken = err_alloc(NULL, width + least, sizeof(*taken));
	for (size_t i = 0; !first && i < n; i++)
		if (named[i] != NULL) {
			many = table_columns(t, named[i], &other);
			while (many > 0)
				taken[table_real(t, other[--many])] = true;
			free(other);
		}
	*cols = err_alloc(NULL, width + least, sizeof(**cols));
	for (size_t c = 0; c < (first ? least : width); c++)
		if (!taken[c])
			(*cols)[k++] = c;
	free(taken);
	if (!first && (k < least || k > most))
		choose(t, most);
	return k;
}

const char *
table_name(struct table *t, size_t c)
{
	char buf[32];

	if (t->named && c < t->header.count)
		return t->header.list[c];
	if (c >= TABLE_VIEW)
		return t->views->at[c - TABLE_VIEW]->name;
	snprintf(buf, sizeof(buf), "%zu", c + 1);
	for (size_t i = 0; i < t->numbers.count; i++)
		if (strcmp(t->numbers.list[i], buf) == 0)
			return t->numbers.list[i];
	add(buf, strlen(buf), &t->numbers);
	return t->numbers.list[t->numbers.count - 1];
}

const char *
table_header(const struct table *t, size_t c)
{
	return c < TABLE_VIEW ? t->header.list[c] :
	    t->views->at[c - TABLE_VIEW]->name;
}

bool
table_named(const struct table *t)
{
	return t->named && t->header.count > 0;
}

void
table_show(struct table *t)
{
	t->named = true;
	for (size_t i = 0; i < t->header.count; i++)
		taint_public(t->header.list[i], strlen(t->header.list[i]) + 1);
}

size_t
table_width(const struct table *t)
{
	return t->header.count;
}

/* --- the columns of --sql ------------------------------------------------- */

/* Adds a column that an option names: not a view, but what it is a view of. */
static void
names_ask(struct table *t, char *name)
{
	const struct schema *s = t->form.schema;
	char *cut = strrchr(name, '@');

	if (s != NULL && s->n > 0 && cut != NULL &&
	    schema_find(s, name) == NULL)
		*cut = '\0';
	if (!table_has(t, name))
		add(name, strlen(name), &t->header);
}

struct table *
names_table(const struct opts *o, const struct table_form *form)
{
	const char *const lists[] = { o->columns, o->group, o->unit.column,
	    o->slice.column };
	const struct table_form list = { .delimiter = ',' };
	const struct table_how how = { .read = 0 };
	struct table *t = table_new(-1, "--sql", form, &how);

	if (form->schema != NULL)
		t->views = err_alloc(NULL, 1, sizeof(*t->views));
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		struct names names = { .count = 0 };

		if (lists[i] != NULL)
			split(lists[i], strlen(lists[i]), &list, &names);
		for (size_t n = 0; n < names.count; n++)
			names_ask(t, names.list[n]);
		names_free(&names);
	}
	return t;
}

bool
table_has(const struct table *t, const char *name)
{
	for (size_t i = 0; i < t->header.count; i++)
		if (strcmp(t->header.list[i], name) == 0)
			return true;
	return false;
}

bool
table_is_own(const struct table *t, size_t column)
{
	return t->form.grouped && column < t->header.count &&
	    strncmp(t->header.list[column], TABLE_OWN, strlen(TABLE_OWN)) == 0;
}

const char *
table_counted(const struct table *t)
{
	for (size_t i = 0; i < t->header.count; i++)
		if (table_is_own(t, i) &&
		    strcmp(t->header.list[i], TABLE_END) != 0)
			return t->header.list[i];
	err_die(STATUS_INPUT, "%s: the first line names no column of the "
	    "counts of --sql: --grouped reads the rows of that query, with a "
	    "header and commas or tabs, as of psql --csv, sqlite3 -csv -header "
	    "and mysql --batch", t->name);
}
