/*
 * people: a person's rows become the person's record, or records.
 *
 * Sums, means, counts and extremes of people without groups are folded row by
 * row into the person's record.  Every further rule keeps the rows and looks at
 * a person's rows at the end.  With --unit-sorted memory never holds more than
 * one person.
 */
#include "people.h"

#include <stdlib.h>
#include <string.h>

#include "ids.h"
#include "rows.h"
#include "tool/err.h"

#define WINDOW 64	/* rows whose memory is asked for at once */

/*
 * A person, as ids finds people; a person whose rows are kept has the id alone.
 * Rows are counted by weight and stop at INT64_MAX.
 */
typedef i128 sum128 __attribute__((aligned(8)));	/* no room between */

struct person {
	struct id id;
	uint64_t rows;
	sum128 sum[];		/* k numbers */
};

/* w is 0 for a bad row, which counts as no row */
struct arrival {
	struct id id;		/* for a long id: the place among the texts */
	uint64_t w;
	uint32_t hash, group;
};

struct people {
	struct people_rule rule;
	bool folds;		/* rows are folded on arrival, not kept */
	struct ids ids;
	struct arrivals waiting;
	struct rows rows;
	struct person *fold;	/* for kept rows in one group */
	int64_t *x;		/* k numbers to hand over */
	struct people_facts facts;
	struct text latest;	/* --unit-sorted: the id before, */
	bool by_bytes, by_number;	/* and how ids ascended so far */
};

static struct person *
person_at(const struct people *p, size_t i)
{
	return ids_at(&p->ids, i);
}

struct people *
people_new(const struct people_rule *rule)
{
	struct people *p = err_alloc(NULL, 1, sizeof(*p));
	size_t size = sizeof(struct person) + rule->k * sizeof(sum128);
	uint64_t key[2];
	unsigned char *byte = (unsigned char *)key;

	*p = (struct people){ .rule = *rule, .by_bytes = true,
	    .by_number = true };
	if (rule->k == 0 && !rule->groups && rule->per == PER_ANY)
		p->rule.per = PER_COUNT;	/* any row is nothing */
	p->folds = !rule->groups && p->rule.per <= PER_MAX;
	for (size_t i = 0; i < sizeof(key); i++)
		byte[i] = (unsigned char)rng_byte(rule->rng);
	ids_open(&p->ids, key, p->folds ? size : sizeof(struct id));
	rows_open(&p->rows, &p->ids, rule->k, rule->groups, rule->weighted);
	p->rows.bins = rule->sorted ? 1 : ROWS_BINS;
	p->fold = err_alloc(NULL, 1, size);
	p->x = err_alloc(NULL, rule->k, sizeof(*p->x));
	return p;
}

/* --- a record for each person --------------------------------------------- */

/* Sums of at most INT64_MAX grid numbers stay below 2^125. */
static inline void
fold_row(const struct people_rule *rule, struct person *q, const int64_t *x,
    uint64_t w)
{
	uint64_t left = INT64_MAX - q->rows;
	bool first = q->rows == 0;

	q->rows += w < left ? w : left;
	for (size_t i = 0; i < rule->k; i++)
		if (rule->per <= PER_COUNT)
			q->sum[i] += (i128)x[i] * (i128)(w < left ? w : left);
		else if (first || (rule->per == PER_MIN) == (x[i] < q->sum[i]))
			q->sum[i] = x[i];
}

static int64_t
value(const struct people *p, const struct person *q, size_t i)
{
	i128 sum = q->sum[i], x = p->rule.per == PER_COUNT ?
	    (i128)q->rows : p->rule.per == PER_MEAN ? fixed_div(sum,
	    (i128)q->rows, FIXED_NEAREST) : sum;

	x = x > FIXED_MAX ? FIXED_MAX : x;
	return x < -FIXED_MAX ? -FIXED_MAX : (int64_t)x;
}

/*
 * INT64_MAX rows or more count as no row: the kept part would hang on their
 * order.
 */
static inline bool
is_good(uint64_t rows)
{
	return rows > 0 && rows < INT64_MAX;
}

/* A fold's numbers; NULL if not good. */
static inline const int64_t *
values(struct people *p, const struct person *q)
{
	if (!is_good(q->rows))
		return NULL;
	for (size_t i = 0; i < p->rule.k; i++)
		p->x[i] = value(p, q, i);
	return p->x;
}

static inline void
note(struct people *p, uint64_t rows)
{
	struct people_facts *f = &p->facts;

	f->largest = rows > f->largest ? rows : f->largest;
	if (p->rule.most > 0 && rows > p->rule.most)
		f->cut += rows - p->rule.most;
}

