/*
 * normal: queries in a form that does not depend on their units.
 *
 * Multipliers.  A record that moves from i to j moves q(x) by |q_i - q_j| <= c
 * E d(i,j).  With mult = floor(unit / c) the integer mult q(x) moves by at most
 * mult c E d(i,j) <= unit E d(i,j): every query's score has the sensitivity of
 * one unit, whatever the query's scale.  Rounding c up and mult down keeps the
 * bound exact, and lowers a query's score by a part of 1/LEAST at most.
 */
#include "normal.h"

#include <math.h>
#include <stdlib.h>

#include "plan.h"
#include "number/memory.h"
#include "random/noise.h"

#define LEAST 64	/* multipliers are no less */

/* The normal form of a dense query. */
static void
reduce(struct normal_block *to, const int64_t *q, size_t n)
{
	int64_t high = q[0];

	to->low = q[0];
	for (size_t i = 1; i < n; i++) {
		to->low = FIXED_LEAST(q[i], to->low);
		high = FIXED_MOST(q[i], high);
	}
	to->step = 0;
	for (size_t i = 0; i < n && to->step != 1; i++)
		to->step = (int64_t)wide_gcd((u128)(q[i] - to->low),
		    (u128)to->step);
	to->step = FIXED_MOST(to->step, 1);
	to->width = (high - to->low) / to->step;
}

/* Of ranges one for each length. */
static size_t
entries(const struct workload *w, const struct block *b)
{
	return b->kind == WORKLOAD_RANGE ? workload_line(w) : b->count;
}

/* How many queries that are not constant have the entry e of block b. */
static size_t
entry_times(const struct normal *q, size_t b, size_t e)
{
	size_t n = workload_line(q->w);

	switch (q->w->block[b].kind) {
	case WORKLOAD_DENSE:
		return q->block[b].width > 0;
	case WORKLOAD_PREFIX:
		return e + 1 < n;
	case WORKLOAD_RANGE:
		return e + 1 < n ? n - e : 0;
	case WORKLOAD_MARGINAL:
		return q->w->block[b].count > 1;
	}
	return 0;
}

/* Appends the entries of block b. */
static void
add_entries(struct normal *q, size_t b)
{
	struct normal_block *of = &q->block[b];

	q->entry = err_alloc(q->entry, q->entries + of->entries,
	    sizeof(*q->entry));
	for (size_t e = 0; e < of->entries; e++) {
		size_t queries = entry_times(q, b, e);

		q->entry[q->entries++] = (struct normal_entry){ b, queries,
		    queries > 0 ? of->width : 0 };
		of->live += queries;
	}
	q->live += of->live;
}

void
normal_open(struct normal *q, const struct workload *w)
{
	*q = (struct normal){ .w = w };
	q->block = err_alloc(NULL, w->blocks, sizeof(*q->block));
	for (size_t b = 0; b < w->blocks; b++) {
		q->block[b] = (struct normal_block){ .step = 1, .width = 1,
		    .entry = q->entries,
		    .entries = entries(w, &w->block[b]) };
		if (w->block[b].kind == WORKLOAD_DENSE)
			reduce(&q->block[b], w->block[b].q, w->n);
		add_entries(q, b);
	}
	q->c = err_alloc(NULL, q->entries, sizeof(*q->c));
	q->mult = err_alloc(NULL, q->entries, sizeof(*q->mult));
	for (size_t e = 0; e < q->entries; e++)
		q->c[e] = (struct rational){ 0, 1 };
}

void
normal_close(struct normal *q)
{
	free(q->block);
	free(q->entry);
	free(q->c);
	free(q->mult);
	*q = (struct normal){ .w = NULL };
}

size_t
normal_entry(const struct normal *q, size_t b, size_t in)
{
	size_t first, last;

	if (q->w->block[b].kind != WORKLOAD_RANGE)
		return q->block[b].entry + in;
	workload_bounds(workload_line(q->w), in, &first, &last);
	return q->block[b].entry + (last - first);
}

