/*
 * workload_marginal: the cells of every marginal of some order.
 *
 * A marginal is kept as a cell number for each element, whatever the number of
 * cells.
 */
#include "workload.h"

#include <stdlib.h>
#include <string.h>

#include "number/sort.h"
#include "tool/err.h"

/*
 * Cells so far and codes from 0 up become new cells, in the order of (old cell,
 * code); returns how many.  Both are at most as many as elements, which are
 * fewer than 2^31.
 */
static size_t
refine(int64_t *cell, const int64_t *x, size_t dims, size_t n)
{
	int64_t *key = err_alloc(NULL, n, sizeof(*key)), count = 0;
	uint64_t *element = err_alloc(NULL, n, sizeof(*element));

	for (size_t i = 0; i < n; i++) {
		key[i] = cell[i] << 32 | x[i * dims];
		element[i] = i;
	}
	sort_pairs(key, element, n);
	for (size_t i = 0; i < n; i++) {
		count += i > 0 && key[i] != key[i - 1];
		cell[element[i]] = count;
	}
	free(key);
	free(element);
	return (size_t)count + 1;
}

static void
add_marginal(struct workload *w, const int64_t *x, size_t dims,
    const size_t *pick, size_t picks)
{
	struct block *b = workload_block(w, WORKLOAD_MARGINAL, 0);
	int64_t *cell = err_alloc(NULL, w->n, sizeof(*cell));
	size_t i;

	b->cell = err_alloc(NULL, w->n, sizeof(*b->cell));
	b->sample = err_alloc(NULL, w->n, sizeof(*b->sample));
	b->pick = memcpy(err_alloc(NULL, picks, sizeof(*pick)), pick,
	    picks * sizeof(*pick));
	b->picks = picks;
	for (i = 0; i < picks && w->n > 0; i++)
		b->count = refine(cell, x + pick[i], dims, w->n);
	for (i = w->n; i-- > 0;) {
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
