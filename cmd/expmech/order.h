/*
 * order: a private column by rank.
 *
 * Values are sorted no further than asked for: a choice needs only the values
 * around the quantile.
 */
#ifndef ORDER_H
#define ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "number/fixed.h"

#define ORDER_GATHERED 3	/* buckets picked out one by one */

/*
 * n entries in ascending order once sorted.  Entry i stands for the units of
 * weight, in ascending order of value, from rank order_rank(o, i) up to
 * order_rank(o, i + 1).
 */
struct order {
	int64_t *x;
	uint64_t *w;		/* weights; NULL: every weight is 1 */
	size_t n;
	u128 total;		/* units of weight */
	u128 *before;		/* with w: n + 1 ranks */
	/*
	 * in buckets: bucket b has the entries from start[b] to start[b + 1];
	 * value[b] has the entries in ascending order, NULL: not looked at
	 * yet
	 */
	int64_t least;
	int shift;
	size_t buckets;
	uint64_t *start;	/* NULL: x is sorted */
	const int64_t **value;
	int64_t *gathered[ORDER_GATHERED];
	size_t ngathered;
	bool dealt;		/* x is in bucket order */
};

/*
 * Takes over x[0..n-1], from malloc, and w: NULL, or a weight >= 1 for each x,
 * sorted and distinct then.
 */
void order_init(struct order *o, int64_t *x, uint64_t *w, size_t n);
void order_free(struct order *o);

/* The value of entry i < n. */
int64_t order_value(struct order *o, size_t i);

/* The first entry with a value of v or above, or n. */
size_t order_find(struct order *o, int64_t v);

/* Units of weight before entry i <= n; the entry that holds unit `rank'. */
u128 order_rank(const struct order *o, size_t i);
size_t order_entry(const struct order *o, u128 rank);

#endif
