/* workload: linear queries over a universe, exact on decimal grids. */
#include "workload.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "number/sort.h"
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

bool
workload_has(const struct workload *w, enum workload_kind kind)
{
	for (size_t b = 0; b < w->blocks; b++)
		if (w->block[b].kind == kind)
			return true;
	return false;
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

/* --- the cells of every marginal of some order --------------------------- */

/*
 * A marginal is kept as a cell number for each element, whatever the number of
 * cells.
 */

/*
 * Cells so far and codes from 0 up become new cells, in the order of (old cell,
 * code); returns how many.  There are 2^24 elements and one outside at most, so
 * a key is below 2^50.
 */
static size_t
refine(int64_t *cell, const int64_t *x, size_t dims, size_t n)
{
	int64_t *key = err_alloc(NULL, n, sizeof(*key)), codes = 1, count = 0;
	uint64_t *at = err_alloc(NULL, n, sizeof(*at));

	for (size_t i = 0; i < n; i++)
		codes = FIXED_MOST(x[i * dims] + 1, codes);
	for (size_t i = 0; i < n; i++) {
		key[i] = cell[i] * codes + x[i * dims];
		at[i] = i;
	}
	sort_pairs(key, at, n);
	for (size_t i = 0; i < n; i++) {
		count += i == 0 || key[i] != key[i - 1];
		cell[at[i]] = count - 1;
	}
	free(key);
	free(at);
	return (size_t)count;
}

static void
add_marginal(struct workload *w, const int64_t *x, size_t dims,
    const size_t *pick, size_t picks)
{
	struct block *b = workload_block(w, WORKLOAD_MARGINAL, 0);
	int64_t *cell = err_alloc(NULL, w->n, sizeof(*cell));

	b->cell = err_alloc(NULL, w->n, sizeof(*b->cell));
	b->sample = err_alloc(NULL, w->n, sizeof(*b->sample));
	b->pick = memcpy(err_alloc(NULL, picks, sizeof(*pick)), pick,
	    picks * sizeof(*pick));
	b->picks = picks;
	for (size_t i = 0; i < picks; i++)
		b->count = refine(cell, x + pick[i], dims, w->n);
	for (size_t i = w->n; i-- > 0;) {
		b->cell[i] = (uint32_t)cell[i];
		b->sample[b->cell[i]] = i;
	}
	w->k += b->count;
	free(cell);
}

/* The next choice of `order` of dims in lexicographic order. */
static bool
next_pick(size_t *pick, size_t order, size_t dims)
{
	size_t i = order;

	while (i > 0 && pick[i - 1] == dims - order + i - 1)
		i--;
	if (i == 0)
		return false;
	for (pick[i - 1]++; i < order; i++)
		pick[i] = pick[i - 1] + 1;
	return true;
}

void
workload_marginal(struct workload *w, const int64_t *x, size_t dims,
    size_t order)
{
	size_t *pick;

	if (order == 0 || order > dims)
		return;
	pick = err_alloc(NULL, order, sizeof(*pick));
	for (size_t i = 0; i < order; i++)
		pick[i] = i;
	do
		add_marginal(w, x, dims, pick, order);
	while (next_pick(pick, order, dims));
	free(pick);
}
