/* shares: people's rows, and the part handed over. */
#include "shares.h"

#include <stdlib.h>

/*
 * By the group, then by the numbers, then by the weight.  So each group's share
 * follows from the row counts in groups, public under swap.
 */
static int
by_value(const void *a, const void *b, void *k)
{
	const struct share *s = a, *t = b;

	if (s->group != t->group)
		return s->group < t->group ? -1 : 1;
	for (size_t i = 0; i < *(size_t *)k; i++)
		if (s->x[i] != t->x[i])
			return s->x[i] < t->x[i] ? -1 : 1;
	return (s->w > t->w) - (s->w < t->w);
}

void
shares_sort(struct shares *s)
{
	qsort_r(s->row, s->n, sizeof(*s->row), by_value, &s->k);
}

uint64_t
shares_total(struct shares *s)
{
	uint64_t total = 0;

	for (size_t i = 0; i < s->n; i++) {
		if (s->row[i].w > INT64_MAX - total)
			s->row[i].w = INT64_MAX - total;
		total += s->row[i].w;
	}
	return total;
}

void
shares_set(struct shares *s, uint64_t total, uint64_t whole, uint64_t start)
{
	uint64_t sum = 0, now, before = 0;
	bool fits = total < (uint64_t)1 << 42;

	for (size_t i = 0; i < s->n; i++) {
		sum += s->row[i].w;
		now = fits ? (sum * whole + start) / total :
		    (uint64_t)(((u128)sum * whole + start) / total);
		s->row[i].w = now - before;
		before = now;
	}
}
