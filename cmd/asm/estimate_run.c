/* estimate_run: the part of asm-estimate that touches data. */
#include "ceiling.h"
#include "estimate.h"
#include "input/column.h"
#include "input/intake.h"
#include "input/table.h"
#include "number/memory.h"
#include "tally.h"
#include "tool/burden.h"
#include "tool/err.h"
#include "tool/opts.h"

#define ASYMMETRY_DIGITS 6

static void
take_record(void *arg, size_t g, const int64_t *x, uint64_t w)
{
	struct estimate *e = arg;
	struct estimate_group *group = &e->group[g];
	int64_t term = estimate_term(e, x);

	if (e->opts.non_private && (FIXED_MOST(x[0], -x[0]) == FIXED_MAX ||
	    term == estimate_most(e)))
		e->ends.cells = true;
	if (group->terms != NULL)
		bracket_add(&e->brackets, group->terms, term, w);
	if (group->under != NULL)
		ceiling_add(&e->ceilings, group->under, term, w);
	if (e->metric->target[0] == TARGET_QUANTILE)
		column_add(&group->column, term, w, e->opts.unit.weighted);
	else if (group->tally[0].n < e->enough)
		tally_add(&group->tally[0], term, w);
	if (e->metric->targets == 2)
		tally_add(&group->tally[1], x[0], w);
}

/*
 * A search that lists C distances looks at up to C for each of the first C
 * records, 25 ns each.  A list that all of them together make in a minute, a
 * tenth of what dp-gate gives, ends no tool.  For a variance, the last target,
 * each group makes one.
 */
static uint64_t
estimate_record(const struct estimate *e)
{
	const enum target *last = e->metric->target + e->metric->targets - 1;
	u128 lists = *last == TARGET_VARIANCE ? e->in.groups : 1;

	return lists * e->steps * e->steps > 2400000000 ? 25 * e->steps : 0;
}

/*
 * ns for a record in each release, as measured at worst: 500 where points are
 * listed for each draw, 200 where a search has more outputs to look at.
 */
static uint64_t
estimate_each(const struct estimate *e)
{
	uint64_t targets = e->metric->targets;

	if (e->mechanism == MECHANISM_ISM || e->mechanism == MECHANISM_PF)
		return 600 * targets;
	return e->mechanism == MECHANISM_ASM || e->by_size ? 250 * targets : 0;
}

/* Room for the terms and the answers of each group. */
static void
estimate_room(struct estimate *e)
{
	size_t groups = e->in.groups;

	burden_bear(&e->opts, &(struct burden){ .columns = e->in.k,
	    .ns = estimate_record(e), .each = estimate_each(e), .bytes = 48,
	    .memory = (u128)groups * e->metric->targets * (BURDEN_LIST +
	    e->opts.repeat * sizeof(*e->answer)),
	    .numbers = (u128)groups * e->opts.repeat,
	    .labels = (u128)e->in.keys.text.len * e->opts.repeat });
	e->group = err_alloc(NULL, groups, sizeof(*e->group));
	for (size_t g = 0; g < groups; g++) {
		tally_init(&e->group[g].tally[0], e->steps);
		tally_init(&e->group[g].tally[1], e->steps);
		e->group[g].tally[0].coded = e->coded &&
		    e->metric->target[0] != TARGET_VARIANCE;
		if (e->mechanism == MECHANISM_BRACKET)
			e->group[g].terms = bracket_none(&e->brackets);
		else if (e->enough < UINT64_MAX)
			e->group[g].under = err_alloc(NULL, 1,
			    sizeof(struct under));
	}
	e->answer = err_alloc(NULL, groups * e->metric->targets,
	    e->opts.repeat * sizeof(*e->answer));
}

static void
estimate_open(void *arg, struct intake_use *use)
{
	struct estimate *e = arg;
	const struct estimate_metric *m = e->metric;
	bool loss = m->term != TERM_VALUE && m->term != TERM_SUM &&
	    m->term != TERM_FIT;

	intake_open(&e->in, table_input(&e->opts), &e->opts, m->least,
	    m->most, e->cell_digits);
	estimate_limits(e);
	estimate_ceilings(e);
	use->take = take_record;
	if (loss && !e->opts.check) {
		use->texts = e->in.k;
		use->figures = true;
		use->code = estimate_loss;
	}
	if (m->classes)
		use->classes = FIXED_MOST(e->in.k - 1, 2);
	use->logits = m->term == TERM_CLASSES || (m->classes && e->in.k == 2);
	estimate_room(e);
}