/* Folds a group's rows from row i on; returns the next group's first row. */
static size_t
fold_group(struct people *p, const struct shares *s, size_t i)
{
	uint32_t group = s->row[i].group;

	memset(p->fold, 0, sizeof(*p->fold) + p->rule.k *
	    sizeof(sum128));
	for (; i < s->n && s->row[i].group == group; i++)
		fold_row(&p->rule, p->fold, s->row[i].x, s->row[i].w);
	return i;
}

/*
 * A person with rows in several groups belongs to the group with most rows, the
 * first such group in order, and only this group's rows count.
 */
static void
give_group(struct people *p, const struct shares *s)
{
	uint64_t most = 0, rows = 0;
	size_t groups = 0, group = s->least;
	const int64_t *x = NULL;

	for (size_t i = 0, next; i < s->n; i = next, groups++) {
		next = fold_group(p, s, i);
		rows += p->fold->rows;
		if (p->fold->rows > most) {
			most = p->fold->rows;
			group = s->row[i].group;
			x = values(p, p->fold);
		}
	}
	p->facts.several += groups > 1;
	note(p, rows);
	p->rule.give(p->rule.arg, group, x, 1);
}

/* --- a person's rows ----------------------------------------------------- */

/*
 * Shares; or a row, each unit of weight with equal chance; or, for a person
 * with more weight than --max-rows, a separate draw, whose law depends on the
 * weight alone.
 */
static void
give_cut(struct people *p, struct shares *s, uint64_t total)
{
	enum per per = p->rule.per;
	uint64_t most = p->rule.most;

	if (s->n == 0 || (per == PER_ANY && !is_good(total))) {
		p->rule.give(p->rule.arg, s->least, NULL,
		    per == PER_SHARE ? p->rule.whole : 1);
		return;
	}
	if (per == PER_SHARE)
		shares_set(s, total, p->rule.whole, total / 2);
	else if (per == PER_ANY)
		shares_set(s, total, 1, total - 1 - rng_below(p->rule.rng,
		    total));
	else if (total > most)
		shares_set(s, total, most, rng_below(p->rule.rng, total));
	for (size_t i = 0; i < s->n; i++)
		if (s->row[i].w > 0)
			p->rule.give(p->rule.arg, s->row[i].group,
			    s->row[i].x, s->row[i].w);
}

static void
give_kept(struct people *p, const struct rows_bin *b, size_t i)
{
	struct shares s = rows_of(&p->rows, b, i);

	if (p->rule.per <= PER_MAX)
		give_group(p, &s);
	else
		give_cut(p, &s, shares_total(&s));
}

static void
give_folded(struct people *p, const struct person *q)
{
	note(p, q->rows);
	p->rule.give(p->rule.arg, 0, values(p, q), 1);
}

static void
give_rows(struct people *p)
{
	struct rows_bin *b = p->rows.bin;

	rows_sort(&p->rows, p->rule.threads);
	for (; b < p->rows.bin + p->rows.bins; b++) {
		for (size_t i = 1; i <= b->people; i++)
			give_kept(p, b, i);
		p->facts.people += b->people;
		rows_forget(b);
	}
}

/* Hands over everybody in memory, and forgets everybody. */
static void
give_all(struct people *p)
{
	if (!p->folds)
		give_rows(p);
	for (size_t i = 1; p->folds && i < p->ids.records; i++)
		give_folded(p, person_at(p, i));
	p->facts.people += p->folds ? p->ids.records - 1 : 0;
	p->ids.records = 1;	/* no id will come back */
}

/*
 * --unit-sorted: ids ascend strictly from person to person in one of two
 * orders, so no person comes back.  In constant memory no weaker order would
 * prove the promise.
 */
static void
find_sorted(struct people *p, struct label id)
{
	struct label before = { p->latest.buf, p->latest.len };
	bool first = p->ids.records == 1;

	if (!first && id_by_bytes(before, id) == 0)
		return;
	if (!first) {
		p->by_bytes = p->by_bytes && id_by_bytes(before, id) < 0;
		p->by_number = p->by_number && id_by_number(before, id) < 0;
		if (!p->by_bytes && !p->by_number)
			die(STATUS_INPUT, "--unit-sorted: the ids ascend "
			    "neither byte by byte (LC_ALL=C sort) nor as "
			    "whole numbers (sort -n)");
	}
	give_all(p);
	p->latest.len = 0;
	text_bytes(&p->latest, id.text, id.len);
	ids_other(&p->ids);
}

