/*
 * lap_value: the operation value of laplace, noise on given numbers.
 *
 * [DMNS06 Proposition 1] Each number gets noise with scale S / E, S the
 * numbers' joint l1 sensitivity.  The numbers are rounded one by one to a fine
 * grid; sums.c adds the small price of the rounding.  The noise is drawn on the
 * fine grid, and the sum rounded to the printed grid.  The count of numbers is
 * public.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lap.h"
#include "tool/err.h"

struct values {
	/* a record's number and cells from --public, printed unchanged */
	struct label *cell;
	size_t n, room;		/* cells */
	size_t public;		/* columns from --public, read last */
	i128 lo, hi, bad;	/* of a number, in steps of its grid */
};

/* All bytes: a cell may hold a NUL. */
static void
keep(struct values *v, const struct cell *c)
{
	char *copy = err_alloc(NULL, c->len + 1, 1);

	memcpy(copy, c->missing ? "" : c->text, c->len);
	v->cell = err_grow(v->cell, v->n, &v->room, sizeof(*v->cell));
	v->cell[v->n++] = (struct label){ copy, c->len };
}

static void
lap_value_take(void *arg, size_t group, const int64_t *x, uint64_t w)
{
	const struct lap *l = arg;
	struct values *v = l->own;

	(void)group, (void)x, (void)w;
	keep(v, &l->in.cells[0]);
	for (size_t i = l->in.all - v->public; i < l->in.all; i++) {
		cell_public(&l->in.cells[i]);
		keep(v, &l->in.cells[i]);
	}
}

/* Decimals that are fine enough for S and print S; 0 for a whole S. */
static int
printed_digits(const struct lap_plan *p)
{
	struct rational sens = p->args->sens;
	int digits = 0;

	if (p->opts->digits >= 0)
		return p->opts->digits;
	if (sens.den != 1 || p->opts->non_private)
		digits = lap_scale_digits(p, sens, LAP_MANY);
	grid_hold(&digits, sens);
	return digits;
}

/*
 * Noise on the finest grid with room, at most a few decimals finer than the
 * printed grid.  If S is whole on the printed grid, a single number is rounded
 * to the printed grid first, where the number moves by S.  Before the numbers
 * of a file are read the plan is for one number.
 */
static bool
lap_value_plan(struct lap_plan *p)
{
	struct rational sens = p->args->sens;
	int printed = printed_digits(p), own = rational_digits(sens);
	int k = lap_cell_digits(p, printed);

	if (p->m == 1 && own >= 0 && own <= printed)
		k = printed;
	lap_room(p, 1);
	p->noise->digits = printed;
	for (; printed >= 0 && k >= printed; k--) {
		int64_t steps;

		p->noise->cell = k;
		if (rational_grid(sens, k, FIXED_CEIL, &steps) &&
		    lap_noise_fine(p, 0, sums_sens_rounded(p->m, steps), 1))
			return true;
	}
	return false;
}

static void
lap_value_start(struct lap *l)
{
	if (l->opts.noperands > 1)
		l->plan.m = l->opts.noperands - 1;
}

/* x on the grid of the numbers, saturated as a number is. */
static i128
lap_value_step(const struct lap *l, struct rational x)
{
	struct rational one = { fixed_pow10(l->plan.noise->cell), 1 };
	i128 most = fixed_wide_most(), step;

	if (!rational_mul(&x, x, one))
		return x.num < 0 ? -most : most;
	step = fixed_div(x.num, x.den, FIXED_NEAREST);
	return FIXED_MOST(-most, FIXED_LEAST(step, most));
}

/* The ends of --range and the number for a bad cell. */
static void
lap_value_bounds(struct lap *l)
{
	const struct range *r = opts_range(&l->opts, 0);
	struct values *v = l->own;

	v->hi = fixed_wide_most();
	v->lo = -v->hi;
	if (r != NULL) {
		v->lo = lap_value_step(l, r->lo);
		v->hi = lap_value_step(l, r->hi);
	}
	v->bad = fixed_floor_div(v->lo + v->hi, 2);
	if (l->opts.bad.den > 0)
		v->bad = lap_value_step(l, l->opts.bad);
	v->bad = FIXED_MOST(v->lo, FIXED_LEAST(v->bad, v->hi));
}

