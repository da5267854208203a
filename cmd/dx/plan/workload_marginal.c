/*
 * workload_marginal: the cells of every marginal of some order.
 *
 * A marginal is kept as a cell number for each element, whatever the number of
 * cells.
 */
#include "workload.h"

#include <stdlib.h>
#include <string.h>

#include "tool/err.h"

/* Orders elements by a key from 0 up, those of one key as they stood. */
static void
by_key(const int64_t *key, size_t stride, size_t n, const size_t *from,
    size_t *to)
{
	size_t *place, most = 0;

	for (size_t i = 0; i < n; i++)
		most = FIXED_MOST((size_t)key[i * stride], most);
	place = err_alloc(NULL, most + 2, sizeof(*place));
	for (size_t i = 0; i < n; i++)
		place[key[i * stride] + 1]++;
	for (size_t k = 0; k < most; k++)
		place[k + 1] += place[k];
	for (size_t i = 0; i < n; i++)
		to[place[key[from[i] * stride]]++] = from[i];
	free(place);
}

/*
 * Cells so far and codes from 0 up become new cells, in the order of (old cell,
 * code); returns how many.  order: all elements, and room for as many.
 */
static size_t
refine(int64_t *cell, const int64_t *x, size_t dims, size_t n, size_t *order)
{
	int64_t old_cell = -1, old_code = -1, count = 0;
	size_t *by_code = order + n, i, e;

	by_key(x, dims, n, order, by_code);
	by_key(cell, 1, n, by_code, order);
	for (i = 0; i < n; i++) {
		e = order[i];
		count += cell[e] != old_cell || x[e * dims] != old_code;
		old_cell = cell[e];
		old_code = x[e * dims];
		cell[e] = count - 1;
	}
	return (size_t)count;
}

static void
add_marginal(struct workload *w, const int64_t *x, size_t dims,
    const size_t *pick, size_t picks)
{
	struct block *b = workload_block(w, WORKLOAD_MARGINAL, 0);
	size_t *order = err_alloc(NULL, w->n, 2 * sizeof(*order)), i;
	int64_t *cell = err_alloc(NULL, w->n, sizeof(*cell));

	b->cell = err_alloc(NULL, w->n, sizeof(*b->cell));
	b->sample = err_alloc(NULL, w->n, sizeof(*b->sample));
	b->pick = memcpy(err_alloc(NULL, picks, sizeof(*pick)), pick,
	    picks * sizeof(*pick));
	b->picks = picks;
	for (i = 0; i < w->n; i++)
		order[i] = i;
	if (w->n > 0)
		for (i = 0; i < picks; i++)
			b->count = refine(cell, x + pick[i], dims, w->n, order);
	for (i = w->n; i-- > 0;) {
		b->cell[i] = (uint32_t)cell[i];
		b->sample[b->cell[i]] = i;
	}
	w->k += b->count;
	free(cell);
	free(order);
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
