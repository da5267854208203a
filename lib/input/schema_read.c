/*
 * schema_read: a Table Schema from its JSON.
 *
 * SQLite lists all values of a text with their places, such as
 * $.schema.fields[3].constraints.minimum: a table of places says where each
 * goes, and what has no row is passed over.
 */
#include "schema.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "tool/err.h"
#include "tool/names.h"

static noreturn void
schema_die(const struct schema *s, const char *place, const char *why)
{
	err_die(STATUS_INPUT, "schema %s: %s%s%s", s->path, place,
	    *place != '\0' ? ": " : "", why);
}

static void
list_add(struct schema_list *l, const char *text)
{
	l->at = err_grow(l->at, l->n, &l->room, sizeof(*l->at));
	l->at[l->n] = (struct label){ text, strlen(text) };
	l->lengths |= UINT64_C(1) << (l->at[l->n++].len & 63);
}

/* What holds where a schema says nothing. */
#define LIST_NONE SIZE_MAX	/* the room of a list that nobody gave */
static const struct schema_field plain = {
	.point = { ".", 1 }, .group = { "", 0 }, .bare = true,
	.yes = { .room = LIST_NONE }, .no = { .room = LIST_NONE },
	.missing = { .room = LIST_NONE }, .keys = { .room = LIST_NONE },
};

static void
list_of(struct schema_list *l, const char *const *texts)
{
	for (; *texts != NULL; texts++)
		list_add(l, *texts);
}

static struct schema *
schema_new(const char *path, struct text text)
{
	static const char *const yes[] = { "true", "True", "TRUE", "1", NULL };
	static const char *const no[] = { "false", "False", "FALSE", "0",
	    NULL };
	static const char *const missing[] = { "", NULL };
	struct schema *s = err_alloc(NULL, 1, sizeof(*s));

	*s = (struct schema){ .path = path, .text = text, .other = {
	    .point = plain.point, .group = plain.group, .bare = true } };
	list_of(&s->other.yes, yes);
	list_of(&s->other.no, no);
	list_of(&s->other.missing, missing);
	return s;
}

/* --- places --------------------------------------------------------------- */

/* One value: its place, its type and its text. */
struct value {
	const char *place, *type, *text;
};

/* Where the value of a place goes: a text, or a list. */
struct place {
	const char *name;
	const char **text;
	struct schema_list *list;
};

static bool
value_is(const struct value *v, const char *type)
{
	return strcmp(v->type, type) == 0;
}

/* The number in brackets that a place begins with. */
static bool
place_index(const char **place, const char *name, size_t *i)
{
	size_t len = strlen(name);

	if (strncmp(*place, name, len) != 0 || (*place)[len] != '[')
		return false;
	*i = strtoull(*place + len + 1, NULL, 10);
	*place = strchr(*place + len, ']') + 1;
	return true;
}

/* Is it the list's place, or that of an element, or of an element's value? */
static bool
place_listed(const char *place, const char *name)
{
	size_t i;

	if (strcmp(place, name) == 0)
		return true;
	return place_index(&place, name, &i) &&
	    (*place == '\0' || strcmp(place, ".value") == 0);
}

/* Takes a value where one of n rows has its place. */
static void
value_take(const struct schema *s, const struct place *row, size_t n,
    const struct value *v)
{
	for (; n > 0; n--, row++) {
		if (row->text != NULL && strcmp(v->place, row->name) == 0 &&
		    v->text != NULL)
			*row->text = err_copy(v->text, strlen(v->text));
		if (row->list == NULL || !place_listed(v->place, row->name))
			continue;
		if (value_is(v, "array")) {
			schema_keep(row->list->at);
			*row->list = (struct schema_list){ .n = 0 };
		}
		else if (v->text != NULL && strchr(v->place, '[') != NULL)
			list_add(row->list, err_copy(v->text,
			    strlen(v->text)));
		else if (!value_is(v, "object") && !value_is(v, "null"))
			schema_die(s, row->name, "not a list of texts");
	}
}

#define ROWS(rows) (sizeof(rows) / sizeof((rows)[0]))

static void
take_field(struct schema *s, struct schema_field *f, const struct value *v)
{
	const struct place rows[] = {
		{ ".name", &f->name, NULL }, { ".type", &f->type_name, NULL },
		{ ".format", &f->format, NULL },
		{ ".decimalChar", &f->point.text, NULL },
		{ ".groupChar", &f->group.text, NULL },
		{ ".constraints.minimum", &f->least, NULL },
		{ ".constraints.maximum", &f->most, NULL },
		{ ".trueValues", NULL, &f->yes },
		{ ".falseValues", NULL, &f->no },
		{ ".missingValues", NULL, &f->missing },
		{ ".categories", NULL, &f->keys },
		{ ".constraints.enum", NULL, &f->keys },
	};

	value_take(s, rows, ROWS(rows), v);
	if (strcmp(v->place, ".bareNumber") == 0)
		f->bare = !value_is(v, "false");
	if (strcmp(v->place, ".constraints.required") == 0)
		f->required = value_is(v, "true");
}

