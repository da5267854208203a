/*
 * people: the rows of each person become that person's record, or records.
 *
 * PER_SUM to PER_ANY keep one accumulator for each person (and group) and
 * hand it over at the end.  PER_SHARE and PER_ROWS need all rows of a person
 * at once, and log them until the end.  With --unit-sorted there is never more
 * than one person.
 */
#include "people.h"

#include <stdlib.h>
#include <string.h>

#include "ids.h"
#include "shares.h"
#include "tool/err.h"

#define WINDOW 64	/* rows whose memory is asked for at once, */
#define AHEAD 16	/* and people handed over meanwhile */

/* What is known of one person's rows in one group. */
struct part {
	struct id id;		/* OTHER: not the first of a person */
	uint64_t rows;		/* good ones, by weight; saturates */
	uint32_t group;
	uint32_t next;		/* part of the same person, 0: no more */
	i128 sum[];		/* k of them: sums, or values */
};

#define OTHER UINT64_MAX

/* A person whose rows are kept. */
struct keeper {
	struct id id;
	struct log log;		/* last: a group as long as there is no row */
};

/* w is 0 for a bad row, which is as good as none */
struct arrival {
	struct id id;
	uint64_t w;
	uint32_t hash, group;
	uint32_t len;		/* of the id */
	size_t far;		/* a long id's place among these */
};

struct people {
	struct people_rule rule;
	struct ids ids;
	struct arrivals waiting;
	struct rows rows;
	struct shares shares;	/* of one person */
	int64_t *x;		/* k numbers to hand over */
	uint64_t persons;	/* in memory, */
	uint64_t done, largest;	/* handed over, rows of the largest, */
	uint64_t several;	/* those with rows in several groups */
	struct label latest;	/* --unit-sorted: the id before, */
	size_t latest_room;
	bool by_bytes, by_number;	/* and how ids ascended so far */
};

/* A part, or a keeper. */
static void *
record_at(const struct people *p, size_t i)
{
	return pool_at(&p->ids.records, i);
}

static bool
logs(const struct people *p)
{
	return p->rule.per == PER_SHARE || p->rule.per == PER_ROWS;
}

struct people *
people_new(const struct people_rule *rule)
{
	struct people *p = err_alloc(NULL, 1, sizeof(*p));
	uint64_t key[2];
	unsigned char *byte = (unsigned char *)key;

	*p = (struct people){ .rule = *rule, .by_bytes = true,
	    .by_number = true, .shares = { .k = rule->k, .groups =
	    rule->groups, .weighted = rule->weighted } };
	if (rule->k == 0 && !rule->groups)
		p->shares.weighted = true;	/* each row is something */
	for (size_t i = 0; i < sizeof(key); i++)
		byte[i] = (unsigned char)rng_byte(rule->rng);
	ids_open(&p->ids, key, logs(p) ? sizeof(struct keeper) :
	    sizeof(struct part) + rule->k * sizeof(i128));
	if (logs(p))
		rows_open(&p->rows, rule->k);
	p->x = err_alloc(NULL, rule->k, sizeof(*p->x));
	return p;
}

/* The person's part for this group; without a good row, the least one. */
static struct part *
part_of(struct people *p, struct part *q, uint32_t group)
{
	if (q->group == UINT32_MAX || p->rule.per == PER_ANY) {
		if (q->rows == 0 && group < q->group)
			q->group = group;
		return q;
	}
	for (; q->group != group; q = record_at(p, q->next))
		if (q->next == 0) {
			q->next = ids_other(&p->ids);
			q = record_at(p, q->next);
			q->id.word[1] = OTHER;
			q->group = group;
			return q;
		}
	return q;
}

/*
 * PER_ANY: the row that came last is taken with probability w / rows, which
 * leaves every unit of weight so far the same chance.  Rows are cut at 2^63,
 * so that a sum stays below 2^125.
 */
static void
add_row(struct people *p, struct part *q, const struct people_row *row)
{
	enum per per = p->rule.per;
	uint64_t left = INT64_MAX - q->rows, w = row->w < left ? row->w : left;

	q->rows += w;
	if (per == PER_ANY) {
		if (!rng_coin(p->rule.rng, w, q->rows))
			return;
		q->group = (uint32_t)row->group;
	}
	for (size_t i = 0; i < p->rule.k; i++) {
		i128 x = row->x[i];

		if (per == PER_SUM || per == PER_MEAN)
			q->sum[i] += w == 1 ? x : x * (i128)w;
		else if (per == PER_ANY || q->rows == w ||
		    (per == PER_MIN && x < q->sum[i]) ||
		    (per == PER_MAX && x > q->sum[i]))
			q->sum[i] = x;
	}
}

