/* shares: people's rows, and the part handed over. */
#include "shares.h"

#include <stdlib.h>
#include <string.h>

#include "number/sort.h"
#include "tool/err.h"

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
	if (s->x != NULL)
		sort_grid(s->x, s->n);
	else
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

/* --- everybody's rows ---------------------------------------------------- */

void
rows_open(struct rows *r, size_t k, bool groups, bool weighted)
{
	*r = (struct rows){ .k = k, .groups = groups, .weighted = weighted,
	    .words = k + groups + weighted };
}

void
rows_close(struct rows *r)
{
	free(r->person);
	free(r->word);
	free(r->sorted);
	free(r->end);
	free(r->row);
}

static __attribute__((noinline)) void
grow(struct rows *r)
{
	r->room += r->room / 4 + 1024;
	r->person = err_alloc(r->person, r->room, sizeof(*r->person));
	r->word = err_alloc(r->word, r->room * r->words, sizeof(*r->word));
}

/*
 * A bad row's group is kept as the complement: nothing more of the row is
 * looked at, and without groups there is nothing to keep.
 */
void
rows_add(struct rows *r, uint32_t person, const struct share *row)
{
	int64_t *to;
	bool good = row->w > 0;

	if (!good && !r->groups)
		return;
	if (r->n == r->room)
		grow(r);
	to = r->word + r->n * r->words;
	r->person[r->n++] = person;
	for (size_t i = 0; i < r->k; i++)
		*to++ = good ? row->x[i] : 0;
	if (r->groups)
		*to++ = good ? (int64_t)row->group : ~(int64_t)row->group;
	if (r->weighted)
		*to = (int64_t)row->w;
}

/* Where each person's rows begin; the largest person has `most' rows. */
static void
count_rows(struct rows *r, size_t people)
{
	size_t at = 0, own;

	r->end = err_alloc(r->end, people, sizeof(*r->end));
	memset(r->end, 0, people * sizeof(*r->end));
	r->most = 0;
	for (size_t i = 0; i < r->n; i++)
		r->end[r->person[i]]++;
	for (size_t i = 0; i < people; i++) {
		own = r->end[i];
		r->end[i] = at;
		at += own;
		r->most = own > r->most ? own : r->most;
	}
}

/*
 * Each row's place is far from the last row's, so memory is asked for AHEAD
 * rows early: first where the person's rows end, then at the place.
 */
#define AHEAD 16

static void
place_rows(struct rows *r)
{
	const int64_t *from = r->word;
	size_t words = r->words;
	int64_t *to;

	for (size_t i = 0; i < r->n; i++) {
		if (r->n - i > 2 * AHEAD)
			__builtin_prefetch(&r->end[r->person[i + 2 * AHEAD]],
			    1);
		if (r->n - i > AHEAD)
			__builtin_prefetch(r->sorted + r->end[r->person[i +
			    AHEAD]] * words, 1);
		to = r->sorted + r->end[r->person[i]]++ * words;
		for (size_t j = 0; j < words; j++)
			to[j] = *from++;
	}
}

void
rows_sort(struct rows *r, size_t people)
{
	count_rows(r, people);
	r->sorted = err_alloc(r->sorted, r->n * r->words,
	    sizeof(*r->sorted));
	r->row = err_alloc(r->row, r->most, sizeof(*r->row));
	place_rows(r);
}

struct shares
rows_of(struct rows *r, size_t person)
{
	size_t i = r->end[person - 1], k = r->k;
	struct shares s = { r->row, 0, k, NULL, r->groups ? UINT32_MAX : 0 };
	int64_t *at = r->sorted + i * r->words, group = 0;

	if (k == 1 && r->words == 1)
		s.x = at;
	for (; i < r->end[person]; i++, at += r->words) {
		if (r->groups)
			group = at[k];
		s.row[s.n] = (struct share){ at, (uint32_t)(group < 0 ?
		    ~group : group), r->weighted ? (uint64_t)at[r->words - 1]
		    : 1 };
		if (r->groups && s.row[s.n].group < s.least)
			s.least = s.row[s.n].group;
		s.n += group >= 0;
	}
	return s;
}
