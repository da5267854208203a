/*
 * people: a person's rows become the person's record, or records.
 *
 * Rows go to bins.  Sums, means, counts and extremes of people without groups
 * and own epsilons are folded as soon as the bins hold many rows.  All else
 * keeps rows to the end, and merges those of a person that are equal in all
 * that is handed over, or in all but numbers that the person's sum adds up.
 * With --unit-sorted memory never holds two people.
 */
#include "people_facts.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "random/personal.h"
#include "tool/err.h"
#include "tool/parts.h"

#define PENDING 65536	/* rows in all bins; fewer are not worth a thread */

/*
 * A person, as ids finds people.  Rows are counted by weight and stop at
 * INT64_MAX.
 */
typedef i128 sum128 __attribute__((aligned(8)));	/* no room between */

struct person {
	struct id id;
	uint64_t rows;
	sum128 sum[];		/* k numbers */
};

struct people {
	struct people_rule rule;
	bool folds;		/* rows are folded, not kept to the end */
	bool giving;		/* bins are handed over now */
	atomic_size_t begun;	/* bins that a thread works on or has done */
	size_t given;		/* bins that are handed over */
	struct pile alone;	/* a row that came without a pile */
	struct rows rows;
	size_t pending;		/* rows in the bins */
	struct person *fold;	/* for rows in one group */
	int64_t *x;		/* k numbers to hand over */
	uint64_t part;		/* of the person at hand, of whole */
	struct people_facts facts;
	struct id own;		/* --unit-sorted: the id before, */
	struct text latest;	/* its name, */
	bool by_bytes, by_number;	/* and how ids ascended so far */
};

/* Of the numbers so many must be equal in rows that merge: no sum has them. */
static size_t
people_equal(const struct people_rule *rule)
{
	if (rule->weighted || rule->per > PER_MAX)
		return rule->k;
	return rule->per <= PER_COUNT ? 0 : rule->k - rule->weighs;
}

struct people *
people_new(const struct people_rule *rule)
{
	struct people *p = err_alloc(NULL, 1, sizeof(*p));
	size_t size = sizeof(struct person) + rule->k * sizeof(sum128);
	uint64_t key[2];
	unsigned char *byte = (unsigned char *)key;

	*p = (struct people){ .rule = *rule, .by_bytes = true,
	    .by_number = true, .part = rule->whole, .rows = {
	    .k = rule->k, .groups = rule->groups, .owned = rule->owned,
	    .weighted = rule->weighted, .same = rule->groups + rule->owned +
	    people_equal(rule) } };
	if (rule->k == 0 && !rule->groups && rule->per == PER_ANY)
		p->rule.per = PER_COUNT;	/* any row is nothing */
	p->folds = !rule->groups && p->rule.per <= PER_MAX;
	p->rows.merges = !p->folds;
	if (rule->told && rule->groups)
		p->facts.spread = err_alloc(NULL, PER_GROUPS + 1,
		    sizeof(*p->facts.spread));
	if (rule->told && rule->most > 0)
		p->facts.rows = err_alloc(NULL, PER_GROUPS + 1,
		    sizeof(*p->facts.rows));
	for (size_t i = 0; i < sizeof(key); i++)
		byte[i] = (unsigned char)rng_byte(rule->rng);
	rows_open(&p->rows, key);
	if (rule->sorted)
		p->rows.bins = 1;
	if (p->folds)
		p->rows.record = size;
	p->fold = err_alloc(NULL, 1, size);
	p->x = err_alloc(NULL, rule->k, sizeof(*p->x));
	return p;
}

/* --- a record for each person --------------------------------------------- */

/* Is number i of a fold the mean of the rows'? */
static inline bool
people_is_mean(const struct people_rule *rule, size_t i)
{
	return rule->per == PER_MEAN || (rule->weighs && i == rule->k - 1);
}

/* Sums of at most INT64_MAX grid numbers stay below 2^125. */
static inline void
fold_row(const struct people_rule *rule, struct person *q, const int64_t *x,
    uint64_t w)
{
	bool first = q->rows == 0;

	w = FIXED_LEAST(w, INT64_MAX - q->rows);
	q->rows += w;
	if (!rule->weighted)
		w = 1;		/* merged rows have been added up */
	for (size_t i = 0; i < rule->k; i++)
		if (rule->per <= PER_COUNT || people_is_mean(rule, i))
			q->sum[i] += (i128)x[i] * (i128)w;
		else if (first || (rule->per == PER_MIN) == (x[i] < q->sum[i]))
			q->sum[i] = x[i];
}

static int64_t
value(const struct people *p, const struct person *q, size_t i)
{
	i128 x = q->sum[i];

	if (people_is_mean(&p->rule, i))
		x = fixed_div(x, (i128)q->rows, FIXED_NEAREST);
	else if (p->rule.per == PER_COUNT)
		x = (i128)q->rows;
	return fixed_clamp_wide(x, -FIXED_MAX, FIXED_MAX);
}

