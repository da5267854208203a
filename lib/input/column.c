/* column: values gathered from the input, in memory. */
#include "column.h"

#include <stdlib.h>
#include <string.h>

#include "number/sort.h"
#include "tool/err.h"
#include "tool/host.h"

#define FEW ((size_t)1 << 16)	/* fewer lines are not worth a count */
#define PLACES 22		/* 2^PLACES numbers at most are counted */

/* The weight of row i. */
static inline uint64_t
weight(const struct column *c, size_t i)
{
	return c->w == NULL ? 1 : c->w[i];
}

/* Counts stop at 2^64 - 1, as merged weights do. */
static inline void
column_count(uint64_t *to, uint64_t w)
{
	if (__builtin_add_overflow(*to, w, to))
		*to = UINT64_MAX;
}

/* Counts the rows kept, if this many places are enough. */
static bool
count_rows(struct column *c, size_t most)
{
	uint64_t *counts;
	struct lattice l = c->at;

	if (!lattice_widen(&l, c->x, c->n, PLACES) || l.places > most)
		return false;
	counts = err_alloc(NULL, l.places, sizeof(*counts));
	for (size_t i = 0; i < c->at.places; i++)
		counts[lattice_place(&l, lattice_number(&c->at, i))] +=
		    c->count[i];
	for (size_t i = 0; i < c->n; i++)
		column_count(&counts[lattice_place(&l, c->x[i])], weight(c, i));
	column_free(c);
	*c = (struct column){ .at = l, .count = counts };
	return true;
}

/* Counted values, and after them the rest, with weights; there is room. */
static void
lay_out(struct column *c)
{
	struct column all = { .cap = c->n };

	for (size_t i = 0; i < c->at.places; i++)
		all.cap += c->count[i] > 0;
	all.x = err_alloc(NULL, all.cap, sizeof(*all.x));
	all.w = err_alloc(NULL, all.cap, sizeof(*all.w));
	for (size_t i = 0; i < c->at.places; i++)
		if (c->count[i] > 0)
			column_add(&all, lattice_number(&c->at, i),
			    c->count[i], true);
	for (size_t i = 0; i < c->n; i++)
		column_add(&all, c->x[i], weight(c, i), true);
	column_free(c);
	*c = all;
}

void
column_sort(struct column *c)
{
	if (c->count != NULL)
		lay_out(c);
	sort_pairs(c->x, c->w, c->n);
	if (c->w != NULL)
		c->n = sort_merge(c->x, c->w, c->n);
}

/*
 * Brings equal values with weights together, if that makes much room.  If not,
 * e of the n rows were equal to another, as where there are n^2 / 2e numbers:
 * twice as many rows are worth the next try.
 */
static bool
merge_rows(struct column *c)
{
	size_t n = c->n;

	sort_pairs(c->x, c->w, n);
	c->n = sort_merge(c->x, c->w, n);
	if (c->n >= n / 2)
		c->worth = n / (n - c->n + 1) * n;
	return c->n < n / 2;
}

/*
 * Counts save memory, if they take no more room than lines and the room to sort
 * them.  They are tried again when there are four times as many lines as at the
 * last try, so that with distinct values all tries cost less than the final
 * sort.
 */
static void
make_room(struct column *c, bool weighted)
{
	size_t room = c->cap;

	if (c->n >= FEW && c->n / 4 >= c->tried) {
		if (count_rows(c, (weighted ? 4 : 2) * c->n))
			return;
		c->tried = c->n;
	}
	if (weighted && c->n >= FEW && c->n >= c->worth && merge_rows(c))
		return;
	c->x = err_grow(c->x, c->cap, &c->cap, sizeof(*c->x));
	if (weighted)
		c->w = err_grow(c->w, room, &room, sizeof(*c->w));
	else if (c->n >= FEW)
		host_touch(c->x + c->n, (c->cap - c->n) * sizeof(*c->x));
}

static inline bool
counted(struct column *c, int64_t x, uint64_t w)
{
	uint64_t at = lattice_place(&c->at, x);

	if (at >= c->at.places)
		return false;
	column_count(&c->count[at], w);
	return true;
}

void
column_add(struct column *c, int64_t x, uint64_t w, bool weighted)
{
	if (c->count != NULL && counted(c, x, w))
		return;
	if (c->n == c->cap) {
		make_room(c, weighted);
		column_add(c, x, w, weighted);
		return;
	}
	c->x[c->n] = x;
	if (weighted)
		c->w[c->n] = w;
	c->n++;
}

void
column_append(struct column *c, const int64_t *x, size_t n)
{
	while (c->count == NULL && c->cap - c->n < n)
		make_room(c, false);
	if (c->count == NULL && n > 0) {
		memcpy(c->x + c->n, x, n * sizeof(*x));
		c->n += n;
		return;
	}
	for (size_t i = 0; i < n; i++)
		if (!counted(c, x[i], 1))
			column_add(c, x[i], 1, false);
}

uint64_t
column_room(const struct column *c)
{
	u128 total = c->w == NULL ? c->n : 0;

	for (size_t i = 0; c->w != NULL && i < c->n; i++)
		total += c->w[i];
	return total < COLUMN_WEIGHT ? COLUMN_WEIGHT - (uint64_t)total : 0;
}

void
column_free(struct column *c)
{
	free(c->x);
	free(c->w);
	free(c->count);
}
