/* lap_run: the steps of laplace, each by the way of the operation. */
#include "lap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "number/taint.h"
#include "tool/burden.h"
#include "tool/err.h"

/* Notes on groups and formula. */
static void
lap_run_note(struct lap *l)
{
	const struct opts *o = &l->opts;
	struct report *r = &l->report;

	if (l->plan.eps.den == 0 && !o->non_private && r->noise != NULL &&
	    r->sens.den != 0)
		report_note(r, "scale_formula", "sensitivity / E; 95 %% "
		    "error about 3 sensitivity / E");
	if (o->ranges.n == 1 && l->plan.d > 1 &&
	    !(l->plan.op->takes & LAP_EDGES))
		report_note(r, "range_of", "each of the %zu columns",
		    l->plan.d);
	if (l->plan.k > 0 && l->plan.noise->grid > l->plan.noise->digits)
		report_note(r, "noise_grid", "10^-%d, then rounded to the grid",
		    l->plan.noise->grid);
}

static void
lap_plan(void *arg)
{
	struct lap *l = arg;
	const struct lap_way *way = l->plan.way;

	if (l->opts.check)
		return;
	l->own = err_alloc(NULL, 1, way->own + 1);
	if (l->args.keys_path != NULL)
		keys_of(&l->list, &l->opts, "--keys", l->args.keys_path,
		    l->opts.columns, NULL, 1);
	if (way->start != NULL)
		way->start(l);
	if (l->plan.body->plan != NULL)
		lap_settle(&l->plan);
	if (way->fit != NULL)
		way->fit(&l->plan);
	if (way->facts != NULL)
		way->facts(&l->plan);
	if (way->note != NULL)
		way->note(l);
	lap_run_note(l);
}

/* Columns that a name list hid may change the plan. */
static void
lap_run_columns(struct lap *l)
{
	struct lap_plan *p = &l->plan;

	if (l->plan.op->least > 0 && l->in.k != p->d) {
		p->d = l->in.k;
		if (p->body->plan != NULL && !p->body->plan(p))
			lap_unfit();
		if (p->way->fit != NULL)
			p->way->fit(p);
	}
	for (size_t c = 0; p->cell != NULL && c < l->in.k && c < p->d; c++)
		intake_column_grid(&l->in, c, p->cell[c]);
}

/* A record changes a cell of a histogram, or all totals of its group. */
static void
lap_burden(const struct lap *l)
{
	u128 groups = (u128)l->in.groups * l->opts.repeat;

	burden_bear(&l->opts, &(struct burden){ .columns = l->in.k,
	    .ns = l->use->listed != NULL || l->args.bins != NULL ? 0 :
	    10 * (uint64_t)l->plan.m,
	    .each = l->plan.each,
	    .memory = (u128)l->in.groups * l->plan.m * sizeof(*l->total),
	    .numbers = groups * (l->plan.m + 3 * l->in.k),
	    .labels = (u128)l->opts.repeat * (l->in.keys.text.len * l->plan.m +
	    l->list.text.len * l->in.groups) });
}

/* m totals of each group, 0 at first. */
static void
lap_open(void *arg, struct intake_use *use)
{
	struct lap *l = arg;

	l->use = use;
	if (l->opts.check) {
		lap_only_check(l);
		return;
	}
	intake_open(&l->in, table_input(&l->opts), &l->opts, l->plan.op->least,
	    l->plan.op->most, 0);
	use->texts = l->plan.op->texts;
	use->figures = (l->plan.op->takes & LAP_ESTIMATE) != 0 &&
	    l->list.n == 0;
	lap_run_columns(l);
	if (l->list.n > 0 && table_named(l->in.table))
		keys_warn_header(&l->list, "--keys", lap_name(l, 0));
	if (l->plan.way->open != NULL)
		l->plan.way->open(l);
	lap_burden(l);
	l->total = err_alloc(NULL, l->in.groups * l->plan.m, sizeof(*l->total));
	use->near = (const char *)l->total;
	use->stride = l->plan.m * sizeof(*l->total);
	use->take = l->plan.body->take;
	use->take_all = l->plan.body->take_all;
	/* the totals are those of the numbers, and of how many there are */
	use->linear = l->in.k == 1 && use->take_all == lap_sum_take_all;
}

/*
 * The number of records is promised by --size under swap, where it is public
 * and the same for neighbours: with a ledger both become data without records
 * where it is another.
 */
