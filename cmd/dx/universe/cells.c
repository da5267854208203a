/*
 * cells: a public column of text, and its numbers on one grid.
 *
 * Guarantee: a column whose cells fit the asked grid is represented exactly;
 * else each cell is rounded by fixed_cell, alone.
 */
#include "cells.h"

#include <stdlib.h>
#include <string.h>

#include "number/decimal.h"
#include "number/fixed.h"
#include "number/hash.h"

static bool
grow(void **p, size_t *room, size_t need, size_t size)
{
	size_t more = *room;
	void *q;

	if (need <= *room)
		return true;
	while (more < need)
		more = more * 2 + 64;
	if (more > SIZE_MAX / size || (q = realloc(*p, more * size)) == NULL)
		return false;
	*p = q;
	*room = more;
	return true;
}

static size_t
start(const struct cells *c, size_t i)
{
	return i == 0 ? 0 : c->end[i - 1];
}

bool
cells_add(struct cells *c, const char *text, size_t len)
{
	size_t used = start(c, c->n);
	void *t = c->text, *e = c->end;
	bool ok;

	ok = grow(&t, &c->room_text, used + len + 1, 1);
	c->text = t;
	ok = ok && grow(&e, &c->room, c->n + 1, sizeof(*c->end));
	c->end = e;
	if (!ok)
		return false;
	if (len > 0)
		memcpy(c->text + used, text, len);
	c->end[c->n++] = used + len;
	return true;
}

const char *
cells_at(const struct cells *c, size_t i, size_t *len)
{
	*len = c->end[i] - start(c, i);
	return c->text + start(c, i);
}

void
cells_free(struct cells *c)
{
	free(c->text);
	free(c->end);
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

	for (size_t i = 0; i < c->n; i++) {
		p = cells_at(c, i, &len);
		need = decimals(p, len);
		if (need < 0) {
			*bad = i;
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
	size_t len;
	const char *p;
	int64_t v;

	for (size_t i = 0; i < c->n; i++) {
		p = cells_at(c, i, &len);
		*bad = i;
		/* the cells before this one are readable */
		if (!(start(c, i) < FIXED_BEFORE ? fixed_cell :
		    fixed_cell_behind)(p, len, digits, &v))
			return CELLS_NOT_NUMBER;
		if (v > most || v < -most)
			return CELLS_TOO_LARGE;
		x[i * stride] = v;
	}
	return CELLS_OK;
}

/* Slot of cell i's text: that of an equal cell, or a free one. */
static size_t
find(const struct cells *c, const size_t *slot, size_t mask, size_t i)
{
	size_t len, other;
	const char *p = cells_at(c, i, &len), *o;
	size_t at = hash_slot(p, len) & mask;

	for (; slot[at] != 0; at = (at + 1) & mask) {
		o = cells_at(c, slot[at] - 1, &other);
		if (other == len && memcmp(o, p, len) == 0)
			break;
	}
	return at;
}

bool
cells_codes(const struct cells *c, int64_t *x, size_t stride, size_t *codes)
{
	size_t mask = 15, i, at, *slot;

	while (mask < 2 * c->n)
		mask = 2 * mask + 1;
	slot = calloc(mask + 1, sizeof(*slot));
	if (slot == NULL)
		return false;
	*codes = 0;
	for (i = 0; i < c->n; i++) {
		at = find(c, slot, mask, i);
		if (slot[at] == 0) {
			slot[at] = i + 1;
			x[i * stride] = (int64_t)(*codes)++;
		} else
			x[i * stride] = x[(slot[at] - 1) * stride];
	}
	free(slot);
	return true;
}