size_t
normal_find(const struct normal *q, size_t k, size_t *in)
{
	*in = k;
	return (size_t)(workload_find(q->w, in) - q->w->block);
}

size_t
normal_live(const struct normal *q, size_t live)
{
	size_t before = 0, b;

	for (b = 0; live >= q->block[b].live; b++) {
		live -= q->block[b].live;
		before += q->w->block[b].count;
	}
	/* the range of every element stands in the middle of the block */
	if (q->w->block[b].kind == WORKLOAD_RANGE &&
	    live >= workload_line(q->w) - 1)
		live++;
	return before + live;
}

int64_t
normal_at(const struct normal *q, size_t b, size_t i)
{
	return (q->w->block[b].q[i] - q->block[b].low) / q->block[b].step;
}

/* Multipliers for a unit; false where a score might not fit. */
static bool
set_multipliers(struct normal *q, uint64_t total, int64_t most)
{
	bool fit = true;

	for (size_t e = 0; e < q->entries; e++) {
		const struct normal_block *b = &q->block[q->entry[e].block];
		const u128 width = (uint64_t)b->width, top = (uint64_t)most;
		struct scale c;
		u128 mult;

		q->mult[e] = 0;
		if (b->width == 0 || q->c[e].num == 0)
			continue;
		mult = top + 1;
		if (plan_noise(q->c[e], 0, &c))
			mult = (u128)(uint64_t)q->unit * c.r / c.s;
		if (mult > top || mult * width > top ||
		    mult * width * total > top)
			fit = false;
		else
			q->mult[e] = (int64_t)mult;
	}
	return fit;
}

bool
normal_multiply(struct normal *q, uint64_t total, int64_t most, int64_t unit)
{
	for (q->unit = unit; !set_multipliers(q, total, most); q->unit /= 2)
		if (q->unit == 1)
			return false;
	for (size_t e = 0; e < q->entries; e++)
		if (q->c[e].num > 0 && q->mult[e] < LEAST)
			return false;
	return true;
}

static double
dense_variance(const struct normal *q, size_t b)
{
	double n = (double)q->w->n, sum = 0, square = 0, c;

	for (size_t i = 0; i < q->w->n; i++)
		sum += (double)normal_at(q, b, i);
	for (size_t i = 0; i < q->w->n; i++) {
		c = (double)normal_at(q, b, i) - sum / n;
		square += c * c;
	}
	return square;
}

double *
normal_variance(const struct normal *q)
{
	const struct workload *w = q->w;
	size_t *ones = err_alloc(NULL, w->n + 1, sizeof(*ones));
	double *v = err_alloc(NULL, q->entries, sizeof(*v));

	for (size_t b = 0; b < w->blocks; b++) {
		const struct block *p = &w->block[b];
		size_t entry = q->block[b].entry;

		if (p->kind == WORKLOAD_DENSE) {
			v[entry] = dense_variance(q, b);
			continue;
		}
		for (size_t i = 0; i < w->n; i++)
			ones[i] = p->kind == WORKLOAD_MARGINAL ? 0 : i + 1;
		for (size_t i = 0; i < w->n && p->kind == WORKLOAD_MARGINAL;
		    i++)
			ones[p->cell[i]]++;
		for (size_t e = 0; e < q->block[b].entries; e++)
			v[entry + e] = (double)ones[e] *
			    (1 - (double)ones[e] / (double)w->n);
	}
	free(ones);
	return v;
}

double
normal_error(const struct normal *q, double deviation, double *most)
{
	double *v = normal_variance(q), sum = 0, one;

	*most = 0;
	for (size_t e = 0; e < q->entries; e++) {
		if (q->entry[e].times == 0)
			continue;
		one = deviation * sqrt(v[e]) / (double)q->entry[e].width;
		sum += (double)q->entry[e].times * one;
		*most = fmax(one, *most);
	}
	free(v);
	return sum / (double)q->live;
}