static void
lap_run_promise(struct lap *l)
{
	if (l->args.size == 0 || l->in.total == l->args.size ||
	    l->opts.neighbors != NEIGHBORS_SWAP)
		return;
	if (l->opts.charge.ledger == NULL)
		err_die(STATUS_INPUT, "the data do not have the promised "
		    "--size");
	memset(l->total, 0, l->in.groups * l->plan.m * sizeof(*l->total));
}

/*
 * Under swap the number of records, with those outside of groups, is public;
 * means are divided by it.  A larger weight is read as SUMS_COUNT: from there
 * on a unit that moves might be missing on one side, so two neighbours become
 * data without records together.
 */
static void
lap_run_records(struct lap *l)
{
	struct lap_plan *p = &l->plan;
	u128 n = 0;

	for (size_t g = 1; g <= l->in.groups; g++)
		n += (u128)total_value(&l->total[g * p->m - 1]);
	taint_public_if(l->opts.neighbors == NEIGHBORS_SWAP, n);
	if (n >= SUMS_COUNT || (l->opts.unit.column == NULL && l->in.total >=
	    SUMS_COUNT)) {
		memset(l->total, 0, l->in.groups * p->m * sizeof(*l->total));
		n = 0;
	}
	n /= l->opts.unit.whole;
	if (p->op->prints & LAP_MEANS)
		p->divisor = FIXED_MOST(n, 1);
}

static void
lap_ask(void *arg)
{
	struct lap *l = arg;

	lap_run_promise(l);
	if (l->plan.counted && l->opts.neighbors == NEIGHBORS_SWAP)
		lap_run_records(l);
	if (l->plan.way->ask != NULL)
		l->plan.way->ask(l);
}

const char *
lap_name(const struct lap *l, size_t c)
{
	return intake_name(&l->in, c);
}

void
lap_counts(struct lap *l)
{
	bool keyed = l->list.n > 0 || (l->plan.op->takes & LAP_BINS) != 0;

	if (keyed)
		release_key(&l->out, lap_name(l, 0));
	release_answer(&l->out, NULL, keyed ? "count" : l->plan.op->name,
	    l->report.digits);
}

void
lap_column_of(struct lap *l, const char *column, const char *what, int digits,
    double error)
{
	bool follows = error > 0 && digits > 0 && l->opts.digits < 0 &&
	    !l->opts.non_private;

	l->report.digits = follows ? -1 : digits;
	release_answer(&l->out, column, what, digits);
	if (follows)
		l->out.column[l->out.labels + l->out.answers - 1].error = error;
	l->out.follows |= follows;
}

/* Far below the limit of 128 bits. */
static i128
whole(long double x)
{
	return (i128)sums_within(x, -1e37L, 1e37L);
}

struct answer
lap_real(long double x, long double lower, long double upper, int digits)
{
	long double unit = (long double)fixed_pow10(digits);

	return (struct answer){ whole(floorl(x * unit + 0.5L)),
	    whole(floorl(fminl(x, lower) * unit)),
	    whole(ceill(fmaxl(x, upper) * unit)) };
}

/* Without a way of its own: the totals, each with its kind of noise. */
static void
lap_answers(void *arg, uint64_t rel, size_t g, struct answer *answer)
{
	struct lap *l = arg;
	size_t n = l->out.answers;
	i128 *x;

	(void)rel;
	if (l->plan.way->answers != NULL) {
		l->plan.way->answers(l, g, answer);
		return;
	}
	x = err_alloc(NULL, l->plan.m, sizeof(*x));
	lap_numbers(l, g, n, x);
	for (size_t i = 0; i < n; i++)
		answer[i] = lap_answer_noisy(l, x[i], i);
	free(x);
}

void
lap_key_row(struct lap *l, uint64_t rel, size_t group, struct label key,
    struct answer answer)
{
	size_t parts = l->in.keys.width;
	struct label label[KEYS_WIDTH + 1];

	if (parts > 0)
		memcpy(label, intake_group_parts(&l->in, group), parts *
		    sizeof(*label));
	label[parts] = key;
	release_row(&l->out, rel, label, &answer);
}

static void
lap_declare(void *arg)
{
	struct lap *l = arg;

	l->plan.way->declare(l);
	lap_describe_all(&l->plan);
}

static bool
lap_rows(void *arg, uint64_t rel)
{
	struct lap *l = arg;

	if (l->plan.way->rows != NULL)
		l->plan.way->rows(l, rel);
	return l->plan.way->rows != NULL;
}

const struct run_steps lap_steps = {
	.take = lap_take, .check = lap_check, .plan = lap_plan,
	.open = lap_open, .ask = lap_ask, .declare = lap_declare,
	.rows = lap_rows, .answers = lap_answers,
};
