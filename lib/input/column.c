/* column: values gathered from the input, in memory. */
#include "column.h"

#include <stdlib.h>

#include "number/fixed.h"
#include "number/sort.h"
#include "tool/err.h"

#define MERGE ((size_t)1 << 16)	/* fewer lines are not worth a merge */

static void
sort_all(struct column *c, unsigned threads)
{
	bool ok = c->w == NULL ? column_order(&c->x, c->n, threads) :
	    sort_pairs(c->x, c->w, c->n);

	if (!ok)
		die(STATUS_INPUT, "out of memory");
	if (c->w != NULL)
		c->n = sort_merge(c->x, c->w, c->n);
}

/*
 * A merge is tried where the lines are four times those of the last one, so
 * that it costs a part of the final sort where all values are distinct.
 */
static void
make_room(struct column *c, bool weighted)
{
	if (weighted && c->n >= MERGE && c->n / 4 >= c->merged) {
		sort_all(c, 1);
		c->merged = c->n;
		if (c->n <= c->cap / 4 * 3)
			return;
	}
	c->cap = c->cap < 512 ? 1024 : c->cap + c->cap / 2;
	c->x = err_alloc(c->x, c->cap, sizeof(*c->x));
	if (weighted)
		c->w = err_alloc(c->w, c->cap, sizeof(*c->w));
}

void
column_add(struct column *c, int64_t x, uint64_t w, bool weighted)
{
	if (c->n == c->cap)
		make_room(c, weighted);
	c->x[c->n] = x;
	if (weighted)
		c->w[c->n] = w;
	c->n++;
}

/* More than that is a lack of room, like a lack of memory: dputils(7). */
static void
check_total(const struct column *c)
{
	u128 total = 0;
	size_t i;

	for (i = 0; i < c->n; i++)
		total += c->w[i];
	if (total > COLUMN_WEIGHT)
		die(STATUS_INPUT, "2^41 units of weight, or more");
}

void
column_sort(struct column *c, unsigned threads)
{
	sort_all(c, threads);
	if (c->w != NULL)
		check_total(c);
}

void
column_free(struct column *c)
{
	free(c->x);
	free(c->w);
}