static void
take_table(struct schema *s, const struct value *v)
{
	const struct place rows[] = {
		{ ".missingValues", NULL, &s->other.missing },
	};

	value_take(s, rows, ROWS(rows), v);
}

/*
 * The property is our own, and a slip in it would protect rows in place of
 * people: nothing in it is passed over.
 */
static void
take_privacy(struct schema *s, const struct value *v)
{
	struct schema_privacy *p = &s->privacy;
	const struct place rows[] = {
		{ ".privacy.unit", &p->unit, NULL },
		{ ".privacy.per", &p->per, NULL },
		{ ".privacy.maxRows", &p->max_rows, NULL },
		{ ".privacy.maxGroups", &p->max_groups, NULL },
		{ ".privacy.samplingWeight", &p->weight, NULL },
		{ ".privacy.most", &p->most, NULL },
	};
	size_t len = strlen(".privacy"), i = 0;
	bool whole;

	if (strncasecmp(v->place, ".privacy", len) != 0 ||
	    (v->place[len] != '\0' && v->place[len] != '.'))
		return;
	if (strncmp(v->place, ".privacy", len) != 0)
		schema_die(s, v->place + 1, "it is written privacy");
	whole = v->place[len] == '\0';
	while (i < ROWS(rows) && strcmp(rows[i].name, v->place) != 0)
		i++;
	if (!whole && i == ROWS(rows))
		schema_die(s, v->place + 1, "no such property; there are unit, "
		    "per, maxRows, maxGroups, samplingWeight and most");
	if (!value_is(v, "null") && value_is(v, "object") != whole)
		schema_die(s, v->place + 1, whole ? "an object is wanted, such "
		    "as {\"unit\": \"id\"}" : "a text or a number is wanted");
	value_take(s, rows, ROWS(rows), v);
}

static void
take_dialect(struct schema *s, const struct value *v)
{
	const char *quote = NULL;
	const struct place rows[] = {
		{ ".dialect.delimiter", &s->delimiter, NULL },
		{ ".dialect.quoteChar", &quote, NULL },
	};

	value_take(s, rows, ROWS(rows), v);
	if (strcmp(v->place, ".dialect.header") == 0)
		s->no_header = value_is(v, "false");
	if (quote == NULL)
		return;
	s->no_quotes = *quote == '\0';
	if (!s->no_quotes && strcmp(quote, "\"") != 0)
		schema_die(s, "dialect.quoteChar", "it is \" here, or empty "
		    "where the file never quotes");
}

/*
 * A Data Package has a list of one resource, a resource has a schema; a text in
 * the place of a schema or a dialect is an address.  Values of the table come
 * in any order, and those of all fields before the next field's.
 */
static void
schema_take(struct schema *s, struct value v, size_t *room)
{
	size_t i;

	v.place++;	/* the $ */
	if (place_index(&v.place, ".resources", &i) && i > 0)
		schema_die(s, "resources", "several tables; give the resource "
		    "of one");
	if ((strcmp(v.place, ".schema") == 0 ||
	    strcmp(v.place, ".dialect") == 0) && value_is(&v, "text"))
		schema_die(s, v.place + 1, "it stands in another file, which "
		    "is not read: put it in its place");
	take_dialect(s, &v);
	if (strncmp(v.place, ".schema.", 8) == 0)
		v.place += strlen(".schema");
	if (!place_index(&v.place, ".fields", &i)) {
		take_table(s, &v);
		take_privacy(s, &v);
		return;
	}
	if (i == s->n) {
		s->field = err_grow(s->field, i, room, sizeof(*s->field));
		s->field[s->n++] = plain;
	}
	take_field(s, &s->field[i], &v);
}

/* --- defaults and faults -------------------------------------------------- */

static enum schema_type
type_of(const char *name)
{
	static const char *const names[] = { "any", "string", "integer",
	    "number", "boolean", "date", "datetime", "time", "year",
	    "yearmonth" };
	enum schema_type t = SCHEMA_ANY;

	while (name != NULL && t < SCHEMA_OTHER && strcmp(name, names[t]) != 0)
		t++;
	return t;
}

/* The ISO form has no pattern; older schemas put fmt: before one. */
static const char *
format_of(const char *format)
{
	if (format == NULL || *format == '\0' || strcmp(format, "default") == 0)
		return NULL;
	return format + (strncmp(format, "fmt:", 4) == 0 ? 4 : 0);
}

/* A list that the field has not is the table's. */
static void
list_else(struct schema_list *l, const struct schema_list *other)
{
	if (l->at == NULL && l->room == LIST_NONE)
		*l = *other;
}

/* A cell is compared with codes without the blanks around it. */
static void
codes_trim(struct schema_list *l)
{
	l->lengths = 0;
	for (size_t i = 0; i < l->n; i++) {
		l->at[i] = text_trim(l->at[i].text, l->at[i].len);
		l->lengths |= UINT64_C(1) << (l->at[i].len & 63);
	}
}