static int64_t
value(const struct people *p, const struct part *q, size_t i)
{
	i128 x = p->rule.per == PER_COUNT ? (i128)q->rows :
	    p->rule.per == PER_MEAN ? fixed_div(q->sum[i], (i128)q->rows,
	    FIXED_NEAREST) : q->sum[i];

	return x < -FIXED_MAX ? -FIXED_MAX : x > FIXED_MAX ? FIXED_MAX :
	    (int64_t)x;
}

/*
 * A person with rows in several groups belongs to the one with most of them,
 * the first of these in the order of the groups, and only its rows count.
 */
static void
give_person(struct people *p, const struct part *q)
{
	const struct part *best = q;
	uint64_t rows = q->rows;
	size_t groups = rows > 0;

	if (q->id.word[1] == OTHER)
		return;
	while (q->next != 0) {
		q = record_at(p, q->next);
		rows += q->rows;
		groups += q->rows > 0;
		if (best->rows < q->rows || (q->rows == best->rows &&
		    q->group < best->group))
			best = q;
	}
	p->largest = rows > p->largest ? rows : p->largest;
	p->several += groups > 1;
	for (size_t i = 0; best->rows > 0 && i < p->rule.k; i++)
		p->x[i] = value(p, best, i);
	p->rule.give(p->rule.arg, best->group, best->rows > 0 ? p->x : NULL,
	    1);
}

/*
 * A person with more weight than --max-rows has a draw of its own, whose law
 * depends on that weight alone.
 */
static void
give_rows(struct people *p, const struct keeper *q)
{
	struct shares *s = &p->shares;
	uint64_t total, most = p->rule.most;

	if (q->log.first == 0) {
		p->rule.give(p->rule.arg, q->log.last, NULL,
		    p->rule.per == PER_SHARE ? p->rule.whole : 1);
		return;
	}
	rows_get(&p->rows, &q->log, s);
	p->largest = s->n > p->largest ? s->n : p->largest;
	total = shares_order(s);
	if (p->rule.per == PER_SHARE)
		shares_set(s, total, p->rule.whole, total / 2);
	else if (total > most)
		shares_set(s, total, most, rng_below(p->rule.rng, total));
	for (size_t i = 0; i < s->n; i++)
		if (s->row[i].w > 0)
			p->rule.give(p->rule.arg, s->row[i].group,
			    s->row[i].x, s->row[i].w);
}

/* Hands over everybody in memory, and forgets them. */
static void
give_all(struct people *p)
{
	size_t n = p->ids.records.n;

	for (size_t i = 1; i < n && logs(p); i++) {
		const struct keeper *later = record_at(p, i + AHEAD < n ?
		    i + AHEAD : i);

		rows_ask(&p->rows, &later->log);
		give_rows(p, record_at(p, i));
	}
	for (size_t i = 1; i < n && !logs(p); i++)
		give_person(p, record_at(p, i));
	if (logs(p))
		pool_clear(&p->rows.chunks);
	pool_clear(&p->ids.records);	/* no id will come back */
	p->done += p->persons;
	p->persons = 0;
}

static void
remember(struct people *p, struct label id)
{
	char *text = (char *)p->latest.text;

	if (id.len > p->latest_room || text == NULL) {
		p->latest_room = 2 * id.len + 16;
		text = err_alloc(text, p->latest_room, 1);
	}
	if (id.len > 0)
		memcpy(text, id.text, id.len);
	p->latest = (struct label){ text, id.len };
}

/* A person without a row, who belongs to no group yet. */
static void *
new_person(struct people *p, uint32_t i)
{
	void *person = record_at(p, i);

	*(logs(p) ? &((struct keeper *)person)->log.last :
	    &((struct part *)person)->group) = UINT32_MAX;
	p->persons++;
	return person;
}

/*
 * --unit-sorted: ids ascend strictly from person to person in one of two
 * orders, so none of them comes back.  In constant memory nothing less would
 * show it.
 */
static void *
find_sorted(struct people *p, struct label id)
{
	if (p->latest.text != NULL && id_by_bytes(p->latest, id) == 0)
		return record_at(p, 1);
	if (p->latest.text != NULL) {
		p->by_bytes = p->by_bytes && id_by_bytes(p->latest, id) < 0;
		p->by_number = p->by_number && id_by_number(p->latest,
		    id) < 0;
		if (!p->by_bytes && !p->by_number)
			die(STATUS_INPUT, "--unit-sorted: the ids ascend "
			    "neither byte by byte (LC_ALL=C sort) nor as "
			    "whole numbers (sort -n)");
	}
	give_all(p);
	remember(p, id);
	return new_person(p, ids_other(&p->ids));
}

