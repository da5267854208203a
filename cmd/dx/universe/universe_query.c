/* universe_query: the workload of -q, -Q and --workload, with names. */
#include <stdlib.h>
#include <string.h>

#include "cells.h"
#include "input/keys.h"
#include "tool/err.h"
#include "universe_build.h"

/*
 * The element outside the domain has the coefficient nearest to 0 between the
 * least and the largest, so no difference grows; a constant query stays
 * constant, with the public n as answer.
 */
static int64_t
nearest(const int64_t *q, size_t n)
{
	int64_t lo = q[0], hi = q[0];

	for (size_t i = 1; i < n; i++) {
		lo = FIXED_LEAST(q[i], lo);
		hi = FIXED_MOST(q[i], hi);
	}
	return fixed_clamp(0, lo, hi);
}

/* One vector of coefficients from a column. */
static void
add_query(struct universe *u, const struct sheet *s, size_t at, int64_t most)
{
	struct text hint = TEXT_INIT;
	const char *name = sheet_name(s, at);
	int64_t *q = universe_numbers(u, 1);
	int digits = 0;

	text_printf(&hint, "; a count of each name: --workload marginal:1 "
	    "-c %s", name);
	(void)sheet_numbers(s, &at, 1, most, &digits, q, hint.buf);
	if (u->w.out)
		q[u->n - 1] = nearest(q, s->rows);
	workload_dense(&u->w, q, digits)->name = err_copy(name, strlen(name));
	text_free(&hint);
	free(q);
}

/*
 * Numbers the values of an attribute.  Records outside the domain have a
 * separate value, but not in an attribute with a single value: this count is
 * over every record.
 */
static void
codes(const struct universe *u, const struct cells *c, int64_t *x)
{
	for (size_t i = 0; i < c->n; i++)
		x[i * u->of_key.n] = c->code[i];
	if (u->n > c->n && c->values > 1)
		x[c->n * u->of_key.n] = (int64_t)c->values;
}

void
universe_marginals(const struct universe *u, size_t order, struct workload *w)
{
	const struct columns *key = &u->of_key;
	int64_t *x = universe_numbers(u, key->n);

	for (size_t c = 0; c < key->n; c++)
		codes(u, &u->base.cell[key->at[c]], x + c);
	w->n = u->n;
	w->out = u->n > u->base.rows;
	workload_marginal(w, x, key->n, order);
	free(x);
}

/* "job=clerk,age=30" from the columns' names and an element of the cell. */
static void
name_cell(struct universe *u, const struct block *b, size_t sample)
{
	for (size_t i = 0; i < b->picks; i++) {
		size_t at = u->of_key.at[b->pick[i]];
		struct label value = cells_at(&u->base.cell[at], sample);

		text_printf(&u->name, "%s%s=", i > 0 ? "," : "",
		    sheet_name(&u->base, at));
		text_bytes(&u->name, value.text, value.len);
	}
}

struct label
universe_name(struct universe *u, size_t k)
{
	bool outside = workload_outside(&u->w, k);
	const struct block *b = workload_find(&u->w, &k);
	size_t first, last;

	u->name.len = 0;
	if (outside)
		text_add(&u->name, KEYS_OTHERS);
	else if (b->kind == WORKLOAD_PREFIX)
		text_printf(&u->name, "prefix %zu", k + 1);
	else if (b->kind == WORKLOAD_RANGE) {
		workload_bounds(workload_line(&u->w), k, &first, &last);
		text_printf(&u->name, "range %zu-%zu", first + 1, last + 1);
	} else if (b->kind == WORKLOAD_DENSE)
		text_add(&u->name, b->name);
	else
		name_cell(u, b, b->sample[k]);
	text_bytes(&u->name, "", 1);
	return (struct label){ u->name.buf, u->name.len - 1 };
}

void
universe_queries(struct universe *u, int64_t most)
{
	workload_free(&u->w);
	u->w.n = u->n;
	u->w.out = u->n > u->base.rows;
	u->w.even = u->listing.n > 0 && u->order > 0 && u->extra.n == 0 &&
	    u->of_query.n == 0 && (universe_discrete(u) ||
	    u->spec.kind == METRIC_ATTR);
	for (size_t c = 0; c < u->of_query.n; c++)
		add_query(u, &u->base, u->of_query.at[c], most);
	for (size_t c = 0; c < u->extra.n; c++)
		add_query(u, &u->extra, c, most);
	if (u->order > 0)
		universe_marginals(u, u->order, &u->w);
	else if (u->workload != NULL && *u->workload == 'p')
		workload_runs(&u->w, WORKLOAD_PREFIX);
	else if (u->workload != NULL)
		workload_runs(&u->w, WORKLOAD_RANGE);
}