/* A group's terms in order; then the draws for each target. */
static void
estimate_ask(void *arg)
{
	struct estimate *e = arg;
	const struct estimate_metric *m = e->metric;
	struct answer *next = e->answer;

	for (size_t g = 0; g < e->in.groups; g++) {
		/* what a metric does not use is empty */
		column_sort(&e->group[g].column);
		tally_done(&e->group[g].tally[0]);
		tally_done(&e->group[g].tally[1]);
		/* without --interval the ends are 0 */
		for (size_t t = 0; t < m->targets; t++) {
			estimate_answer(e, &e->group[g], t, next);
			next += e->opts.repeat;
		}
		column_free(&e->group[g].column);
	}
}

/*
 * 1 - MSE / Var, rounded down, at least -1; 0 where the variance is 0.  The
 * quotient of two noisy numbers may be anything below 1, and a quotient far
 * below 0 only says: the fit is useless.
 */
static i128
r_squared(i128 mse, i128 variance, int digits)
{
	i128 one = fixed_pow10(digits), x;

	if (variance <= 0)
		return 0;
	if (mse / 2 >= variance)
		return -one;
	for (; variance >> 62 > 0; variance /= 2)
		mse = mse / 2 + mse % 2;
	x = one - fixed_ceil_div(mse * one, variance);
	return FIXED_MOST(x, -one);
}

/* A mean of squares as a root: squared output steps become output steps. */
static i128
root_of(const struct estimate *e, i128 x, enum fixed_mode mode)
{
	int digits = e->report.digits, finer = e->step_digits - 2 * digits;
	i128 r;

	if (finer < 0)
		x = fixed_round(x, 0, -finer, FIXED_FLOOR);
	r = (i128)fixed_root((u128)x);
	r += mode == FIXED_CEIL && r * r < x;
	return finer <= 0 ? r : fixed_div(r, fixed_pow10(finer / 2), mode);
}

/* The printed number. */
static i128
printed(const struct estimate *e, i128 x, enum fixed_mode mode)
{
	if (e->root)
		return root_of(e, x, mode == FIXED_CEIL ? mode : FIXED_FLOOR);
	return fixed_round(x, e->step_digits, e->report.digits, mode);
}

/* The printed answer: a second target's estimate stands `repeat' further on. */
static struct answer
answer_of(const struct estimate *e, const struct answer *a, int digits)
{
	i128 one = fixed_pow10(digits);

	if (e->asymmetry)
		return *a;
	if (e->metric->targets == 2)
		return (struct answer){ .value = r_squared(a->value,
		    a[e->opts.repeat].value, digits) };
	if (e->metric->term == TERM_WRONG)
		return (struct answer){ one - a->value, one - a->upper,
		    one - a->lower };
	return (struct answer){ printed(e, a->value, FIXED_NEAREST),
	    printed(e, a->lower, FIXED_FLOOR),
	    printed(e, a->upper, FIXED_CEIL) };
}

static int
estimate_digits(const struct estimate *e)
{
	return e->asymmetry ? ASYMMETRY_DIGITS : e->report.digits;
}

static void
estimate_declare(void *arg)
{
	struct estimate *e = arg;
	const struct estimate_metric *m = e->metric;
	const char *of = NULL, *name = m->name;
	char percentile[FIXED_TEXT];

	if (m->most == 1)
		of = intake_name(&e->in, 0);
	if (m->target[0] == TARGET_QUANTILE)
		name = answer_percentile(percentile, e->quantile);
	release_answer(&e->out, of, name, estimate_digits(e));
}

/* Says what the answers say, too: that one is an end of its public list. */
static void
estimate_end(void *arg)
{
	const struct estimate *e = arg;
	char text[FIXED_TEXT];

	if (e->metric->term == TERM_WRONG)	/* a share ends at 0 and 1 */
		return;
	if (e->ends.first)
		err_warn("an answer is the first of its list: whatever is "
		    "smaller comes out as this; --digits or --start begin "
		    "elsewhere");
	if (e->ends.last)
		err_warn("an answer comes from the end of its list: whatever "
		    "is larger counts as this; fewer --digits, or --range, "
		    "end elsewhere");
	if (e->ends.cells)
		err_warn("numbers beyond %s in size count as this; fewer "
		    "--digits hold larger ones", fixed_text(text, FIXED_MAX,
		    e->cell_digits));
}

/* Each group has `repeat' answers for each target. */
static void
estimate_answers(void *arg, uint64_t rel, size_t g, struct answer *answer)
{
	const struct estimate *e = arg;
	size_t each = e->metric->targets * e->opts.repeat;

	*answer = answer_of(e, &e->answer[g * each + rel - 1],
	    estimate_digits(e));
}

const struct run_steps estimate_steps = {
	.take = estimate_take, .check = estimate_check, .plan = estimate_plan,
	.open = estimate_open, .ask = estimate_ask,
	.declare = estimate_declare, .answers = estimate_answers,
	.end = estimate_end
};
