/* quantile_run: the part of em-quantile that touches data. */
#include <stdio.h>

#include "quantile.h"
#include "tool/burden.h"
#include "tool/err.h"
#include "tool/parts.h"

#define BLOCK 256	/* groups with one stream of draws */

/* Records in the only group, with weight 1. */
static void
quantile_take_all(void *arg, const int64_t *x, size_t n)
{
	struct quantile *q = arg;

	column_append(&q->column[0], x, n);
}

static void
quantile_keep(void *arg, size_t group, const int64_t *x, uint64_t w)
{
	struct quantile *q = arg;

	column_add(&q->column[group], x[0], w, q->opts.unit.weighted);
}

static void
quantile_open(void *arg, struct intake_use *use)
{
	struct quantile *q = arg;
	unsigned levels = quantile_height(q->m);

	intake_open(&q->in, table_input(&q->opts), &q->opts, 1, 1, q->digits);
	burden_bear(&q->opts, &(struct burden){ .columns = 1,
	    .bytes = burden_quantiles(q->opts.eps, levels),
	    .each = 800 * levels - 550,
	    .memory = (u128)q->in.groups * (BURDEN_LIST + (u128)q->m *
	    q->opts.repeat * sizeof(*q->answer)),
	    .numbers = (u128)q->in.groups * q->m * q->opts.repeat,
	    .labels = (u128)q->in.keys.text.len * q->opts.repeat });
	q->column = err_alloc(NULL, q->in.groups, sizeof(*q->column));
	q->answer = err_alloc(NULL, q->in.groups * q->m,
	    q->opts.repeat * sizeof(*q->answer));
	use->take = quantile_keep;
	use->take_all = quantile_take_all;
	use->needs = q->needs;
}

/*
 * Without noise: the value of record ceil(q n) in ascending order, the range's
 * centre without records.
 */
static void
exact(const struct quantile *q, const struct order *o, int64_t *answer)
{
	u128 parts = q->tree.denominator, rank;

	for (size_t i = 0; i < q->m; i++) {
		rank = (q->level[i] * o->total + parts - 1) / parts;
		answer[i] = o->total == 0 ?
		    (int64_t)fixed_floor_div((i128)q->lo + q->hi, 2) :
		    o->x[order_entry(o, rank - 1)];
	}
}

static void
quantile_declare(void *arg)
{
	struct quantile *q = arg;
	char name[FIXED_TEXT + 1];

	for (size_t i = 0; i < q->m; i++) {
		quantile_describe(q, q->place[i]);
		release_answer(&q->out, intake_name(&q->in, 0),
		    answer_percentile(name, q->asked[i]), q->digits);
	}
}

/* Each release's answers for a group, whose column is used up. */
static void
ask_group(struct quantile *q, size_t g, struct candidates *c, struct rng *rng)
{
	int64_t *at = q->answer + g * q->m;
	struct column *all = &q->column[g];
	struct order o;

	column_sort(all);
	order_init(&o, all->x, all->w, all->n);
	for (size_t i = 0; i < q->opts.repeat; i++, at += q->in.groups * q->m)
		if (q->opts.non_private)
			exact(q, &o, at);
		else
			quantile_ask(&q->tree, c, &o, q->lo, q->hi, rng, at);
	order_free(&o);
}

/*
 * Threads share the blocks of groups.  A block has a stream of draws, so that a
 * seed means the same draws for any number of threads.
 */
static void
ask_blocks(void *arg, unsigned part)
{
	struct quantile *q = arg;
	struct candidates c = { .room = 0 };
	struct rng rng = { .next = 0 };
	char stream[64];

	for (size_t g = 0; g < q->in.groups; g++) {
		if (g / BLOCK % q->in.threads != part)
			continue;
		if (g % BLOCK == 0) {
			snprintf(stream, sizeof(stream), "%s%.0zu",
			    q->opts.tool->name, g / BLOCK);
			opts_rng(&q->opts, stream, &rng);
		}
		ask_group(q, g, &c, &rng);
	}
	candidates_free(&c);
	rng_wipe(&rng);
}

static void
quantile_ask_all(void *arg)
{
	struct quantile *q = arg;

	parts_run(q->in.threads, ask_blocks, q);
}

static void
quantile_answers(void *arg, uint64_t rel, size_t g, struct answer *row)
{
	const struct quantile *q = arg;
	const int64_t *at = q->answer + ((rel - 1) * q->in.groups + g) * q->m;

	for (size_t i = 0; i < q->m; i++)
		row[i] = answer_make(at[q->place[i]], 0, q->digits, q->digits);
}

/* Without --range: names an answer that is the end of the grid. */
static void
quantile_end(void *arg)
{
	const struct quantile *q = arg;
	size_t n = q->in.groups * q->m * q->opts.repeat;
	bool end = false;

	for (size_t i = 0; i < n && q->no_range; i++)
		end |= q->answer[i] == q->lo || q->answer[i] == q->hi;
	if (end)
		err_warn("an answer is the largest number, or the least, that "
		    "this grid has without --range: whatever is beyond counts "
		    "as this; give fewer --digits");
}

const struct run_steps quantile_steps = {
	.take = quantile_take, .check = quantile_check,
	.plan = quantile_plan_all, .open = quantile_open,
	.ask = quantile_ask_all, .declare = quantile_declare,
	.answers = quantile_answers, .end = quantile_end
};