/*
 * INT64_MAX rows or more count as no row: which ones are kept would depend on
 * their order.
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

/* Folds a group's rows from row i on; returns the next group's first row. */
static size_t
fold_group(struct people *p, const struct shares *s, size_t i)
{
	uint64_t group = s->row[i].group;

	memset(p->fold, 0, sizeof(*p->fold) + p->rule.k * sizeof(sum128));
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
	uint64_t most = 0, rows = 0, group = s->least;
	size_t groups = 0;
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
	people_note_groups(&p->facts, p->rule.most, groups, rows);
	p->rule.give(p->rule.arg, group, x, p->part);
}

/* --- a person's rows ----------------------------------------------------- */

/* Rows of --max-rows without weights are handed over one by one. */
static void
give_row(struct people *p, const struct share *row, uint64_t each)
{
	bool one = p->rule.per == PER_ROWS && !p->rule.weighted;
	uint64_t w = one ? 1 : row->w;

	for (uint64_t left = row->w; left > 0; left -= w)
		p->rule.give(p->rule.arg, row->group, row->x, w * each);
}

/*
 * Shares; or a row, each unit of weight with equal chance; or, for a person
 * with more weight than --max-rows, a separate draw, whose law depends on the
 * weight alone.
 */
static void
give_cut(struct people *p, struct shares *s, uint64_t total)
{
	enum per per = p->rule.per;
	uint64_t most = p->rule.most, each = per == PER_SHARE ? 1 : p->part;

	if (s->n == 0 || (per == PER_ANY && !is_good(total))) {
		p->rule.give(p->rule.arg, s->least, NULL, p->part);
		return;
	}
	if (per == PER_SHARE)
		shares_set(s, total, p->part, total / 2);
	else if (per == PER_ANY)
		shares_set(s, total, 1, total - 1 - rng_below(p->rule.rng,
		    total));
	else if (total > most)
		shares_set(s, total, most, rng_below(p->rule.rng, total));
	for (size_t i = 0; i < s->n; i++)
		give_row(p, &s->row[i], each);
}

/* --- a person in several groups ------------------------------------------- */

/* Hands over the person in one group, which has rows i to end. */
static uint64_t
people_give_one(struct people *p, const struct shares *s, size_t i, size_t end)
{
	struct shares part = { s->row + i, end - i, s->row[i].group };
	uint64_t rows;

	if (p->rule.per > PER_MAX) {
		rows = shares_total(&part);
		give_cut(p, &part, rows);
		return rows;
	}
	fold_group(p, s, i);
	p->rule.give(p->rule.arg, part.least, values(p, p->fold),
	    p->part);
	return p->fold->rows;
}

/*
 * --max-groups: keeps up to `kept' of a person's groups, every choice with the
 * same chance.  Of the `left' groups still to come `need' are kept, so the next
 * one is kept with chance need / left.  The result depends only on the person's
 * own rows and draws.  So neighbours, with the same draws for everybody else,
 * differ in `kept' groups at most.
 */
static void
people_give_groups(struct people *p, const struct shares *s)
{
	size_t groups = 0, i, next;
	uint64_t left, need, rows = 0;

	for (i = 0; i < s->n; i = shares_group_end(s, i))
		groups++;
	left = groups;
	need = left < p->rule.kept ? left : p->rule.kept;
	if (groups == 0)
		p->rule.give(p->rule.arg, s->least, NULL, p->part);
	for (i = 0; need > 0; i = next, left--) {
		next = shares_group_end(s, i);
		if (need == left || rng_below(p->rule.rng, left) < need) {
			rows += people_give_one(p, s, i, next);
			need--;
		}
	}
	people_note_groups(&p->facts, p->rule.most, groups, rows);
}

static void
give_kept(struct people *p, const struct rows_bin *b, size_t i)
{
	struct shares s = rows_of(&p->rows, b, i);

	METER_COINS(METER_PEOPLE, 64 * shares_total(&s) + s.least);
	p->part = p->rule.whole;
	if (p->rule.sampled)
		p->part *= personal_thin(p->rule.rng, 1, s.own);
	else if (p->rule.owned)
		p->part = s.own;
	if (p->rule.kept > 0)
		people_give_groups(p, &s);
	else if (p->rule.per <= PER_MAX)
		give_group(p, &s);
	else
		give_cut(p, &s, shares_total(&s));
}

static void
give_folded(struct people *p, const struct person *q)
{
	people_note(&p->facts, p->rule.most, q->rows);
	p->rule.give(p->rule.arg, 0, values(p, q), p->part);
}

/* --- the bins ------------------------------------------------------------ */

static inline void
fold(const struct people_rule *rule, struct person *q, const int64_t *row)
{
	if (rows_good(row))
		fold_row(rule, q, row + ROWS_ID, rule->weighted ?
		    (uint64_t)row[ROWS_ID + rule->k] : 1);
}

