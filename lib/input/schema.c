/* schema: the fields of a schema, and what they say of a column. */
#include "schema.h"

#include <stdlib.h>
#include <string.h>

#include "tool/err.h"
#include "tool/names.h"
#include "tool/opts.h"

void *
schema_keep(void *memory)
{
	static void **kept;
	static size_t n, room;

	kept = err_grow(kept, n, &room, sizeof(*kept));
	return kept[n++] = memory;
}

const struct schema_field *
schema_find(const struct schema *s, const char *name)
{
	for (size_t i = 0; i < s->n; i++)
		if (strcmp(s->field[i].name, name) == 0)
			return &s->field[i];
	return NULL;
}

static noreturn void
field_die(const struct schema *s, const char *name, const char *why,
    const char *what)
{
	err_die(STATUS_INPUT, "schema %s: column '%s': %s%s", s->path, name,
	    why, what);
}

/* The limits of a field that is used are numbers, and the least is less. */
static void
check_limits(const struct schema *s, const struct schema_field *f)
{
	struct rational least, most;

	if ((f->least != NULL && !schema_limit(f, f->least, &least)) ||
	    (f->most != NULL && !schema_limit(f, f->most, &most)))
		field_die(s, f->name, "a limit is not as the cells are", "");
	if (f->least != NULL && f->most != NULL &&
	    rational_cmp(least, most) >= 0)
		field_die(s, f->name, "its minimum is not below its maximum",
		    "");
}

static noreturn void
schema_lacks(const struct schema *s, const char *name)
{
	const char **names = err_alloc(NULL, s->n, sizeof(*names)), *near;

	for (size_t i = 0; i < s->n; i++)
		names[i] = s->field[i].name;
	near = names_near(name, names, s->n);
	if (near != NULL)
		err_die(STATUS_INPUT, "schema %s has no column '%s' (did you "
		    "mean '%s'?)", s->path, name, near);
	err_die(STATUS_INPUT, "schema %s has no column '%s'; it has '%s'%s",
	    s->path, name, s->field[0].name, s->n > 1 ? " and more" :
	    " alone");
}

const struct schema_field *
schema_use(const struct schema *s, const char *name)
{
	const struct schema_field *f;

	if (s->n == 0)
		return &s->other;
	f = schema_find(s, name);
	if (f == NULL)
		schema_lacks(s, name);
	if (f->type == SCHEMA_OTHER)
		field_die(s, name, "no tool reads the type ", f->type_name);
	if (schema_dated(f) && !schema_format(f))
		field_die(s, name, "its format is none of ISO, %Y %y %m %d %H "
		    "%M %S and other characters: ", f->format);
	if (schema_numeric(f) && f->type != SCHEMA_BOOLEAN)
		check_limits(s, f);
	return f;
}

bool
schema_limit(const struct schema_field *f, const char *limit,
    struct rational *x)
{
	char room[SCHEMA_BEFORE + SCHEMA_ROOM], *text;
	struct label cell = { limit, limit == NULL ? 0 : strlen(limit) };
	bool good;

	if (limit == NULL)
		return false;
	if (f->type != SCHEMA_ANY && f->type != SCHEMA_STRING &&
	    rational_parse(limit, x) && !schema_dated(f))
		return true;
	if (!schema_cell(f, &cell, room + SCHEMA_BEFORE, true))
		return false;
	text = err_copy(cell.text, cell.len);
	good = rational_parse(text, x);
	free(text);
	return good;
}

bool
schema_range(const struct schema_field *f, struct range *r)
{
	if (f->type == SCHEMA_BOOLEAN) {
		*r = (struct range){ { 0, 1 }, { 1, 1 } };
		return true;
	}
	return schema_numeric(f) && schema_limit(f, f->least, &r->lo) &&
	    schema_limit(f, f->most, &r->hi);
}