/* The record of the row's person, who may have the one that is guessed. */
static inline void *
find(struct people *p, const struct arrivals *a, const struct arrival *row,
    void *guess)
{
	struct label text = { a->far + row->far, row->len };
	size_t n = p->ids.n;
	uint32_t i;

	if (guess != NULL && ids_same(&p->ids, guess, &row->id, text))
		return guess;
	i = ids_find(&p->ids, &row->id, row->hash, text);
	return p->ids.n > n ? new_person(p, i) : record_at(p, i);
}

/* The person's log gets the row; without one it keeps the least group. */
static void
log_row(struct people *p, struct log *log, const struct people_row *row)
{
	uint32_t group = (uint32_t)row->group;

	if (row->x != NULL && row->w > 0)
		rows_add(&p->rows, log, &p->shares, &(struct share){ row->x,
		    group, row->w });
	else if (log->first == 0 && group < log->last)
		log->last = group;
}

static inline void
put_row(struct people *p, void *person, const struct people_row *row)
{
	struct part *part;

	if (logs(p)) {
		log_row(p, &((struct keeper *)person)->log, row);
		return;
	}
	part = part_of(p, person, (uint32_t)row->group);
	if (row->x != NULL && row->w > 0)
		add_row(p, part, row);
}

/*
 * With many people each row needs memory that is far from that of the one
 * before it: it is asked for when the rows of a window have come and used
 * when all of it is on its way, first the slots, then the records that these
 * lead to, then the ends of the people's logs.
 */
static void
look_ahead(const struct people *p, const struct arrival *row, size_t n,
    void *guess[WINDOW])
{
	const struct keeper *keeper;
	uint32_t at;
	size_t i;

	for (i = 0; i < n; i++)
		__builtin_prefetch(&p->ids.slot[ids_slot(&p->ids,
		    row[i].hash)]);
	for (i = 0; i < n; i++) {
		at = ids_guess(&p->ids, row[i].hash);
		guess[i] = at == 0 ? NULL : record_at(p, at);
		if (at == 0)
			continue;
		__builtin_prefetch(guess[i], 1);
		__builtin_prefetch((char *)guess[i] + p->ids.records.unit - 1,
		    1);
	}
	for (i = 0; logs(p) && i < n; i++)
		if ((keeper = guess[i]) != NULL)
			rows_ask(&p->rows, &keeper->log);
}

void
people_put(struct people *p, struct arrivals *a)
{
	size_t k = p->rule.k;
	void *guess[WINDOW];

	for (size_t i = 0; i < a->n; i++) {
		const struct arrival *r = &a->row[i];

		if (i % WINDOW == 0)
			look_ahead(p, r, a->n - i < WINDOW ? a->n - i :
			    WINDOW, guess);
		put_row(p, find(p, a, r, guess[i % WINDOW]),
		    &(struct people_row){ r->group, a->x + i * k, r->w });
	}
	arrivals_empty(a);
}

static void
set_far(struct arrivals *a, struct arrival *row, struct label id)
{
	if (a->far_room - a->far_used < id.len) {
		a->far_room = 2 * (a->far_room + id.len);
		a->far = err_alloc(a->far, a->far_room, 1);
	}
	row->far = a->far_used;
	memcpy(a->far + row->far, id.text, id.len);
	a->far_used += id.len;
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
	r->len = (uint32_t)id.len;
	r->far = 0;
	r->group = (uint32_t)row->group;
	r->w = row->x != NULL ? row->w : 0;
	if (id_far(&r->id))
		set_far(a, r, id);
	for (size_t i = 0; row->x != NULL && i < k; i++)
		a->x[a->n * k + i] = row->x[i];
	a->n++;
}

void
arrivals_empty(struct arrivals *a)
{
	a->n = a->far_used = 0;
}

void
arrivals_free(struct arrivals *a)
{
	free(a->row);
	free(a->x);
	free(a->far);
}

void
people_add(struct people *p, struct label id, const struct people_row *row)
{
	if (p->rule.sorted) {
		put_row(p, find_sorted(p, id), row);
		return;
	}
	arrivals_add(&p->waiting, p, id, row);
	if (p->waiting.n == WINDOW)
		people_put(p, &p->waiting);
}

uint64_t
people_end(struct people *p)
{
	people_put(p, &p->waiting);
	give_all(p);
	return p->done;
}

uint64_t
people_count(struct people *p)
{
	people_put(p, &p->waiting);
	return p->done + p->persons;
}

uint64_t
people_largest(const struct people *p, uint64_t *several)
{
	*several = p->several;
	return p->largest;
}

void
people_free(struct people *p)
{
	if (p == NULL)
		return;
	free((char *)p->latest.text);
	arrivals_free(&p->waiting);
	if (logs(p))
		rows_close(&p->rows);
	free(p->shares.row);
	free(p->shares.x);
	ids_close(&p->ids);
	free(p->x);
	free(p);
}
