/*
 * cells: a public column of text, and its numbers on one grid.
 *
 * Guarantee: a column whose cells fit the asked grid is represented exactly;
 * else each cell is rounded by fixed_cell, alone.
 */
#include "cells.h"

#include <stdlib.h>
#include <string.h>

#include "number/fixed.h"
#include "tool/err.h"

static size_t
start(const struct cells *c, size_t value)
{
	return value == 0 ? 0 : c->end[value - 1];
}

static const char *
text_of(const struct cells *c, size_t value, size_t *len)
{
	*len = c->end[value] - start(c, value);
	return c->text + start(c, value);
}

static void
add_value(struct cells *c, const char *text, size_t len)
{
	size_t used = start(c, c->values), room = c->room_values;

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
		add_value(c, text, len);
	c->code[c->n++] = value;
}

const char *
cells_at(const struct cells *c, size_t i, size_t *len)
{
	return text_of(c, c->code[i], len);
}

size_t
cells_find(const struct cells *c, const char *text, size_t len)
{
	struct label name = { text, len };
	uint32_t hash;
	struct id id = ids_make(&c->names, name, &hash);

	return c->names.slot == NULL ? CELLS_NONE :
	    (size_t)ids_look(&c->names, &id, hash, name) - 1;
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

/* Decimals after the point that the number needs, or -1: not a number. */
static int64_t
decimals(const char *p, size_t len)
{
	const char *end = p + len;
	struct decimal d;
	int64_t count;

	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	while (p < end && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	if (decimal_scan(p, end, &d) != end)
		return -1;
	count = d.last - d.first;
	if (count > 0 && memchr(d.first, '.', (size_t)count) != NULL)
		count--;
	return count == 0 || count <= d.place ? 0 : count - d.place;
}

enum cells_result
cells_decimals(const struct cells *c, int *digits, size_t *bad)
{
	int64_t need;
	size_t len;
	const char *p;

	for (size_t v = 0; v < c->values; v++) {
		p = text_of(c, v, &len);
		need = decimals(p, len);
		if (need < 0) {
			*bad = c->first[v];
			return CELLS_NOT_NUMBER;
		}
		if (need > *digits)
			*digits = need > FIXED_DIGITS + 1 ?
			    FIXED_DIGITS + 1 : (int)need;
	}
	return CELLS_OK;
}

enum cells_result
cells_numbers(const struct cells *c, int digits, int64_t most, int64_t *x,
    size_t stride, size_t *bad)
{
	size_t len, v;
	const char *p;
	int64_t *to;

	for (size_t i = 0; i < c->n; i++) {
		v = c->code[i];
		to = &x[i * stride];
		if (c->first[v] < i) {
			*to = x[c->first[v] * stride];
			continue;
		}
		p = text_of(c, v, &len);
		*bad = i;
		/* the values before this one are readable */
		if (!(start(c, v) < FIXED_BEFORE ? fixed_cell :
		    fixed_cell_behind)(p, len, digits, to))
			return CELLS_NOT_NUMBER;
		if (*to > most || *to < -most)
			return CELLS_TOO_LARGE;
	}
	return CELLS_OK;
}
