/* quantile_run: the part of em-quantile that touches data. */
#include <stdio.h>
#include <stdlib.h>

#include "quantile.h"
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

void
quantile_read(struct quantile *q)
{
	size_t groups;

	intake_open(&q->in, table_input(&q->opts), &q->opts, 1, 1, q->digits);
	groups = q->in.groups;
	q->column = err_alloc(NULL, groups, sizeof(*q->column));
	q->answer = err_alloc(NULL, groups * q->m,
	    q->opts.repeat * sizeof(*q->answer));
	intake_read(&q->in, &(struct intake_use){ .take = quantile_keep,
	    .take_all = quantile_take_all, .arg = q, .needs = q->needs });
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
quantile_declare(struct quantile *q)
{
	const struct intake *in = &q->in;
	char name[FIXED_TEXT + 1];

	release_table(&q->out, &q->report);
	for (size_t i = 0; i < in->keys.width; i++)
		release_group(&q->out, intake_group_column(in, i));
	for (size_t i = 0; i < q->m; i++) {
		quantile_describe(q, q->place[i]);
		release_answer(&q->out, intake_name(in, 0),
		    answer_percentile(name, q->asked[i]), q->digits);
	}
	release_header(&q->out);
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

void
quantile_write(struct quantile *q)
{
	const int64_t *at;
	struct answer *row = err_alloc(NULL, q->m, sizeof(*row));

	parts_run(q->in.threads, ask_blocks, q);
	at = q->answer;
	quantile_declare(q);
	for (uint64_t rel = 1; rel <= q->opts.repeat; rel++)
		for (size_t g = 0; g < q->in.groups; g++) {
			for (size_t i = 0; i < q->m; i++)
				row[i] = answer_make(at[q->place[i]], 0,
				    q->digits, q->digits);
			release_row(&q->out, rel, intake_group_parts(&q->in,
			    g), row);
			at += q->m;
		}
	release_flush(&q->out);
	free(row);
	free(q->answer);
	intake_close(&q->in);
}
