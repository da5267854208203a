/* intake_check: the records of --check. */
#include "intake_parts.h"

#include <stdlib.h>

#include "intake_check_state.h"
#include "tool/err.h"

#define DIGITS 6	/* decimals by which numbers are compared */

/* Decimals enough to compare numbers with the ranges, where decimals fit. */
static void
set_grid(struct intake *in)
{
	int digits = DIGITS;
	int64_t x;

	for (size_t i = 0; i < in->o->ranges.n; i++)
		while (digits > 0 && (!rational_grid(in->o->ranges.at[i].lo,
		    digits, FIXED_NEAREST, &x) || !rational_grid(
		    in->o->ranges.at[i].hi, digits, FIXED_NEAREST, &x)))
			digits--;
	intake_grid(in, digits);
}

struct check *
check_new(struct intake *in)
{
	struct check *k = err_alloc(NULL, 1, sizeof(*k));
	size_t groups = in->keys.n + 1, width = table_width(in->table);

	*k = (struct check){ .in = in, .width = width > 0 ||
	    in->o->columns != NULL || in->all > in->k ? width : in->k,
	    .column = err_alloc(NULL, in->all + 1, sizeof(*k->column)),
	    .group = err_alloc(NULL, groups, sizeof(*k->group)) };
	table_quotes(in->table, &k->quotes);
	set_grid(in);
	check_ids_new(k);
	return k;
}

void
check_see(struct check *k, struct seen *s, const struct cell *cell)
{
	if (s->count++ > 0)
		return;
	s->first = k->in->records;
	bad_show(s->sample, cell->text, cell->len);
}

/* Notes a bad cell in column c, as it stands in the file, and why; false. */
static bool
bad(struct check *k, const struct cell *cell, size_t c, enum bad why)
{
	struct cell raw;

	why = intake_why(k->in, cell, c, why, &raw);
	check_see(k, &k->column[c].bad[why], &raw);
	return false;
}

const double check_codes[CHECK_CODES] = { -9999, -999, -99, -9, 99, 999, 9999,
	88, 888 };

/* Takes in another good number. */
static void
widen(struct check_column *col, const struct extreme *x)
{
	size_t i = 0;

	while (i < CHECK_CODES && x->x != check_codes[i])
		i++;
	if (i < CHECK_CODES)
		col->code[i]++;
	else if (col->plain++ == 0)
		col->low = col->high = x->x;
	else {
		col->low = FIXED_LEAST(col->low, x->x);
		col->high = FIXED_MOST(col->high, x->x);
	}
	if (col->good == 0 || x->x < col->min.x)
		col->min = *x;
	if (col->good == 0 || x->x > col->max.x)
		col->max = *x;
	col->good++;
}

/* One to three digits, no 0 in front, a point and three: 1.250. */
static bool
is_pointed(const char *text)
{
	size_t whole;

	text += *text == '-';
	whole = strspn(text, "0123456789");
	return whole > 0 && whole <= 3 && *text != '0' && text[whole] == '.' &&
	    strlen(text) == whole + 4 &&
	    strspn(text + whole + 1, "0123456789") == 3;
}

/* Is the first column to be a class 0, 1, ..., and is no class? */
static bool
no_class(const struct intake *in, size_t c, int64_t x, int digits)
{
	int64_t one = fixed_pow10(digits);

	return c == 0 && in->use.classes > 0 && (x < 0 || x % one != 0 ||
	    (uint64_t)(x / one) >= in->use.classes);
}

/* Is the cell in column c a number?  Takes it in. */
static bool
check_cell(struct check *k, const struct cell *cell, size_t c,
    const struct bounds *b, int64_t *x)
{
	struct check_column *col = &k->column[c];
	const struct column_view *v = table_view(k->in->table, k->in->cols[c]);
	struct label raw = table_raw(k->in->table, cell);
	struct extreme e;

	if (cell->missing ||
	    !fixed_cell_behind(cell->text, cell->len, b->digits, x))
		return bad(k, cell, c, bad_kind(cell));
	if (no_class(k->in, c, *x, b->digits))
		return bad(k, cell, c, BAD_CLASS);
	bad_show(e.sample, cell->text, cell->len);
	e.x = strtod(e.sample, NULL);
	/* of a typed column somebody has said what the point is */
	if (v == NULL || v->field->type == SCHEMA_ANY)
		col->pointed += is_pointed(e.sample);
	bad_show(e.sample, raw.text, raw.len);
	widen(col, &e);
	if (bad_beyond(cell))
		check_see(k, &col->bad[BAD_BEYOND], cell);
	if (c >= k->in->k || !opts_totals(k->in->o)) {
		col->below += *x < b->lo;
		col->above += *x > b->hi;
	}
	return true;
}

