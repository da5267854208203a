/* shares: the rows of people, and which of them are handed over. */
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

/* --- the rows of all people ---------------------------------------------- */

static void
grow(struct rows *r)
{
	r->room = r->room < 64 ? 64 : r->room + r->room / 2;
	r->who = err_alloc(r->who, r->room, sizeof(*r->who));
	r->x = err_alloc(r->x, r->room * r->k, sizeof(*r->x));
	if (r->groups)
		r->group = err_alloc(r->group, r->room, sizeof(*r->group));
	if (r->weighted)
		r->w = err_alloc(r->w, r->room, sizeof(*r->w));
}

void
rows_add(struct rows *r, uint32_t who, const struct share *row)
{
	if (r->n == UINT32_MAX)
		die(STATUS_INPUT, "out of memory");
	if (r->n == r->room)
		grow(r);
	r->who[r->n] = who;
	if (r->k > 0)
		memcpy(r->x + r->n * r->k, row->x, r->k * sizeof(*r->x));
	if (r->groups)
		r->group[r->n] = row->group;
	if (r->weighted)
		r->w[r->n] = row->w;
	r->n++;
}

/* By counting, so that each person's rows keep the order they came in. */
void
rows_gather(struct rows *r, size_t people)
{
	r->end = err_alloc(r->end, people + 1, sizeof(*r->end));
	r->order = err_alloc(r->order, r->n, sizeof(*r->order));
	memset(r->end, 0, (people + 1) * sizeof(*r->end));
	for (size_t i = 0; i < r->n; i++)
		r->end[r->who[i] + 1]++;
	for (size_t i = 1; i <= people; i++)
		r->end[i] += r->end[i - 1];
	/* end[i] is where person i begins, until all its rows are put */
	for (size_t i = 0; i < r->n; i++)
		r->order[r->end[r->who[i]]++] = (uint32_t)i;
}

size_t
rows_count(const struct rows *r, size_t who)
{
	return r->end[who] - r->end[who - 1];
}

struct share
rows_get(const struct rows *r, size_t who, size_t i)
{
	size_t at = r->order[r->end[who - 1] + i];

	return (struct share){ r->x + at * r->k, r->groups ? r->group[at] : 0,
	    r->weighted ? r->w[at] : 1, 0 };
}

void
rows_clear(struct rows *r)
{
	r->n = 0;
}

void
rows_free(struct rows *r)
{
	free(r->x);
	free(r->who);
	free(r->group);
	free(r->w);
	free(r->order);
	free(r->end);
}
