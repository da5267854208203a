/* workload: linear queries over a universe, exact on decimal grids. */
#include "workload.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tool/err.h"

struct block *
workload_block(struct workload *w, enum workload_kind kind, size_t count)
{
	struct block *b;

	w->block = err_alloc(w->block, w->blocks + 1, sizeof(*b));
	b = &w->block[w->blocks++];
	*b = (struct block){ .kind = kind, .count = count };
	w->k += count;
	return b;
}

struct block *
workload_dense(struct workload *w, const int64_t *q, int digits)
{
	struct block *b = workload_block(w, WORKLOAD_DENSE, 1);

	b->digits = digits;
	b->q = err_alloc(NULL, w->n, sizeof(*b->q));
	if (w->n > 0)
		memcpy(b->q, q, w->n * sizeof(*q));
	return b;
}

void
workload_runs(struct workload *w, enum workload_kind kind)
{
	size_t n = workload_line(w);

	if (kind == WORKLOAD_PREFIX)
		workload_block(w, kind, n);
	else
		workload_block(w, kind, n * (n + 1) / 2);
}

/* Block of query k; *k becomes its place within. */
const struct block *
workload_find(const struct workload *w, size_t *k)
{
	const struct block *b = w->block;

	while (*k >= b->count)
		*k -= b++->count;
	return b;
}

/*
 * Range number k, ordered by its first element a, then its last.
 *
 * With before(a) = a n - a (a - 1) / 2, the ranges that begin before element
 * a, before(a) <= k < before(a + 1) and (n + 1/2)^2 - 2 before(a) =
 * (n + 1/2 - a)^2, the root of (n + 1/2)^2 - 2 k is at most n + 1/2 - a, and
 * above n - 1/2 - a by 2^-25 at least, for n <= 2^24.  The square is exact, and
 * root and difference are rounded by less than 2^-27 together.
 */
void
workload_bounds(size_t n, size_t k, size_t *first, size_t *last)
{
	double b = (double)n + 0.5;
	size_t a = (size_t)(b - sqrt(b * b - 2 * (double)k));

	*first = a;
	*last = a + k - (a * n - a * (a - 1) / 2);
}

void
workload_ends(const struct workload *w, const struct block *b, size_t k,
    size_t *first, size_t *last)
{
	*first = 0;
	*last = k;
	if (b->kind == WORKLOAD_RANGE)
		workload_bounds(workload_line(w), k, first, last);
	if (*first == 0 && *last + 1 == workload_line(w))
		*last = w->n - 1;
}

/* Coefficient i of query number k of a block of other queries. */
static int64_t
block_coefficient(const struct block *b, size_t k, size_t i)
{
	return b->kind == WORKLOAD_DENSE ? b->q[i] : b->cell[i] == k;
}

int64_t
workload_at(const struct workload *w, size_t k, size_t i)
{
	const struct block *b;
	size_t first, last;

	if (workload_interval(w, k, &first, &last))
		return i >= first && i <= last;
	b = workload_find(w, &k);
	return block_coefficient(b, k, i);
}

bool
workload_interval(const struct workload *w, size_t k, size_t *first,
    size_t *last)
{
	const struct block *b = workload_find(w, &k);

	if (b->kind != WORKLOAD_PREFIX && b->kind != WORKLOAD_RANGE)
		return false;
	workload_ends(w, b, k, first, last);
	return true;
}

bool
workload_outside(const struct workload *w, size_t k)
{
	const struct block *b = workload_find(w, &k);

	return w->out && b->kind == WORKLOAD_MARGINAL &&
	    b->sample[k] == w->n - 1;
}

int
workload_digits(const struct workload *w, size_t k)
{
	return workload_find(w, &k)->digits;
}

bool
workload_constant(const struct workload *w, size_t k)
{
	size_t at = k;
	const struct block *b = workload_find(w, &at);

	if (b->kind == WORKLOAD_PREFIX || b->kind == WORKLOAD_RANGE)
		return at == workload_line(w) - 1;
	if (b->kind == WORKLOAD_MARGINAL)
		return b->count == 1;
	for (size_t i = 1; i < w->n; i++)
		if (b->q[i] != b->q[0])
			return false;
	return true;
}

void
workload_row(const struct workload *w, size_t k, int64_t *q, size_t stride)
{
	size_t first, last;
	bool line = workload_interval(w, k, &first, &last);
	const struct block *b = workload_find(w, &k);

	for (size_t i = 0; i < w->n; i++)
		if (line)
			q[i * stride] = i >= first && i <= last;
		else
			q[i * stride] = block_coefficient(b, k, i);
}

void
workload_free(struct workload *w)
{
	for (size_t i = 0; i < w->blocks; i++) {
		free(w->block[i].q);
		free(w->block[i].cell);
		free(w->block[i].sample);
		free(w->block[i].pick);
		free(w->block[i].name);
	}
	free(w->block);
	*w = (struct workload)WORKLOAD_INIT;
}
