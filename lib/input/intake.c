/* intake: records of private numbers under the shared options. */
#include "intake.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool/err.h"

static void
set_bounds(struct intake *in, size_t c, int digits)
{
	const struct range *r = opts_range(in->o, c);
	struct bounds *b = &in->bounds[c];

	*b = (struct bounds){ -FIXED_MAX, FIXED_MAX, 0, digits };
	if (r != NULL && (!rational_grid(r->lo, digits, FIXED_NEAREST,
	    &b->lo) || !rational_grid(r->hi, digits, FIXED_NEAREST, &b->hi)))
		die(STATUS_USAGE, "--range does not fit 64 bits with %d "
		    "digits; use fewer (--digits)", digits);
	if (in->o->given_bad) {
		if (!rational_grid(in->o->bad, digits, FIXED_NEAREST, &b->bad))
			die(STATUS_USAGE, "--on-bad does not fit 64 bits with "
			    "%d digits", digits);
	} else if (r != NULL)
		b->bad = (int64_t)fixed_floor_div((i128)b->lo + b->hi, 2);
	b->bad = fixed_clamp(b->bad, b->lo, b->hi);
}

/* One more column, named by an option of its own. */
static void
add_column(struct intake *in, const char *option, const char *name)
{
	size_t *one;

	if (table_columns(in->table, name, 1, &one) != 1)
		die(STATUS_USAGE, "%s names more than one column", option);
	in->cols = err_alloc(in->cols, in->all + 1, sizeof(*in->cols));
	in->cols[in->all++] = one[0];
	free(one);
}

void
intake_open(struct intake *in, const struct opts *o, size_t least,
    size_t most, int digits)
{
	*in = (struct intake){ .o = o };
	if (o->groups != NULL)
		keys_load(&in->keys, "--groups", o->groups);
	in->table = table_open(STDIN_FILENO, "standard input", o->delimiter,
	    !o->no_header);
	in->k = table_columns(in->table, o->columns, least, &in->cols);
	if (in->k < least || in->k > most)
		die(STATUS_USAGE, "%zu columns given, %s%zu wanted", in->k,
		    in->k < least ? "at least " : "at most ",
		    in->k < least ? least : most);
	if (o->nranges > 1 && o->nranges != in->k)
		die(STATUS_USAGE, "%zu ranges for %zu columns", o->nranges,
		    in->k);
	in->all = in->k;
	if (o->weight != NULL)
		add_column(in, "--weight", o->weight);
	if (o->group != NULL) {
		in->group_at = in->all;
		add_column(in, "--group", o->group);
	}
	in->bounds = err_alloc(NULL, in->k, sizeof(*in->bounds));
	in->x = err_alloc(NULL, in->k, sizeof(*in->x));
	intake_grid(in, digits);
}

void
intake_own(struct intake *in, const char *option, const char *name)
{
	in->own_at = in->all;
	add_column(in, option, name);
}

void
intake_grid(struct intake *in, int digits)
{
	size_t c;

	for (c = 0; c < in->k; c++)
		set_bounds(in, c, digits);
}

/* May the record with this bad cell go on (with a number in its place)? */
static bool
forgive(const struct intake *in)
{
	if (in->o->on_bad == ON_BAD_FAIL)
		die(STATUS_INPUT, "record %llu: a bad cell (--on-bad fail)",
		    (unsigned long long)in->records);
	return in->o->on_bad == ON_BAD_NUMBER;
}

/* The cell of column c; false where its record is to be dropped. */
static inline bool
number(struct intake *in, const struct cell *cell, size_t c)
{
	const struct bounds *b = &in->bounds[c];

	if (intake_number(cell, b, &in->x[c]))
		return true;
	if (!forgive(in))
		return false;
	in->x[c] = b->bad;
	return true;
}

static bool
numbers(struct intake *in, const struct cell *cells)
{
	size_t c;

	for (c = in->texts; c < in->k; c++)
		if (!number(in, &cells[c], c))
			return false;
	return true;
}

/*
 * The record's own parameter; false where the record is to have no influence.
 * No number stands in for a bad cell: nobody promised it.
 */
static bool
own(struct intake *in)
{
	if (intake_rational(&in->cells[in->own_at], &in->own))
		return rational_sign(in->own) > 0;
	forgive(in);
	return false;
}

static void
record(void *arg, const struct cell *cells, size_t fields)
{
	struct intake *in = arg;
	size_t group = 0;
	uint64_t w = 1;

	in->records++;
	in->cells = cells;
	if (in->o->check) {
		intake_check(in, cells, fields);
		return;
	}
	if (!numbers(in, cells))
		return;
	if (in->o->weight != NULL && !intake_weight(&cells[in->k], &w) &&
	    !forgive(in))
		return;
	in->total += w;
	if (in->own_at > 0 && !own(in))
		return;
	if (in->o->group != NULL) {
		const struct cell *g = &cells[in->group_at];

		group = g->missing ? in->keys.n :
		    keys_find(&in->keys, g->text, g->len);
		if (group == in->keys.n)
			return;
	}
	if (w > 0)
		in->take(in->arg, group, in->x, w);
}

/* One column of numbers and no other option on records. */
static bool
is_plain(const struct intake *in)
{
	return in->k == 1 && in->all == 1 && in->texts == 0 && !in->o->check;
}

static void
plain(void *arg, const struct cell *cells, size_t fields)
{
	struct intake *in = arg;

	(void)fields;
	in->records++;
	if (!number(in, cells, 0))
		return;
	in->total++;
	in->take(in->arg, 0, in->x, 1);
}

void
intake_read(struct intake *in, void (*take)(void *arg, size_t group,
    const int64_t *x, uint64_t w), void *arg)
{
	in->take = take;
	in->arg = arg;
	table_read(in->table, in->cols, in->all,
	    is_plain(in) ? plain : record, in);
	if (in->o->check)
		intake_check_end(in);
	opts_expect(in->o, in->total);
}

size_t
intake_groups(const struct intake *in)
{
	return in->o->groups == NULL ? 1 : in->keys.n;
}

const struct label *
intake_group(const struct intake *in, size_t g)
{
	return in->o->groups == NULL ? NULL : &in->keys.key[g];
}

void
intake_close(struct intake *in)
{
	if (in->o->groups != NULL)
		keys_free(&in->keys);
	table_close(in->table);
	free(in->cols);
	free(in->bounds);
	free(in->x);
}