static bool
check_others(struct check *k, const struct cell *cells, uint64_t *w)
{
	const struct intake *in = k->in;
	struct bounds b = { 0, FIXED_MAX, 0, DIGITS };
	struct rational own, most = in->o->sampling.most;
	size_t at = in->at[CELL_OWN], weight = in->at[CELL_SAMPLING];
	int64_t x = 0;
	bool good = true;

	for (size_t c = 0; c < in->use.texts; c++)
		if (cells[c].missing)
			good = bad(k, &cells[c], c, BAD_MISSING);
	if (in->o->weight != NULL && !intake_weight(in->o, &cells[in->k], w)) {
		good = bad(k, &cells[in->k], in->k, BAD_WEIGHT);
		*w = in->o->on_bad == ON_BAD_NUMBER;
	} else if (in->o->weight != NULL && *w >= (uint64_t)INTAKE_WEIGHT)
		check_see(k, &k->column[in->k].bad[BAD_HEAVY], &cells[in->k]);
	if (most.den > 0)
		rational_grid(most, DIGITS, FIXED_NEAREST, &b.hi);
	if (in->o->sampling.column != NULL)
		good = check_cell(k, &cells[weight], weight, &b, &x) && good;
	if (x < 0)
		good = bad(k, &cells[weight], weight, BAD_OWN);
	if (in->o->own_column != NULL && (!intake_rational(
	    &cells[at], &own) || rational_sign(own) < 0))
		good = bad(k, &cells[at], at, BAD_OWN);
	return good;
}

/* Notes values outside the limits of views. */
static void
check_views(struct check *k, const struct cell *cells)
{
	struct table *t = k->in->table;
	char room[SCHEMA_BEFORE + SCHEMA_ROOM];

	for (size_t c = 0; c < k->in->all; c++) {
		const struct column_view *v = table_view(t, k->in->cols[c]);
		int beyond = 0;

		if (v != NULL)
			beyond = view_beyond(v, table_raw(t, &cells[c]), room +
			    SCHEMA_BEFORE);
		k->column[c].first += beyond < 0;
		k->column[c].last += beyond > 0;
	}
}

/* A person's row; in its cell, or -1. */
static void
check_unit(struct check *k, const struct cell *id, bool good, int64_t cell,
    struct people_row r)
{
	uint64_t cells = k->in->use.cells;
	struct label name = intake_person(id);

	/* a row without a listed key is no person's row */
	if (r.group < k->in->groups && (cells == 0 || cell >= 0) &&
	    (good || !opts_totals(k->in->o)))
		r.x = k->in->x;
	if (cells > 0)
		r.group = r.group * cells + (uint64_t)(cell < 0 ? 0 : cell);
	if (name.len == 0) {
		check_see(k, &k->nobody, id);
		return;
	}
	check_id(k, id);
	people_add(k->in->people, NULL, name, &r);
}

void
check_record(struct check *k, const struct cell *cells, size_t fields)
{
	struct intake *in = k->in;
	const struct intake_use *use = &in->use;
	size_t group = in->keys.n > 0 ? intake_find_group(in, cells) : 0;
	char count[FIXED_TEXT];
	struct label raw;
	int64_t place = -1;
	uint64_t w = 1;
	bool good = check_others(k, cells, &w);

	k->looked++;
	k->single += fields == 1;
	k->heaviest = FIXED_MOST(k->heaviest, w);
	if (k->width > 0 && fields != k->width) {
		fixed_text(count, (i128)fields, 0);
		check_see(k, &k->ragged, &(struct cell){ count, strlen(count),
		    false });
	}
	if (use->code != NULL && use->listed != NULL && !cells[0].missing &&
	    use->code(use->arg, cells, in->x) && (place = in->x[0]) < 0)
		check_see(k, &k->unlisted, &cells[0]);
	for (size_t c = in->use.texts; c < in->k && !in->rows; c++)
		good = check_cell(k, &cells[c], c, &in->bounds[c],
		    &in->x[c]) && good;
	in->total += w;
	if (in->keys.n > 0 && group == in->keys.n) {
		raw = table_raw(in->table, &cells[in->at[CELL_GROUP]]);
		check_see(k, &k->stranger, &(struct cell){ raw.text, raw.len,
		    false });
		check_stranger(k, &cells[in->at[CELL_GROUP]]);
	}
	check_person(k, cells);
	check_views(k, cells);
	if (in->o->unit.column != NULL)
		check_unit(k, &cells[in->at[CELL_UNIT]], good, place,
		    (struct people_row){ group, NULL, w });
	if (!good)
		return;
	k->usable++;
	k->weight += w;
	k->group[group] += w;
}

void
check_total(struct check *k, size_t c, i128 x)
{
	k->column[c].below += x < k->in->bounds[c].lo;
	k->column[c].above += x > k->in->bounds[c].hi;
}