static void
field_finish(const struct schema *s, struct schema_field *f)
{
	int64_t x;

	if (f->name == NULL)
		schema_die(s, "fields", "a field without a name");
	f->type = type_of(f->type_name);
	f->format = format_of(f->format);
	f->point.len = strlen(f->point.text);
	f->group.len = strlen(f->group.text);
	if (f->group.len > 0 && strcmp(f->group.text, f->point.text) == 0)
		schema_die(s, f->name, "groupChar and decimalChar are one "
		    "mark; decimalChar is a point where none is given");
	list_else(&f->yes, &s->other.yes);
	list_else(&f->no, &s->other.no);
	list_else(&f->missing, &s->other.missing);
	codes_trim(&f->missing);
	list_else(&f->keys, &s->other.keys);
	/* keys that are words make names of a column without a type */
	for (size_t i = 0; f->type == SCHEMA_ANY && i < f->keys.n; i++)
		if (!fixed_cell(f->keys.at[i].text, f->keys.at[i].len, 0, &x))
			f->type = SCHEMA_STRING;
}

static int
by_name(const void *a, const void *b)
{
	const struct schema_field *const *x = a, *const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

static void
schema_finish(struct schema *s)
{
	const struct schema_field **f = err_alloc(NULL, s->n + 1, sizeof(*f));
	const struct schema_privacy *p = &s->privacy;

	if (s->n == 0)
		schema_die(s, "fields", "there are none; a Table Schema lists "
		    "the columns there");
	codes_trim(&s->other.missing);
	for (size_t i = 0; i < s->n; i++) {
		field_finish(s, &s->field[i]);
		f[i] = &s->field[i];
	}
	qsort(f, s->n, sizeof(*f), by_name);
	for (size_t i = 1; i < s->n; i++)
		if (strcmp(f[i - 1]->name, f[i]->name) == 0)
			schema_die(s, f[i]->name, "two fields have this name");
	free(f);
	if (p->unit == NULL && (p->per != NULL || p->max_rows != NULL ||
	    p->max_groups != NULL))
		schema_die(s, "privacy", "there is no unit, whose values are "
		    "people");
}

/* --- reading -------------------------------------------------------------- */

/* Every value of the text; status 1 where it is no JSON. */
static void
schema_values(struct schema *s, const char *json)
{
	sqlite3 *db;
	sqlite3_stmt *q;
	struct value v;
	size_t room = 0;
	int rc;

	if (sqlite3_open(":memory:", &db) != SQLITE_OK ||
	    sqlite3_prepare_v2(db, "SELECT fullkey, type, atom FROM"
	    " json_tree(?1)", -1, &q, NULL) != SQLITE_OK)
		err_die(STATUS_INPUT, "this SQLite reads no JSON");
	sqlite3_bind_text(q, 1, json, -1, SQLITE_STATIC);
	while ((rc = sqlite3_step(q)) == SQLITE_ROW) {
		v = (struct value){ (const char *)sqlite3_column_text(q, 0),
		    (const char *)sqlite3_column_text(q, 1),
		    (const char *)sqlite3_column_text(q, 2) };
		/* NULL is no null then */
		if (sqlite3_errcode(db) == SQLITE_NOMEM)
			err_die(STATUS_INPUT, "out of memory");
		schema_take(s, v, &room);
	}
	if (rc != SQLITE_DONE)
		schema_die(s, "", "is no JSON");
	sqlite3_finalize(q);
	sqlite3_close(db);
}

struct schema *
schema_text(const char *path, struct text text)
{
	struct schema *s;
	const char *json;

	text_bytes(&text, "", 1);
	text.len--;
	s = schema_new(path, text);
	/* a byte-order mark is no JSON */
	json = text.buf + (strncmp(text.buf, "\357\273\277", 3) == 0 ? 3 : 0);
	if (strlen(text.buf) < text.len)
		schema_die(s, "", "is no JSON in UTF-8: it holds a zero byte");
	schema_values(s, json);
	schema_finish(s);
	return s;
}

struct schema *
schema_read(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct text text = TEXT_INIT;

	if (fd < 0 || !text_read(&text, fd, SCHEMA_BYTES))
		err_sys("schema %s", path);
	if (text.len > SCHEMA_BYTES)
		err_die(STATUS_INPUT, "schema %s: more than 16 MB", path);
	close(fd);
	return schema_text(path, text);
}

char *
schema_list_word(const char *text, const char *end)
{
	struct text t = TEXT_INIT;
	bool quoted = *text == '"' && end - text > 1 && end[-1] == '"';

	for (const char *p = text + quoted; p < end - quoted; p++) {
		text_bytes(&t, p, 1);
		p += quoted && p[0] == '"' && p[1] == '"';
	}
	return text_string(&t);
}

struct schema *
schema_missing(const char *list)
{
	struct schema *s = schema_new("--missing", (struct text)TEXT_INIT);

	while (list != NULL) {
		const char *end = names_end(list);

		list += strspn(list, " ");
		list_add(&s->other.missing, schema_list_word(list, end));
		list = *end == ',' ? end + 1 : NULL;
	}
	codes_trim(&s->other.missing);
	return s;
}