/*
 * Each number saturates by itself, beyond 10^18 on every grid, which moves
 * nothing further than the number moves.
 */
static i128
lap_value_number(const struct lap *l, const struct label *c)
{
	const struct values *v = l->own;
	i128 x;

	if (fixed_cell_wide(c->text, c->len, l->plan.noise->cell, &x))
		return FIXED_MOST(v->lo, FIXED_LEAST(x, v->hi));
	if (l->opts.on_bad == ON_BAD_FAIL)
		err_die(STATUS_INPUT, "a bad cell (--on-bad fail)");
	return v->bad;
}

/*
 * Numbers given as operands become standard input, one record each, and from
 * then on take the way of numbers in a file.
 */
void
lap_operands(struct lap *l)
{
	struct opts *o = &l->opts;
	struct text text = TEXT_INIT;
	struct rational number;
	int fd;

	if (o->columns != NULL || o->header != HEADER_NAMES ||
	    o->public != NULL || o->schema_path != NULL || o->missing != NULL)
		err_die(STATUS_USAGE, "numbers given as operands have no "
		    "columns, no header and no schema");
	if (o->noperands == 2 && access(o->operands[1], F_OK) == 0 &&
	    !rational_parse(o->operands[1], &number))
		err_die(STATUS_USAGE, "value takes numbers as operands, and a "
		    "file on standard input: < %s", o->operands[1]);
	for (size_t i = 1; i < o->noperands; i++) {
		text_cell(&text, o->operands[i], strlen(o->operands[i]));
		text_bytes(&text, "\n", 1);
	}
	fd = text_file(&text, "the operands");
	if (dup2(fd, STDIN_FILENO) < 0)
		err_sys("the operands");
	close(fd);
	o->header = HEADER_NONE;
	o->delimiter = ',';
}

static void
lap_value_rows(struct lap *l, uint64_t rel)
{
	const struct values *v = l->own;

	for (size_t i = 0; i < v->n; i += v->public + 1) {
		struct answer a = lap_answer(l,
		    lap_value_number(l, &v->cell[i]), 0);

		release_row(&l->out, rel, &v->cell[i + 1], &a);
	}
}

static void
lap_value_ask(struct lap *l)
{
	const struct values *v = l->own;
	struct lap_plan *p = &l->plan;

	if (v->n > 0) {
		p->m = v->n / (v->public + 1);
		if (!lap_value_plan(p))
			err_die(STATUS_INPUT, "a sensitivity does not fit 64 "
			    "bits on the grid; give fewer --digits");
		lap_describe(p, 0);
	}
	lap_value_bounds(l);
}

static void
lap_value_declare(struct lap *l)
{
	const struct values *v = l->own;

	for (size_t i = l->in.all - v->public; i < l->in.all; i++)
		release_group(&l->out, lap_name(l, i));
	release_answer(&l->out, l->opts.noperands > 1 ? NULL : lap_name(l, 0),
	    NULL, l->plan.noise->digits);
}

static void
lap_value_note(struct lap *l)
{
	report_note(&l->report, "rounding", "each of n numbers is rounded by "
	    "itself, which adds n - 1 steps of their grid to the sensitivity");
}

/* Reads the columns of --public after the numbers. */
static void
lap_value_opened(struct lap *l)
{
	struct values *v = l->own;
	size_t *cols;

	l->use->texts = 1;
	view_step(table_view(l->in.table, l->in.cols[0]), false);
	if (l->opts.public == NULL)
		return;
	v->public = table_columns(l->in.table, l->opts.public, &cols);
	l->in.cols = err_alloc(l->in.cols, l->in.all + v->public,
	    sizeof(*l->in.cols));
	for (size_t i = 0; i < v->public; i++) {
		if (table_same(l->in.table, cols[i], l->in.cols[0]))
			err_die(STATUS_USAGE, "the numbers are private: their "
			    "column is not public, as that of --public is");
		l->in.cols[l->in.all++] = cols[i];
	}
	free(cols);
}

/* [DMNS06 Proposition 1] */
const struct lap_way lap_value = {
	.start = lap_value_start, .note = lap_value_note,
	.open = lap_value_opened, .ask = lap_value_ask,
	.declare = lap_value_declare, .rows = lap_value_rows,
	.own = sizeof(struct values), .body = { &(const struct lap_body){
	    .plan = lap_value_plan, .take = lap_value_take } }
};
