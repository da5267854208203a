/*
 * lap_value: the operation value of laplace, noise on given numbers.
 *
 * [DMNS06 Proposition 1] Number i gets noise of scale S_i / E.  That is
 * E-private when, between neighbours, the sum of |change of number i| / S_i
 * is at most 1: with one S, when the l1 sensitivity of all numbers together
 * is S.  The numbers are rounded one by one, which rounded.c accounts for, on a
 * grid so fine that it costs next to nothing; the noise is drawn there and the
 * sum rounded to what is printed.  How many numbers there are, and the S_i of
 * a column, are public.
 */
#include "lap_ops.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "number/grid.h"
#include "rounded.h"
#include "tool/err.h"

struct value {
	char *text;		/* NULL: missing */
	size_t len;
	struct rational sens;
};

struct values {
	struct lap *l;
	struct value *list;
	size_t n;
	size_t room;
};

static struct rational
sens_cell(const struct lap *l, const struct cell *c)
{
	struct rational s;
	char buf[FIXED_TEXT];

	if (c->missing || c->len >= sizeof(buf))
		die(STATUS_INPUT, "record %llu: no --sensitivity-column",
		    (unsigned long long)l->in.records);
	memcpy(buf, c->text, c->len);
	buf[c->len] = '\0';
	if (strlen(buf) != c->len || !rational_parse(buf, &s) ||
	    rational_sign(s) <= 0)
		die(STATUS_INPUT, "record %llu: the sensitivity is no number "
		    "above 0", (unsigned long long)l->in.records);
	return s;
}

static void
take(void *arg, size_t group, const int64_t *x, uint64_t w)
{
	struct values *v = arg;
	const struct cell *c = v->l->in.cells;
	struct value *new;

	(void)group, (void)x, (void)w;
	if (v->n == v->room) {
		v->room = v->room < 64 ? 64 : v->room * 2;
		v->list = err_alloc(v->list, v->room, sizeof(*v->list));
	}
	new = &v->list[v->n++];
	*new = (struct value){ .len = c->len, .sens = v->l->sens_arg };
	if (v->l->sens_column != NULL)
		new->sens = sens_cell(v->l, &c[1]);
	if (c->missing)
		return;
	new->text = err_alloc(NULL, c->len + 1, 1);
	memcpy(new->text, c->text, c->len);
}

static void
add_sens_column(struct lap *l)
{
	size_t *one;

	if (l->sens_column == NULL)
		return;
	if (table_columns(l->in.table, l->sens_column, 1, &one) != 1)
		die(STATUS_USAGE, "--sensitivity-column names more than one");
	l->in.cols = err_alloc(l->in.cols, l->in.all + 1,
	    sizeof(*l->in.cols));
	l->in.cols[l->in.all++] = one[0];
	free(one);
}

/* What is printed: fine enough for every S_i, and holding them all. */
static int
printed_digits(const struct values *v)
{
	const struct opts *o = &v->l->opts;
	struct grid g = GRID_INIT;
	struct rational scale;

	if (o->digits >= 0)
		return o->digits;
	for (size_t i = 0; i < v->n; i++) {
		struct rational s = v->list[i].sens;

		scale = s;
		if (o->has_eps && !o->non_private &&
		    !rational_div(&scale, s, o->eps))
			die(STATUS_INPUT, "a sensitivity has too many digits");
		grid_limit(&g, scale, o->non_private ? 1000000 : 1000);
		grid_hold(&g, s);
	}
	if (g.digits < 0)
		die(STATUS_INPUT, "the sensitivities need more than 18 "
		    "decimals");
	return g.digits;
}

/* The numbers' sensitivities in steps of the grid of k decimals, rounded up. */
static bool
add_all(const struct values *v, int k, struct rounded *r)
{
	*r = (struct rounded)ROUNDED_INIT;
	for (size_t i = 0; i < v->n; i++) {
		int64_t steps;

		if (!rational_grid(v->list[i].sens, k, FIXED_CEIL, &steps))
			return false;
		rounded_add(r, steps);
	}
	return true;
}

/* Sensitivity and scale of a number on the grid of the cells. */
static bool
scale_of(struct lap *l, const struct rounded *r, struct rational sens)
{
	int64_t steps;
	u128 all;

	if (!rational_grid(sens, l->cell_digits, FIXED_CEIL, &steps))
		return false;
	all = rounded_sens(r, steps);
	l->sens = (u128)steps;
	return all != 0 && (!l->opts.has_eps || scale_make(&l->t, all,
	    l->opts.eps));
}

/*
 * The finest grid of the cells on which all fits, LAP_FINER decimals beyond what
 * is printed at most.  A single number whose S is on the printed grid is
 * rounded to that first: it moves by S there.
 */
