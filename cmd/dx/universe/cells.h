/*
 * cells: a public column of text, and its numbers on one grid.
 *
 * Coordinates, coefficients and attributes of a universe are public, so
 * everything about them may be told.
 */
#pragma once

#include "input/ids.h"
#include "tool/text.h"

/* Every text is kept once: a value, numbered by its first appearance. */
struct cells {
	char *text;
	size_t *end;		/* of each value in text */
	size_t *first;		/* the first cell of each value */
	size_t values;
	uint32_t *code;		/* the value of each cell */
	size_t n;
	struct ids names;	/* value v is record v + 1 */
	bool inf;		/* is inf a number?  CELLS_INF */
	size_t room_text, room_values, room;
};

#define CELLS_INIT { 0 }
#define CELLS_NONE SIZE_MAX
#define CELLS_INF INT64_MAX

/* Appends a cell. */
void cells_add(struct cells *c, const char *text, size_t len);

/* The bytes of cell i. */
struct label cells_at(const struct cells *c, size_t i);

/* The value with that text; CELLS_NONE: there is none. */
size_t cells_find(const struct cells *c, struct label text);

void cells_free(struct cells *c);

/*
 * Raises *digits to the decimals that the column needs; 19 stands for more than
 * 18.  False: cell *bad is no number.
 */
bool cells_decimals(const struct cells *c, int *digits, size_t *bad);

/*
 * The numbers of such a column on the grid of `digits` decimals, x[0],
 * x[stride], ...  Returns the first that exceeds most in magnitude there;
 * CELLS_NONE: none does.
 */
size_t cells_numbers(const struct cells *c, int digits, int64_t most,
    int64_t *x, size_t stride);
