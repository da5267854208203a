/* order: a private column by rank. */
#pragma once

#include "number/fixed.h"

/*
 * n entries in ascending order.  Entry i stands for the units of weight, in
 * ascending order of value, from rank order_rank(o, i) up to order_rank(o, i +
 * 1).
 */
struct order {
	int64_t *x;
	uint64_t *w;		/* weights; NULL: every weight is 1 */
	size_t n;
	u128 total;		/* units of weight */
	u128 *before;		/* with w: n + 1 ranks */
};

/*
 * Takes over x[0..n-1], from malloc, and w: NULL, or a weight >= 1 for each x,
 * sorted and distinct then.
 */
void order_init(struct order *o, int64_t *x, uint64_t *w, size_t n);
void order_free(struct order *o);

/* Units of weight before entry i <= n; the entry that holds unit `rank'. */
u128 order_rank(const struct order *o, size_t i);
size_t order_entry(const struct order *o, u128 rank);