/* A row goes to the record of its person, or to the rows that are kept. */
static inline void
put_row(struct people *p, uint32_t i, const struct arrival *r,
    const int64_t *x)
{
	if (!p->folds)
		rows_add(&p->rows, &r->id, r->hash, &(struct share){ x,
		    r->group, r->w });
	else if (r->w > 0)
		fold_row(&p->rule, person_at(p, i), x, r->w);
}

/*
 * With many people each row needs memory far from the last row's: memory is
 * asked for when a window's rows have come, and used when the requests are on
 * the way, first for the slots, then for the records behind the slots.
 */
static void
look_ahead(const struct people *p, const struct arrival *row, size_t n)
{
	for (size_t i = 0; i < n; i++)
		__builtin_prefetch(&p->ids.slot[ids_slot(&p->ids,
		    row[i].hash)]);
	for (size_t i = 0; i < n; i++) {
		const char *q = ids_at(&p->ids, ids_look(&p->ids, NULL,
		    row[i].hash, (struct label){ NULL, 0 }));

		__builtin_prefetch(q, 1);
		__builtin_prefetch(q + p->ids.size - 1, 1);
	}
}

/*
 * A long id of rows that are kept becomes the number of a record, and of length
 * 0: no other id is.
 */
static inline void
put_arrival(struct people *p, struct arrival r, struct label text,
    const int64_t *x)
{
	uint32_t i = p->folds || id_far(&r.id) ? ids_find(&p->ids, &r.id,
	    r.hash, text) : 0;

	if (id_far(&r.id))
		r.id = (struct id){ { i, 0 } };
	put_row(p, i, &r, x);
}

static void
put_sorted(struct people *p, struct label id, const struct people_row *row)
{
	struct arrival r = { .group = (uint32_t)row->group,
	    .w = row->x != NULL ? row->w : 0 };

	find_sorted(p, id);
	put_row(p, 1, &r, row->x);
}

void
people_put(struct people *p, struct arrivals *a)
{
	const struct arrival *r;

	for (size_t i = 0; i < a->n; i++) {
		r = &a->row[i];
		if (i % WINDOW == 0 && p->folds)
			look_ahead(p, r, a->n - i < WINDOW ? a->n - i :
			    WINDOW);
		put_arrival(p, *r, id_text(&a->far, &r->id), a->x + i *
		    p->rule.k);
	}
	arrivals_empty(a);
}

void
arrivals_add(struct arrivals *a, const struct people *p, struct label id,
    const struct people_row *row)
{
	size_t k = p->rule.k;
	struct arrival *r;

	if (a->n == a->room) {
		a->room = a->room < WINDOW ? WINDOW : a->room + a->room / 2;
		a->row = err_alloc(a->row, a->room, sizeof(*a->row));
		a->x = err_alloc(a->x, a->room * k, sizeof(*a->x));
	}
	r = &a->row[a->n];
	r->id = ids_make(&p->ids, id, &r->hash);
	r->group = (uint32_t)row->group;
	r->w = row->x != NULL ? row->w : 0;
	if (id_far(&r->id)) {
		r->id.word[1] = ID_FAR + a->far.len;
		text_bytes(&a->far, (const char *)&id.len, sizeof(id.len));
		text_bytes(&a->far, id.text, id.len);
	}
	for (size_t i = 0; row->x != NULL && i < k; i++)
		a->x[a->n * k + i] = row->x[i];
	a->n++;
}

void
arrivals_empty(struct arrivals *a)
{
	a->n = a->far.len = 0;
}

void
arrivals_free(struct arrivals *a)
{
	free(a->row);
	free(a->x);
	text_free(&a->far);
}

void
people_add(struct people *p, struct label id, const struct people_row *row)
{
	if (p->rule.sorted)
		put_sorted(p, id, row);
	else
		arrivals_add(&p->waiting, p, id, row);
	if (p->waiting.n == WINDOW)
		people_put(p, &p->waiting);
}

uint64_t
people_end(struct people *p)
{
	people_put(p, &p->waiting);
	give_all(p);
	return p->facts.people;
}

const struct people_facts *
people_facts(const struct people *p)
{
	return &p->facts;
}

void
people_free(struct people *p)
{
	if (p == NULL)
		return;
	text_free(&p->latest);
	arrivals_free(&p->waiting);
	rows_close(&p->rows);
	ids_close(&p->ids);
	free(p->fold);
	free(p->x);
	free(p);
}