/* Folds a bin's rows into the people's records. */
static void
fold_bin(struct people *p, struct rows_bin *b)
{
	uint32_t person[ROWS_WINDOW];
	const int64_t *row = b->pile.word;
	size_t n = b->pile.n, some;

	for (; n > 0; n -= some) {
		some = n < ROWS_WINDOW ? n : ROWS_WINDOW;
		rows_people(&p->rows, b, row, some, person);
		for (size_t i = 0; i < some; i++) {
			fold(&p->rule, ids_at(&b->ids, person[i]), row);
			row = rows_next(&p->rows, &b->pile, row);
		}
	}
	b->pile.n = 0;
	b->people = b->ids.n;
}

/* Folds or sorts the rows of the next bin; false if none is left. */
static bool
work_next(struct people *p, struct rows_room *room)
{
	size_t i = p->begun++;
	struct rows_bin *b = p->rows.bin;

	if (i >= p->rows.bins)
		return false;
	if (p->folds)
		fold_bin(p, &b[i]);
	else if (b[i].pile.n > 0)
		rows_sort(&p->rows, &b[i], room);
	b[i].ready = p->giving;
	return true;
}

/* Hands over a bin's people, and forgets them. */
static void
give_bin(struct people *p, struct rows_bin *b)
{
	for (size_t i = 1; i <= b->people; i++)
		if (p->folds)
			give_folded(p, ids_at(&b->ids, i));
		else
			give_kept(p, b, i);
	p->facts.people += b->people;
	rows_forget(b);
}

/* Hands over, in order, the bins that are ready. */
static void
give_ready(struct people *p)
{
	struct rows_bin *b = p->rows.bin;

	for (; p->given < p->rows.bins && b[p->given].ready; p->given++)
		give_bin(p, &b[p->given]);
}

/* Part 0 is the caller's thread. */
static void
work_some(void *arg, unsigned part)
{
	struct people *p = arg;
	struct rows_room room = { .rows = 0 };

	while (work_next(p, &room))
		if (part == 0)
			give_ready(p);
	rows_room_free(&room);
}

/* Works on all bins, with threads where rows are many. */
static void
work(struct people *p, bool giving)
{
	unsigned threads = p->pending < PENDING || p->rule.sorted ? 1 :
	    p->rule.threads;

	p->begun = p->pending = p->given = 0;
	p->giving = giving;
	parts_run(threads, work_some, p);
	give_ready(p);
}

/* Hands over everybody in memory, and forgets everybody. */
static void
give_all(struct people *p)
{
	if (!p->folds || !p->rule.sorted)
		work(p, true);
	else if (p->latest.len > 0) {
		give_folded(p, p->fold);
		p->facts.people++;
		memset(p->fold, 0, sizeof(*p->fold) + p->rule.k *
		    sizeof(sum128));
	}
}

/*
 * --unit-sorted: ids ascend strictly from person to person in one of two
 * orders, so no person comes back.  In constant memory no weaker order would
 * prove the promise.
 */
static void
find_sorted(struct people *p, const struct pile *from, const int64_t *row)
{
	struct id near, own = rows_id(row);
	struct label id, before = { p->latest.buf, p->latest.len };

	if (!id_far(&own) && memcmp(&own, &p->own, sizeof(own)) == 0)
		return;
	p->own = own;
	id = rows_name(from, row, &near);
	if (id_by_bytes(before, id) == 0)
		return;
	if (before.len > 0) {
		p->by_bytes = p->by_bytes && id_by_bytes(before, id) < 0;
		p->by_number = p->by_number && id_by_number(before, id) < 0;
		if (!p->by_bytes && !p->by_number)
			err_die(STATUS_INPUT, "--unit-sorted: the ids ascend "
			    "neither byte by byte (LC_ALL=C sort) nor as "
			    "whole numbers (sort -n)");
		give_all(p);
	}
	p->latest.len = 0;
	text_bytes(&p->latest, id.text, id.len);
}

void
people_put(struct people *p, struct pile *from)
{
	const int64_t *row = from->word;

	for (size_t i = 0; i < from->n; i++) {
		if (p->rule.sorted)
			find_sorted(p, from, row);
		if (p->folds && p->rule.sorted)
			fold(&p->rule, p->fold, row);
		else
			rows_put(&p->rows, from, row);
		row = rows_next(&p->rows, from, row);
		if (++p->pending >= PENDING && p->folds)
			work(p, false);
	}
	from->n = from->far.len = 0;
}

void
people_add(struct people *p, struct pile *to, struct label id,
    const struct people_row *row)
{
	rows_add(&p->rows, to != NULL ? to : &p->alone, id, row);
	if (to == NULL)
		people_put(p, &p->alone);
}

const struct people_facts *
people_end(struct people *p)
{
	give_all(p);
	return &p->facts;
}

void
people_free(struct people *p)
{
	if (p == NULL)
		return;
	text_free(&p->latest);
	pile_free(&p->alone);
	rows_close(&p->rows);
	free(p->facts.spread);
	free(p->facts.rows);
	free(p->fold);
	free(p->x);
	free(p);
}
