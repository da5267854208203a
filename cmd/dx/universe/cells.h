/*
 * cells: a public column of text, and its numbers on one grid.
 *
 * Coordinates, coefficients and attributes of a universe are public, so
 * everything about them may be told.
 */
#ifndef CELLS_H
#define CELLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "input/ids.h"

/* Every text is kept once: a value, numbered by its first appearance. */
struct cells {
	char *text;
	size_t *end;		/* of each value in text */
	size_t *first;		/* the first cell of each value */
	size_t values;
	uint32_t *code;		/* the value of each cell */
	size_t n;
	struct ids names;	/* value v is record v + 1 */
	size_t room_text, room_values, room;
};

#define CELLS_INIT { 0 }
#define CELLS_NONE SIZE_MAX

enum cells_result { CELLS_OK, CELLS_NOT_NUMBER, CELLS_TOO_LARGE };

/* Appends a cell. */
void cells_add(struct cells *c, const char *text, size_t len);

/* Bytes of cell i (not terminated) and their number. */
const char *cells_at(const struct cells *c, size_t i, size_t *len);

/* The value with that text; CELLS_NONE: there is none. */
size_t cells_find(const struct cells *c, const char *text, size_t len);

void cells_free(struct cells *c);

/*
 * Raises *digits to the decimals that the column needs; 19 stands for more than
 * 18.  CELLS_NOT_NUMBER: cell *bad is none.
 */
enum cells_result cells_decimals(const struct cells *c, int *digits,
    size_t *bad);

/*
 * The numbers on the grid of `digits` decimals, x[0], x[stride], ...
 * CELLS_TOO_LARGE: cell *bad exceeds most in magnitude there.
 */
enum cells_result cells_numbers(const struct cells *c, int digits,
    int64_t most, int64_t *x, size_t stride, size_t *bad);

#endif
