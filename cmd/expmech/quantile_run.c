/* quantile_run: the part of em-quantile that touches data. */
#include <stdlib.h>

#include "quantile.h"
#include "tool/err.h"

/* Records in the only group, with weight 1. */
static void
take_all(void *arg, const int64_t *x, size_t n)
{
	struct quantile *q = arg;

	column_append(&q->column[0], x, n);
}

static void
take(void *arg, size_t group, const int64_t *x, uint64_t w)
{
	struct quantile *q = arg;

	column_add(&q->column[group], x[0], w, opts_weighted(&q->opts));
}

void
quantile_read(struct quantile *q)
{
	size_t groups;

	intake_open(&q->in, &q->opts, 1, 1, q->digits);
	groups = q->in.groups;
	q->column = err_alloc(NULL, groups, sizeof(*q->column));
	intake_read(&q->in, &(struct intake_use){ .take = take,
	    .take_all = take_all, .arg = q });
}

/* The column by rank; the column is used up. */
static void
put_in_order(struct column *c, struct order *o)
{
	column_sort(c);
	order_init(o, c->x, c->w, c->n);
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
declare(struct quantile *q)
{
	const struct intake *in = &q->in;
	char name[FIXED_TEXT + 1];

	release_table(&q->out, &q->report);
	for (size_t i = 0; i < in->keys.width; i++)
		release_group(&q->out, intake_group_column(in, i));
	for (size_t i = 0; i < q->m; i++) {
		quantile_describe(q, q->place[i]);
		release_answer(&q->out, table_name(in->table, in->cols[0]),
		    answer_percentile(name, q->asked[i]), q->digits);
	}
	release_header(&q->out);
}

/* answer[((rel g) + group) m + place] for releases rel, from 0. */
static int64_t *
all_answers(struct quantile *q)
{
	size_t groups = q->in.groups, each = groups * q->m;
	struct candidates c = { .room = 0 };
	struct order o;
	struct rng rng;
	int64_t *answer, *at;

	answer = err_alloc(NULL, each, q->opts.repeat * sizeof(*answer));
	opts_rng(&q->opts, q->opts.tool->name, &rng);
	for (size_t g = 0; g < groups; g++) {
		put_in_order(&q->column[g], &o);
		at = answer + g * q->m;
		for (size_t rel = 0; rel < q->opts.repeat; rel++, at += each)
			if (q->opts.non_private)
				exact(q, &o, at);
			else
				quantile_ask(&q->tree, &c, &o, q->lo, q->hi,
				    &rng, at);
		order_free(&o);
	}
	candidates_free(&c);
	rng_wipe(&rng);
	return answer;
}

void
quantile_write(struct quantile *q)
{
	int64_t *answer = all_answers(q), *at = answer;
	struct answer *row = err_alloc(NULL, q->m, sizeof(*row));

	declare(q);
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
	free(answer);
	intake_close(&q->in);
}
