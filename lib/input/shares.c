/* shares: which rows of one person are handed over, with which weight. */
#include "shares.h"

#include <stdlib.h>
#include <string.h>

#include "tool/err.h"

/* By the numbers, then by the group, then by the weight. */
static int
by_value(const void *a, const void *b, void *k)
{
	const struct share *s = a, *t = b;

	for (size_t i = 0; i < *(size_t *)k; i++)
		if (s->x[i] != t->x[i])
			return s->x[i] < t->x[i] ? -1 : 1;
	if (s->group != t->group)
		return s->group < t->group ? -1 : 1;
	return (s->w > t->w) - (s->w < t->w);
}

static int
by_rank(const void *a, const void *b, void *k)
{
	const struct share *s = a, *t = b;

	if (s->rank != t->rank)
		return s->rank < t->rank ? -1 : 1;
	return by_value(a, b, k);
}

/*
 * Shares whole w_i / T, T the total of the w_i, rounded down; what is left of
 * the whole goes one by one to those that lost most by it.
 */
void
shares_set(struct shares *s, uint64_t whole)
{
	uint64_t left = whole;
	u128 total = 0;

	for (size_t i = 0; i < s->n; i++)
		total += s->row[i].w;
	for (size_t i = 0; i < s->n; i++)
		s->row[i].rank = total - (u128)s->row[i].w * whole % total;
	qsort_r(s->row, s->n, sizeof(*s->row), by_rank, &s->k);
	for (size_t i = 0; i < s->n; i++) {
		s->row[i].w = (uint64_t)((u128)s->row[i].w * whole / total);
		left -= s->row[i].w;
	}
	for (size_t i = 0; left > 0; i++, left--)
		s->row[i].w++;
}

/*
 * The rank is a hash of the person, of the row and of its number among equal
 * rows: any `most` of them are as likely as a random function makes them.
 */
void
shares_keep(struct shares *s, uint64_t most, const struct keyed *key,
    struct label id)
{
	size_t row = s->k * sizeof(int64_t), equal = 0;
	size_t len = id.len + row + sizeof(uint32_t) + sizeof(equal);
	char *bytes, *at;

	if (s->n <= most)
		return;
	bytes = err_alloc(NULL, len, 1);
	memcpy(bytes, id.text, id.len);
	qsort_r(s->row, s->n, sizeof(*s->row), by_value, &s->k);
	for (size_t i = 0; i < s->n; i++) {
		equal = i > 0 && by_value(&s->row[i - 1], &s->row[i], &s->k) ==
		    0 ? equal + 1 : 0;
		at = bytes + id.len;
		if (row > 0)
			memcpy(at, s->row[i].x, row);
		memcpy(at + row, &s->row[i].group, sizeof(uint32_t));
		memcpy(at + row + sizeof(uint32_t), &equal, sizeof(equal));
		s->row[i].rank = keyed_hash(key, bytes, len);
	}
	free(bytes);
	qsort_r(s->row, s->n, sizeof(*s->row), by_rank, &s->k);
	s->n = (size_t)most;
}
