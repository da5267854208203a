/*
 * cells: a public column of text, and its numbers on one grid.
 *
 * Guarantee: a column whose cells fit the asked grid is represented exactly;
 * else each cell is rounded by fixed_cell, alone.
 */
#include "cells.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "number/fixed.h"
#include "tool/err.h"

static size_t
value_start(const struct cells *c, size_t value)
{
	return value == 0 ? 0 : c->end[value - 1];
}

static struct label
text_of(const struct cells *c, size_t value)
{
	size_t at = value_start(c, value);

	return (struct label){ c->text + at, c->end[value] - at };
}

static void
cells_add_value(struct cells *c, const char *text, size_t len)
{
	size_t used = value_start(c, c->values), room = c->room_values;

	c->text = err_grow(c->text, used + len, &c->room_text, 1);
	c->end = err_grow(c->end, c->values, &room, sizeof(*c->end));
	c->first = err_grow(c->first, c->values, &c->room_values,
	    sizeof(*c->first));
	if (len > 0)
		memcpy(c->text + used, text, len);
	c->first[c->values] = c->n;
	c->end[c->values++] = used + len;
}

void
cells_add(struct cells *c, const char *text, size_t len)
{
	uint32_t value;

	if (c->names.slot == NULL)
		ids_open_public(&c->names);
	c->code = err_grow(c->code, c->n, &c->room, sizeof(*c->code));
	value = ids_name(&c->names, (struct label){ text, len }) - 1;
	if (value == c->values)
		cells_add_value(c, text, len);
	c->code[c->n++] = value;
}

struct label
cells_at(const struct cells *c, size_t i)
{
	return text_of(c, c->code[i]);
}

size_t
cells_find(const struct cells *c, struct label text)
{
	if (c->names.slot == NULL)
		return CELLS_NONE;
	return (size_t)ids_look(&c->names, text) - 1;
}

void
cells_free(struct cells *c)
{
	free(c->text);
	free(c->end);
	free(c->first);
	free(c->code);
	ids_close(&c->names);
	*c = (struct cells)CELLS_INIT;
}

static bool
infinite(const struct cells *c, struct label text)
{
	return c->inf && text.len == 3 && strncasecmp(text.text, "inf", 3) == 0;
}

/* Decimals after the point that the number needs, or -1: not a number. */
static int64_t
needed_decimals(struct label text)
{
	struct label cell = text_trim(text.text, text.len);
	const char *end = cell.text + cell.len;
	struct decimal d;
	int64_t count;

	if (decimal_scan(cell.text, end, &d) != end)
		return -1;
	count = d.last - d.first;
	if (count > 0 && memchr(d.first, '.', (size_t)count) != NULL)
		count--;
	if (count == 0)
		return 0;
	return FIXED_MOST(count - d.place, 0);
}

bool
cells_decimals(const struct cells *c, int *digits, size_t *bad)
{
	struct label text;
	int64_t need;

	for (size_t v = 0; v < c->values; v++) {
		text = text_of(c, v);
		need = infinite(c, text) ? 0 : needed_decimals(text);
		*bad = c->first[v];
		if (need < 0)
			return false;
		if (need > *digits)
			*digits = (int)FIXED_LEAST(need, FIXED_DIGITS + 1);
	}
	return true;
}

size_t
cells_numbers(const struct cells *c, int digits, int64_t most, int64_t *x,
    size_t stride)
{
	struct label text;
	int64_t *to;
	size_t v;

	for (size_t i = 0; i < c->n; i++) {
		v = c->code[i];
		to = &x[i * stride];
		if (c->first[v] < i) {
			*to = x[c->first[v] * stride];
			continue;
		}
		text = text_of(c, v);
		if (infinite(c, text)) {
			*to = CELLS_INF;
			continue;
		}
		if (!fixed_cell(text.text, text.len, digits, to) ||
		    *to > most || *to < -most)
			return i;
	}
	return CELLS_NONE;
}
