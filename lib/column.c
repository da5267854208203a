/* column: values gathered from the input, in memory. */
#include "intake.h"

#include <stdlib.h>

#include "err.h"
#include "fixed.h"
#include "sort.h"

static void
grow(struct column *c, bool weighted)
{
	c->cap = c->cap < 512 ? 1024 : c->cap + c->cap / 2;
	c->x = err_alloc(c->x, c->cap, sizeof(*c->x));
	if (weighted)
		c->w = err_alloc(c->w, c->cap, sizeof(*c->w));
}

void
column_add(struct column *c, int64_t x, uint64_t w, bool weighted)
{
	if (c->n == c->cap)
		grow(c, weighted);
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
column_sort(struct column *c)
{
	bool ok = c->w == NULL ? sort_grid(c->x, c->n) :
	    sort_pairs(c->x, c->w, c->n);

	if (!ok)
		die(STATUS_INPUT, "out of memory");
	if (c->w != NULL) {
		c->n = sort_merge(c->x, c->w, c->n);
		check_total(c);
	}
}

void
column_free(struct column *c)
{
	free(c->x);
	free(c->w);
}