static void
choose_grid(struct values *v, struct rounded *r)
{
	struct lap *l = v->l;
	int printed = printed_digits(v), k = printed + LAP_FINER;
	bool fits = false;

	if (v->n == 1 && rational_digits(v->list[0].sens) >= 0 &&
	    rational_digits(v->list[0].sens) <= printed)
		k = printed;
	for (k = k < FIXED_DIGITS ? k : FIXED_DIGITS; !fits && k >= printed;
	    k--) {
		l->cell_digits = k;
		fits = add_all(v, k, r);
		for (size_t i = 0; fits && i < v->n; i++)
			fits = scale_of(l, r, v->list[i].sens);
	}
	if (!fits)
		die(STATUS_INPUT, "a sensitivity does not fit 64 bits on "
		    "the grid; give fewer --digits");
	l->report.digits = printed;
}

static int64_t
number(struct lap *l, const struct value *v)
{
	const struct bounds *b = &l->in.bounds[0];
	int64_t x;

	if (v->text != NULL && fixed_cell(v->text, v->len, l->cell_digits,
	    &x))
		return fixed_clamp(x, b->lo, b->hi);
	if (l->opts.on_bad == ON_BAD_FAIL)
		die(STATUS_INPUT, "a bad cell (--on-bad fail)");
	return b->bad;
}

/*
 * Numbers given as operands become standard input, a record each: what is
 * read from there on is the same for both.
 */
void
lap_operands(struct lap *l)
{
	struct opts *o = &l->opts;
	struct text text = TEXT_INIT;
	int fd = memfd_create("operands", MFD_CLOEXEC);
	ssize_t done;

	if (o->columns != NULL || o->no_header || l->sens_column != NULL)
		die(STATUS_USAGE, "numbers given as operands have no columns "
		    "and no header");
	for (size_t i = 1; i < o->noperands; i++) {
		text_cell(&text, o->operands[i], strlen(o->operands[i]));
		text_bytes(&text, "\n", 1);
	}
	done = fd < 0 ? -1 : write(fd, text.buf, text.len);
	if (done != (ssize_t)text.len || lseek(fd, 0, SEEK_SET) != 0 ||
	    dup2(fd, STDIN_FILENO) < 0)
		diesys(STATUS_INPUT, "the operands");
	close(fd);
	free(text.buf);
	o->no_header = true;
	o->delimiter = ',';
}

/* The report of one number, where JSON is to show it. */
static void
set_report(struct lap *l)
{
	struct report *r = &l->report;
	struct rational grid;

	if (!rational_make(&grid, 1, fixed_pow10(l->cell_digits)) ||
	    !rational_make(&r->sens, (i128)l->sens, 1) ||
	    !rational_mul(&r->sens, r->sens, grid))
		r->sens = (struct rational){ 0, 1 };
	if (!l->opts.has_eps)
		return;
	lap_report_scale(r, &l->t, l->cell_digits);
}

static void
write_values(struct values *v)
{
	struct lap *l = v->l;
	struct rounded r;

	choose_grid(v, &r);
	intake_grid(&l->in, l->cell_digits);
	if (v->n > 0 && scale_of(l, &r, v->list[0].sens))
		set_report(l);
	lap_begin(l);
	for (uint64_t rel = 1; rel <= l->opts.repeat; rel++)
		for (size_t i = 0; i < v->n; i++) {
			i128 x = number(l, &v->list[i]), *noise;

			if (l->sens_column != NULL &&
			    scale_of(l, &r, v->list[i].sens)) {
				set_report(l);
				lap_retail(l);
			}
			noise = lap_draw(l, 1, &l->t);
			lap_number(l, rel, 0, i, lap_round(fixed_add_sat(x,
			    *noise), l->cell_digits, l->report.digits),
			    l->report.digits);
			free(noise);
		}
}

/* A column of numbers whose first one has been taken for its name. */
static void
check_header(const struct lap *l, size_t n)
{
	const char *name = table_name(l->in.table, l->in.cols[0]);
	int64_t x;

	if (l->opts.no_header || !fixed_cell(name, strlen(name), 0, &x))
		return;
	if (n == 0)
		die(STATUS_INPUT, "the only record was taken for a header, "
		    "but it is a number: with -H the first record is data");
	warn("the header is a number: with -H the first record is data");
}

/* [DMNS06 Proposition 1] */
void
lap_number_value(struct lap *l)
{
	struct values v = { .l = l };

	if (l->has_sens == (l->sens_column != NULL))
		die(STATUS_USAGE, "value needs -s S or --sensitivity-column "
		    "COL");
	if (l->opts.has_within && l->sens_column != NULL)
		die(STATUS_USAGE, "--within needs one -s S for all numbers");
	l->unit_sens = l->has_sens ? l->sens_arg : (struct rational){ 1, 1 };
	l->whole = true;
	lap_settle(l, lap_plan);
	report_note(&l->report, "rounding", "each of n numbers is rounded by "
	    "itself, which adds n - 1 steps of their grid to the sensitivity");
	if (l->sens_column != NULL) {
		report_note(&l->report, "sensitivity", "of each number by "
		    "itself, from a public column");
		lap_hide(l);
	}
	lap_prepare(l);
	lap_open(l, lap_plan);
	add_sens_column(l);
	l->in.texts = 1;
	intake_read(&l->in, take, &v);
	check_header(l, v.n);
	write_values(&v);
	for (size_t i = 0; i < v.n; i++)
		free(v.list[i].text);
	free(v.list);
	lap_end(l);
}
