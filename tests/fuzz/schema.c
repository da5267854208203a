/*
 * A schema under random bytes, and cells by it: up to the first NUL the JSON,
 * then a column or a view of it, and then cells, each up to a NUL.  A schema is
 * refused or read; a cell that is taken lies in the cell or in the room, and is
 * one of the view's keys where the view is a cut.
 */
#include "death.h"
#include "input/view.h"

#define ROOM (SCHEMA_BEFORE + SCHEMA_ROOM)
#define GUARD 'g'

static bool
inside(struct label got, const char *from, size_t len)
{
	return got.text >= from && got.text + got.len <= from + len;
}

static bool
listed(const struct schema_list *keys, struct label key)
{
	for (size_t i = 0; i < keys->n; i++)
		if (keys->at[i].len == key.len &&
		    memcmp(keys->at[i].text, key.text, key.len) == 0)
			return true;
	return false;
}

static void
check_cell(const struct column_view *v, const struct schema_list *keys,
    struct label cell, bool number)
{
	char room[ROOM + 1], *start = room + SCHEMA_BEFORE;
	struct label got = cell;
	bool word = v->field->type == SCHEMA_BOOLEAN;

	memset(room, GUARD, sizeof(room));
	if (!view_cell(v, &got, start, number))
		return;
	if (room[SCHEMA_BEFORE - 1] != GUARD || room[ROOM] != GUARD)
		abort();
	if (!inside(got, cell.text, cell.len) &&
	    !inside(got, start, SCHEMA_ROOM) && !word)
		abort();
	if (v->kind != VIEW_WHOLE && !listed(keys, got))
		abort();
}

static void
check(const char *json, const char *name, const char *cells, size_t len)
{
	struct text text = TEXT_INIT, reading = TEXT_INIT;
	struct column_view v;
	struct schema_list keys;

	text_add(&text, json);
	view_open(&v, schema_text("input", text), name);
	schema_reading(v.field, &reading);
	view_keys(&v, &keys);
	for (size_t at = 0; at < len;) {
		struct label cell = { cells + at, strnlen(cells + at,
		    len - at) };

		check_cell(&v, &keys, cell, false);
		check_cell(&v, &keys, cell, true);
		at += cell.len + 1;
	}
	for (size_t i = 0; i < keys.n; i++)
		free((void *)keys.at[i].text);
	free(keys.at);
	text_free(&reading);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	size_t json = strnlen(text, size) + 1, name;

	if (json >= size)
		return 0;
	name = strnlen(text + json, size - json) + 1;
	if (json + name > size)
		return 0;
	if (setjmp(death) == 0)
		check(text, text + json, text + json + name,
		    size - json - name);
	else if (death_status != STATUS_INPUT && death_status != STATUS_USAGE)
		abort();
	return 0;
}
