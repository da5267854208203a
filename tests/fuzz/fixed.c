/*
 * fixed under random text: the reader of cells and the reader of parameters
 * agree where both take a text, and what is printed reads back the same.
 */
#include <stdlib.h>
#include <string.h>

#include "number/fixed.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
check_print(int64_t x, int digits)
{
	char buf[FIXED_TEXT];
	int64_t again;

	fixed_text(buf, x, digits);
	if (!fixed_cell(buf, strlen(buf), digits, &again) || again != x)
		abort();
}

static void
check_parameter(const char *text, bool is_cell, int digits, int64_t x)
{
	struct rational r;
	int64_t y;

	if (!rational_parse(text, &r) || strchr(text, '/') != NULL)
		return;
	if (!is_cell)
		abort();
	if (!rational_grid(r, digits, FIXED_NEAREST, &y))
		y = rational_sign(r) < 0 ? -FIXED_MAX : FIXED_MAX;
	if (x != y)
		abort();
}

/* The reader of words, with any bytes before the cell. */
static void
check_words(const uint8_t *data, size_t size, bool is_cell, int digits,
    int64_t x)
{
	char *room = malloc(FIXED_BEFORE + size);
	int64_t y = -7;

	if (room == NULL)
		return;
	memset(room, data[0], FIXED_BEFORE);
	memcpy(room + FIXED_BEFORE, data + 1, size - 1);
	if (fixed_cell_behind(room + FIXED_BEFORE, size - 1, digits, &y) !=
	    is_cell || y != x)
		abort();
	free(room);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int64_t x = -7, whole;
	bool is_cell;
	char *text;
	int digits;

	if (size < 1 || (text = malloc(size)) == NULL)
		return 0;
	digits = data[0] % (FIXED_DIGITS + 1);
	memcpy(text, data + 1, size - 1);
	text[size - 1] = '\0';
	is_cell = fixed_cell(text, size - 1, digits, &x);
	if (x < -FIXED_MAX || x > FIXED_MAX || (!is_cell && x != -7))
		abort();
	check_words(data, size, is_cell, digits, x);
	if (is_cell)
		check_print(x, digits);
	if (strlen(text) == size - 1)
		check_parameter(text, is_cell, digits, x);
	if (fixed_whole(text, size - 1, &whole) && !is_cell)
		abort();
	free(text);
	return 0;
}
