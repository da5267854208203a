/* rows: the rows of all people, sorted by person. */
#include "rows.h"

#include <stdlib.h>

#include "number/sort.h"
#include "tool/err.h"
#include "tool/parts.h"

#define ID 2			/* words of an id in a row */
#define BAD INT64_MIN		/* a bit that no short id has */
#define BITS 6			/* of ROWS_BINS */
#define MANY 65536		/* fewer rows are not worth a thread */

void
rows_open(struct rows *r, const struct ids *ids, size_t k, bool groups,
    bool weighted)
{
	*r = (struct rows){ .ids = ids, .k = k, .groups = groups,
	    .weighted = weighted, .words = k + groups + weighted,
	    .plain = k == 1 && !groups && !weighted, .bins = ROWS_BINS };
}

void
rows_forget(struct rows_bin *b)
{
	free(b->word);
	free(b->end);
	*b = (struct rows_bin){ 0 };
}

void
rows_close(struct rows *r)
{
	for (size_t i = 0; i < ROWS_BINS; i++)
		rows_forget(&r->bin[i]);
	free(r->row);
}

/*
 * The group of a bad row is kept as its complement: nothing else of such a row
 * is looked at.
 */
void
rows_add(struct rows *r, const struct id *id, uint32_t hash,
    const struct share *row)
{
	struct rows_bin *b = &r->bin[(uint64_t)hash * r->bins >> 32];
	size_t size = ID + r->words;
	bool good = row->w > 0;
	int64_t *to;

	if (b->n == b->room) {
		b->room += b->room / 8 + 8;
		b->word = err_alloc(b->word, b->room, size * sizeof(*to));
	}
	to = b->word + b->n++ * size;
	*to++ = (int64_t)id->word[0];
	*to++ = (int64_t)id->word[1] | (good ? 0 : BAD);
	for (size_t i = 0; i < r->k; i++)
		*to++ = good ? row->x[i] : 0;
	if (r->groups)
		*to++ = good ? (int64_t)row->group : ~(int64_t)row->group;
	if (r->weighted)
		*to = (int64_t)row->w;
}

/*
 * The number of each row's person, from 1 in the order of their first rows; 0
 * for a bad row without a group, of which nothing is kept.
 */
static void
number(const struct rows *r, struct rows_bin *b, uint32_t *person)
{
	struct ids table = { .n = 1 };

	if (r->bins > 1)
		ids_open(&table, r->ids->key, sizeof(struct id));
	for (size_t i = 0; i < b->n; i++) {
		const int64_t *row = b->word + i * (ID + r->words);
		struct id id = { { (uint64_t)row[0], (uint64_t)(row[1] &
		    ~BAD) } };
		uint32_t who = r->bins == 1 ? 1 : ids_find(&table, &id,
		    id_hash(&table, &id) << BITS, (struct label){ NULL, 0 });

		person[i] = row[1] < 0 && !r->groups ? 0 : who;
	}
	b->people = table.n;
	ids_close(&table);
}

/* Puts the rows of each person together, in the order in which they came. */
static void
place(const struct rows *r, struct rows_bin *b, const uint32_t *person)
{
	int64_t *all = err_alloc(NULL, b->n, r->words * sizeof(*all)), *to;
	const int64_t *from = b->word;
	size_t at = 0, own;

	for (size_t i = 0; i < b->n; i++)
		b->end[person[i]]++;
	for (size_t i = 0; i <= b->people; i++) {
		own = b->end[i];
		b->end[i] = at;
		at += own;
	}
	for (size_t i = 0; i < b->n; i++) {
		to = all + b->end[person[i]]++ * r->words;
		from += ID;
		for (size_t j = 0; j < r->words; j++)
			*to++ = *from++;
	}
	free(b->word);
	b->word = all;
}

static void
sort_bin(const struct rows *r, struct rows_bin *b)
{
	uint32_t *person;

	if (b->n == 0)
		return;
	person = err_alloc(NULL, b->n, sizeof(*person));
	number(r, b, person);
	b->end = err_alloc(NULL, b->people + 1, sizeof(*b->end));
	place(r, b, person);
	free(person);
	for (size_t i = 1; r->plain && i <= b->people; i++)
		sort_grid(b->word + b->end[i - 1], b->end[i] - b->end[i - 1]);
}

static void
sort_some(void *arg, unsigned part)
{
	struct rows *r = arg;

	for (size_t i = part; i < r->bins; i += r->threads)
		sort_bin(r, &r->bin[i]);
}

void
rows_sort(struct rows *r, unsigned threads)
{
	size_t n = 0;

	for (size_t i = 0; i < r->bins; i++)
		n += r->bin[i].n;
	r->threads = n < MANY ? 1 : threads;
	if (r->threads == 1)
		sort_some(r, 0);
	else
		parts_run(r->threads, sort_some, r);
}

struct shares
rows_of(struct rows *r, const struct rows_bin *b, size_t person)
{
	size_t i = b->end[person - 1], end = b->end[person], k = r->k;
	int64_t *at = b->word + i * r->words, group = 0;
	struct shares s = { .k = k, .least = r->groups ? UINT32_MAX : 0 };

	if (end - i >= r->room) {	/* qsort_r sorts no NULL */
		r->room = 2 * (end - i) + 1;
		r->row = err_alloc(r->row, r->room, sizeof(*r->row));
	}
	s.row = r->row;
	for (; i < end; i++, at += r->words) {
		if (r->groups)
			group = at[k];
		s.row[s.n] = (struct share){ at, (uint32_t)(group < 0 ?
		    ~group : group), r->weighted ? (uint64_t)at[r->words - 1]
		    : 1 };
		if (r->groups && s.row[s.n].group < s.least)
			s.least = s.row[s.n].group;
		s.n += group >= 0;
	}
	if (!r->plain)
		shares_sort(&s);
	return s;
}
