/* intake_open: the columns of an input, their grids, and the public keys. */
#include "intake.h"

#include <stdlib.h>

#include "intake_parts.h"
#include "tool/err.h"

void
intake_range(const struct opts *o, size_t c, int digits, struct bounds *b)
{
	const struct range *r = opts_range(o, c);

	*b = (struct bounds){ -FIXED_MAX, FIXED_MAX, 0, digits };
	if (r != NULL && (!rational_grid(r->lo, digits, FIXED_NEAREST,
	    &b->lo) || !rational_grid(r->hi, digits, FIXED_NEAREST, &b->hi)))
		err_die(STATUS_USAGE, "--range does not fit 64 bits with %d "
		    "digits; use fewer (--digits)", digits);
}

void
intake_column_grid(struct intake *in, size_t c, int digits)
{
	const struct range *r = opts_range(in->o, c);
	struct bounds *b = &in->bounds[c];

	intake_range(in->o, c, digits, b);
	b->bad = opts_bad(in->o, digits);
	if (in->o->bad.den == 0 && r != NULL)
		b->bad = (int64_t)fixed_floor_div((i128)b->lo + b->hi, 2);
	/* opts_bad_outside refuses this; the noise rests on it */
	b->bad = fixed_clamp(b->bad, b->lo, b->hi);
}

/* The columns of --group and the public keys. */
static void
open_groups(struct intake *in)
{
	const struct opts *o = in->o;
	const char *names[KEYS_WIDTH];
	size_t *cols, n = table_columns(in->table, o->group, &cols);

	if (n > KEYS_WIDTH)
		err_die(STATUS_USAGE, "--group has more than %d columns",
		    KEYS_WIDTH);
	in->at[CELL_GROUP] = in->all;
	for (size_t i = 0; i < n; i++) {
		names[i] = table_name(in->table, cols[i]);
		in->cols[in->all++] = cols[i];
	}
	free(cols);
	keys_of(&in->keys, o, "--groups", o->groups, o->group, names, n);
	if (n == 1 && table_named(in->table) && o->groups != KEYS_SCHEMA)
		keys_warn_header(&in->keys, "--groups", names[0]);
	in->groups = in->keys.n + o->others;
}

/*
 * The number columns, or name columns: from -c, or the columns left.  Where a
 * record takes two columns or more, such as a label and scores, every column
 * left is meant: a few would give a plausible wrong number.
 */
static void
open_columns(struct intake *in, const char *const named[CELLS + 1],
    size_t least, size_t most)
{
	const struct opts *o = in->o;
	size_t few = FIXED_MOST(o->ranges.n, least);
	const char *columns = o->columns;

	in->rows = columns == NULL && o->unit.per == PER_COUNT && least == 1;
	if (in->rows)
		columns = in->unit != NULL ? in->unit : TABLE_ROWS;
	in->rows = in->rows && in->unit != NULL;
	if (columns == NULL && least > 0 && (o->sql != NULL || o->grouped))
		err_die(STATUS_USAGE, "--sql sees no header: name the columns "
		    "by -c");
	if (columns != NULL)
		in->k = table_columns(in->table, columns, &in->cols);
	else
		in->k = table_rest(in->table, named, CELLS + 1, few,
		    least > 1 ? most : few, &in->cols);
	opts_columns(in->k, least, most);
	if (o->ranges.n > 1 && o->ranges.n != in->k)
		err_die(STATUS_USAGE, "%zu ranges for %zu columns", o->ranges.n,
		    in->k);
	in->all = in->k;
	in->cols = err_alloc(in->cols, in->k + CELLS + KEYS_WIDTH,
	    sizeof(*in->cols));
}

/* The column of people, if their rows are still to be folded. */
static const char *
intake_unit(const struct table *t, const struct opts *o)
{
	if (o->grouped && o->unit.column != NULL &&
	    !table_has(t, o->unit.column))
		return NULL;
	return o->unit.column;
}

/* Weights and epsilons are numbers, or fractions. */
static void
intake_weight_column(const struct column_view *v)
{
	struct rational x;

	if (v != NULL && (v->kind != VIEW_WHOLE ||
	    v->field->type > SCHEMA_NUMBER || (v->field->keys.n > 0 &&
	    !rational_parse(v->field->keys.at->text, &x))))
		err_die(STATUS_USAGE, "'%s': the schema says that it holds no "
		    "numbers, and weights and epsilons are numbers", v->name);
}

/*
 * A row with one record less is another number there: it would be in another
 * group, or move a sum by all that the row stands for.
 */
static void
intake_weight_alone(const struct intake *in)
{
	size_t at = in->at[CELL_WEIGHT];

	for (size_t i = 0; i < in->all; i++)
		if (i != at && table_same(in->table, in->cols[i], in->cols[at]))
			err_die(STATUS_USAGE, "--weight %s: that column says "
			    "how many records a row is, so no number, group, "
			    "slice or person is read from it", in->weight);
	view_step(table_view(in->table, in->cols[at]), true);
}

void
intake_open(struct intake *in, struct table *t, const struct opts *o,
    size_t least, size_t most, int digits)
{
	/* in the order of the cells */
	static const char *const option[] = { "--weight", "--unit", "--slice",
	    "--epsilon-column", "--sampling-weight", "--grouped" };
	const char *const named[] = { o->grouped ? table_counted(t) :
	    o->weight, intake_unit(t, o), o->slice.column, o->own_column,
	    o->sampling.column, o->grouped ? TABLE_END : NULL, o->group,
	    o->public };

	*in = (struct intake){ .o = o, .groups = 1, .table = t,
	    .weight = named[CELL_WEIGHT], .unit = named[CELL_UNIT] };
	if (!o->grouped && o->sql == NULL && table_has(t, TABLE_END))
		err_die(STATUS_USAGE, "%s has the rows of --sql's query, of "
		    "which one is many records: --grouped reads them",
		    opts_input(o));
	if (o->check)
		table_show(t);
	open_columns(in, named, least, most);
	for (int i = 0; i < CELL_GROUP; i++)
		if (named[i] != NULL) {
			in->at[i] = in->all;
			in->cols[in->all++] = table_column(t, option[i],
			    named[i]);
			if (i != CELL_UNIT && i != CELL_SLICE)
				intake_weight_column(table_view(t,
				    in->cols[in->at[i]]));
		}
	if (o->group != NULL)
		open_groups(in);
	if (in->weight != NULL)
		intake_weight_alone(in);
	in->bounds = err_alloc(NULL, in->k, sizeof(*in->bounds));
	in->x = err_alloc(NULL, in->k + 1, sizeof(*in->x));
	intake_grid(in, digits);
}

/* Which cells are numbers, and which are keys, where a schema reads them. */
void
intake_numbers(struct intake *in)
{
	bool *number = err_alloc(NULL, in->all + 1, sizeof(*number));
	size_t names = in->use.figures ? 0 : in->use.texts;

	for (size_t c = names; c < in->k && !in->rows; c++) {
		view_number(table_view(in->table, in->cols[c]));
		number[c] = true;
	}
	in->number = number;
	table_numbers(in->table, number, in->o->check);
}

enum bad
intake_why(const struct intake *in, const struct cell *cell, size_t column,
    enum bad why, struct cell *raw)
{
	const struct column_view *v = table_view(in->table, in->cols[column]);
	struct label text = table_raw(in->table, cell);

	*raw = (struct cell){ text.text, text.len, false };
	if (v == NULL || !cell->missing)
		return why;
	return schema_is_missing(v->field, text) ? BAD_CODE : BAD_FORM;
}
