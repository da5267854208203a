/*
 * order: a private column by rank.
 */
#include "order.h"

#include <stdlib.h>

#include "number/memory.h"
#include "number/sort.h"

void
order_init(struct order *o, int64_t *x, uint64_t *w, size_t n)
{
	*o = (struct order){ .x = x, .w = w, .n = n, .total = n };
	if (w == NULL) {
		sort_grid(x, n);
		return;
	}
	o->before = err_alloc(NULL, n + 1, sizeof(*o->before));
	for (size_t i = 0; i < n; i++)
		o->before[i + 1] = o->before[i] + w[i];
	o->total = o->before[n];
}

void
order_free(struct order *o)
{
	free(o->x);
	free(o->w);
	free(o->before);
}

u128
order_rank(const struct order *o, size_t i)
{
	return o->before == NULL ? i : o->before[i];
}

size_t
order_entry(const struct order *o, u128 rank)
{
	size_t lo = 0, hi = o->n, mid;

	if (o->before == NULL)
		return (size_t)rank;
	while (hi - lo > 1) {
		mid = lo + (hi - lo) / 2;
		if (o->before[mid] <= rank)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}
