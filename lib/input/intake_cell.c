/* intake_cell: cells that are weights, and parameters of a record's own. */
#include "intake.h"

#include <string.h>

bool
intake_weight(const struct cell *cell, uint64_t *w)
{
	int64_t x;

	if (cell->missing || !fixed_whole(cell->text, cell->len, &x) || x < 0)
		return false;
	*w = (uint64_t)fixed_clamp(x, 0, INTAKE_WEIGHT);
	return true;
}

bool
intake_rational(const struct cell *cell, struct rational *x)
{
	char text[FIXED_TEXT];
	const char *p = cell->text;
	size_t len = cell->missing ? 0 : cell->len;

	for (; len > 0 && (*p == ' ' || *p == '\t'); p++)
		len--;
	while (len > 0 && (p[len - 1] == ' ' || p[len - 1] == '\t'))
		len--;
	if (len == 0 || len >= sizeof(text) || memchr(p, '\0', len) != NULL)
		return false;
	memcpy(text, p, len);
	text[len] = '\0';
	return rational_parse(text, x);
}
