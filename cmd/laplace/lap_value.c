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
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lap_run.h"
#include "number/grid.h"
#include "rounded.h"
#include "tool/err.h"

struct value {
	char *text;		/* NULL: missing */
	size_t len;
	struct label *public;	/* cells of --public, printed as they are */
	struct rational sens;
};

struct values {
	struct value *list;
	size_t n;
	size_t room;
	size_t public;		/* columns of --public, the last of all */
	struct rounded r;
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

/* A copy of a cell, for as long as the program runs. */
static struct label
copy_of(const struct cell *c)
{
	return c->missing ? (struct label){ "", 0 } :
	    (struct label){ err_copy(c->text, c->len), c->len };
}

static void
take(void *arg, size_t group, const int64_t *x, uint64_t w)
{
	const struct lap *l = arg;
	struct values *v = l->own;
	const struct intake *in = &l->in;
	const struct cell *c = in->cells;
	struct value *new;

	(void)group, (void)x, (void)w;
	if (v->n == v->room) {
		v->room = v->room < 64 ? 64 : v->room * 2;
		v->list = err_alloc(v->list, v->room, sizeof(*v->list));
	}
	new = &v->list[v->n++];
	*new = (struct value){ .len = c->len, .sens = l->args.sens,
	    .text = c->missing ? NULL : err_copy(c->text, c->len) };
	if (l->args.sens_column != NULL)
		new->sens = sens_cell(l, &c[1]);
	new->public = err_alloc(NULL, v->public, sizeof(*new->public));
	for (size_t i = 0; i < v->public; i++)
		new->public[i] = copy_of(&c[in->all - v->public + i]);
}

/* Further columns to read, which are public; returns how many. */
static size_t
add_columns(struct lap *l, const char *option, const char *names, size_t most)
{
	size_t *cols, n;

	if (names == NULL)
		return 0;
	n = table_columns(l->in.table, names, &cols);
	if (n > most)
		die(STATUS_USAGE, "%s names more than one column", option);
	l->in.cols = err_alloc(l->in.cols, l->in.all + n,
	    sizeof(*l->in.cols));
	for (size_t i = 0; i < n; i++) {
		if (cols[i] == l->in.cols[0])
			die(STATUS_USAGE, "the numbers are private: their "
			    "column is not public, as that of %s is", option);
		l->in.cols[l->in.all++] = cols[i];
	}
	free(cols);
	return n;
}

/*
 * What is printed: fine enough for every S_i, and holding them all.  A whole
 * S_i is that of a count.
 */
static int
printed_digits(const struct lap *l, const struct values *v)
{
	struct grid g = GRID_INIT;

	if (l->opts.digits >= 0)
		return l->opts.digits;
	for (size_t i = 0; i < v->n; i++) {
		bool whole = v->list[i].sens.den == 1 &&
		    !l->opts.non_private;
		int k = whole ? 0 : lap_scale_digits(l, v->list[i].sens,
		    LAP_MANY);

		if (k < 0)
			return -1;
		g.digits = g.digits > k ? g.digits : k;
		grid_hold(&g, v->list[i].sens);
	}
	return g.digits;
}

/* The numbers' sensitivities in steps of the grid of k decimals, rounded up. */
static bool
add_all(struct values *v, int k)
{
	v->r = (struct rounded)ROUNDED_INIT;
	for (size_t i = 0; i < v->n; i++) {
		int64_t steps;

		if (!rational_grid(v->list[i].sens, k, FIXED_CEIL, &steps))
			return false;
		rounded_add(&v->r, steps);
	}
	return true;
}

/* The noise of a number on the grid of the cells. */
static bool
noise_of(struct lap *l, const struct rounded *r, struct rational sens)
{
	int64_t steps;
	u128 all;

	if (!rational_grid(sens, l->plan.noise->cell, FIXED_CEIL, &steps))
		return false;
	all = rounded_sens(r, steps);
	return all != 0 && lap_noise_fine(l, 0, all, 1);
}

/*
 * The finest grid of the cells on which all fits, LAP_FINER decimals beyond
 * what is printed at most.  A single number whose S is on the printed grid is
 * rounded to that first: it moves by S there.
 */
static bool
choose_grid(struct lap *l, struct values *v)
{
	struct lap_noise *n = l->plan.noise;
	int printed = printed_digits(l, v), k = printed + LAP_FINER;

	n->digits = printed;
	if (v->n == 1 && rational_digits(v->list[0].sens) >= 0 &&
	    rational_digits(v->list[0].sens) <= printed)
		k = printed;
	for (k = k < FIXED_DIGITS ? k : FIXED_DIGITS; printed >= 0 &&
	    k >= printed; k--) {
		bool fits = add_all(v, k);

		n->cell = k;
		for (size_t i = 0; fits && i < v->n; i++)
			fits = noise_of(l, &v->r, v->list[i].sens);
		if (fits)
			return true;
	}
	return false;
}

/* Before the numbers are known: as if there was one. */
static bool
plan(struct lap *l)
{
	struct value one = { .sens = l->args.has_sens ? l->args.sens :
	    (struct rational){ 1, 1 } };
	struct values v = { &one, 1, 1, 0, ROUNDED_INIT };

	lap_room(l, 1);
	return choose_grid(l, &v);
}

static int64_t
number(struct lap *l, const struct value *v)
{
	const struct bounds *b = &l->in.bounds[0];
	int64_t x;

	if (v->text != NULL && fixed_cell(v->text, v->len, l->plan.noise->cell,
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
	struct rational number;
	ssize_t done;

	if (o->columns != NULL || o->header != HEADER_NAMES ||
	    o->public != NULL ||
	    l->args.sens_column != NULL)
		die(STATUS_USAGE, "numbers given as operands have no columns "
		    "and no header");
	if (o->noperands == 2 && access(o->operands[1], F_OK) == 0 &&
	    !rational_parse(o->operands[1], &number))
		die(STATUS_USAGE, "value takes numbers as operands, and a "
		    "file on standard input: < %s", o->operands[1]);
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
	o->header = HEADER_NONE;
	o->delimiter = ',';
}

static struct answer
answer(struct lap *l, i128 x)
{
	const struct lap_noise *n = l->plan.noise;

	return answer_make(fixed_add_sat(x, lap_draw(l, &n->t)), n->reach + 1,
	    n->grid, n->digits);
}

/* A number has the noise and the report of its own sensitivity. */
static void
rows(struct lap *l, uint64_t rel)
{
	const struct values *v = l->own;
	char **tail = &l->out.column[l->out.labels].tail;

	for (size_t i = 0; i < v->n; i++) {
		struct answer a;

		if (l->args.sens_column != NULL && noise_of(l, &v->r,
		    v->list[i].sens)) {
			lap_describe(l, 0);
			free(*tail);
			*tail = report_tail(&l->report);
		}
		a = answer(l, number(l, &v->list[i]));
		release_row(&l->out, rel, v->list[i].public, &a);
	}
}

static void
declare(struct lap *l)
{
	struct values *v = l->own;

	if (v->n > 0 && !choose_grid(l, v))
		die(STATUS_INPUT, "a sensitivity does not fit 64 bits on "
		    "the grid; give fewer --digits");
	intake_grid(&l->in, l->plan.noise->cell);
	if (v->n > 0)
		lap_describe(l, 0);
	lap_begin(l);
	for (size_t i = l->in.all - v->public; i < l->in.all; i++)
		release_group(&l->out, lap_name(l, i));
	release_answer(&l->out, l->opts.noperands > 1 ? NULL : lap_name(l, 0),
	    NULL, l->plan.noise->digits);
}

static void
note(struct lap *l)
{
	report_note(&l->report, "rounding", "each of n numbers is rounded by "
	    "itself, which adds n - 1 steps of their grid to the sensitivity");
	if (l->args.sens_column != NULL) {
		report_note(&l->report, "sensitivity", "of each number by "
		    "itself, from a public column");
		lap_hide(l);
	}
}

static void
opened(struct lap *l)
{
	struct values *v = l->own;

	add_columns(l, "--sensitivity-column", l->args.sens_column, 1);
	v->public = add_columns(l, "--public", l->opts.public, SIZE_MAX);
	l->in.texts = 1;
}

static void
finish(struct lap *l)
{
	struct values *v = l->own;

	for (size_t i = 0; i < v->n; i++) {
		free(v->list[i].text);
		free(v->list[i].public);
	}
	free(v->list);
}

/* [DMNS06 Proposition 1] */
const struct lap_way lap_value = {
	.plan = plan, .note = note, .open = opened, .take = take,
	.declare = declare, .rows = rows, .close = finish,
	.own = sizeof(struct values)
};
