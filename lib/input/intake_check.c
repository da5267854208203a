/* intake_check: what --check says about the records, and nothing else. */
#include "intake.h"

#include <stdlib.h>

#include "tool/err.h"

#define SHOWN 20	/* problems described one by one */

static void
problem(struct intake *in, const char *what, size_t column)
{
	if (++in->problems <= SHOWN)
		warn("record %llu: column %s: %s",
		    (unsigned long long)in->records,
		    table_name(in->table, in->cols[column]), what);
}

static const char *
cell_problem(const struct cell *cell, int digits)
{
	int64_t x;

	if (cell->missing)
		return "missing or longer than 64 KiB";
	if (cell->len == 0)
		return "empty";
	return fixed_cell(cell->text, cell->len, digits, &x) ? NULL :
	    "not a number";
}

/* A number, but no class 0, 1, ... */
static bool
no_class(const struct intake *in, const struct cell *cell)
{
	int digits = in->bounds[0].digits;
	int64_t x, one = fixed_pow10(digits);

	return in->classes > 0 && !cell->missing &&
	    fixed_cell(cell->text, cell->len, digits, &x) &&
	    (x < 0 || x % one != 0 || (uint64_t)(x / one) >= in->classes);
}

void
intake_check(struct intake *in, const struct cell *cells, size_t fields)
{
	size_t c, width = table_width(in->table);
	struct rational own;
	const char *what;
	uint64_t w = 1;

	if (width > 0 && fields != width && ++in->problems <= SHOWN)
		warn("record %llu: %zu fields where the header has %zu",
		    (unsigned long long)in->records, fields, width);
	for (c = 0; c < in->texts; c++)
		if (cells[c].missing)
			problem(in, "missing or longer than 64 KiB", c);
	for (; c < in->k; c++)
		if ((what = cell_problem(&cells[c], in->bounds[c].digits)) !=
		    NULL)
			problem(in, what, c);
	if (no_class(in, &cells[0]))
		problem(in, "no class", 0);
	if (in->o->weight != NULL && !intake_weight(&cells[in->k], &w))
		problem(in, "not a whole number from 0 up", in->k);
	in->total += w;
	if (in->o->group != NULL && cells[in->group_at].missing)
		problem(in, "missing", in->group_at);
	if (in->own_at > 0 && (!intake_rational(&cells[in->own_at], &own) ||
	    rational_sign(own) < 0))
		problem(in, "not a number from 0 up", in->own_at);
}

noreturn void
intake_check_end(struct intake *in)
{
	if (in->o->has_expect && in->total != in->o->expect) {
		in->problems++;
		warn("the total weight is %llu", (unsigned long long)in->total);
	}
	if (in->problems > SHOWN)
		warn("and %llu more problems",
		    (unsigned long long)(in->problems - SHOWN));
	if (in->problems > 0)
		warn("%llu problems in %llu records",
		    (unsigned long long)in->problems,
		    (unsigned long long)in->records);
	exit(in->problems > 0 ? STATUS_INPUT : STATUS_OK);
}
