/*
 * people: the rows of each person become that person's record, or records.
 *
 * PER_SUM to PER_ANY keep one accumulator for each person (and group) and
 * hand it over at the end.  PER_SHARE and PER_ROWS need all rows of a person
 * at once: rows are logged with their person's number and brought together at
 * the end.  With --unit-sorted there is never more than one person.
 */
#include "people.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "ids.h"
#include "keyed.h"
#include "shares.h"
#include "tool/err.h"

#define MOST (UINT32_MAX - 1)	/* parts */
#define PAGE 4096
#define LARGE ((size_t)1 << 22)	/* fewer bytes are not worth it */

/* What is known of one person's rows in one group. */
struct part {
	struct id id;		/* ID_NONE: not the first of a person */
	uint64_t rows;		/* good ones, by weight; saturates */
	uint32_t group;
	uint32_t next;		/* part of the same person, 0: no more */
	i128 sum[];		/* k of them: sums, or values */
};

/*
 * A row that waits until WAIT of them are there.  The memory that a row needs
 * is asked for when it comes and used when all have come: with many people
 * each row is elsewhere, and this hides most of the way to it.
 */
#define WAIT 64

struct wait {
	struct id id;
	uint64_t hash;
	uint64_t w;
	size_t far, len;	/* place of a far id among those that wait */
	uint32_t group;
	bool good;
};

struct people {
	struct people_rule rule;
	struct keyed key;
	/* part 0 is not used, so that 0 is nobody */
	char *parts;
	size_t stride, n, cap;
	uint64_t *slot;		/* high half of the hash, part of the person */
	size_t mask;
	size_t persons;		/* in memory */
	struct wait wait[WAIT];
	size_t waits;
	int64_t *wait_x;
	char *far;		/* their far ids */
	size_t far_used, far_room;
	struct rows log;
	int64_t *x;		/* k numbers to hand over */
	uint64_t done, largest;	/* people handed over, rows of the largest */
	struct label latest;	/* --unit-sorted: the id before, */
	size_t latest_room;
	bool by_bytes, by_number;	/* and how ids ascended so far */
};

static struct part *
part_at(const struct people *p, size_t i)
{
	return (void *)(p->parts + i * p->stride);
}

static bool
logs(const struct people *p)
{
	return p->rule.per == PER_SHARE || p->rule.per == PER_ROWS;
}

/*
 * Many people are many pages, each visited at random: large ones save most
 * of the time that looking up addresses takes.  Without them all is the same.
 */
static void
ask_large_pages(void *room, size_t bytes)
{
	uintptr_t from = ((uintptr_t)room + PAGE - 1) / PAGE * PAGE;
	uintptr_t to = ((uintptr_t)room + bytes) / PAGE * PAGE;

	if (bytes >= LARGE)
		madvise((void *)from, to - from, MADV_HUGEPAGE);
}

struct people *
people_new(const struct people_rule *rule)
{
	struct people *p = err_alloc(NULL, 1, sizeof(*p));
	unsigned char *key = (unsigned char *)p->key.key;

	*p = (struct people){ .rule = *rule, .mask = 1023, .n = 1,
	    .by_bytes = true, .by_number = true, .log = { .k = rule->k,
	    .groups = rule->groups, .weighted = rule->weighted } };
	for (size_t i = 0; i < sizeof(p->key.key); i++)
		key[i] = (unsigned char)rng_byte(rule->rng);
	p->stride = sizeof(struct part) +
	    (logs(p) ? 0 : rule->k * sizeof(i128));
	p->slot = err_alloc(NULL, p->mask + 1, sizeof(*p->slot));
	memset(p->slot, 0, (p->mask + 1) * sizeof(*p->slot));
	p->x = err_alloc(NULL, rule->k, sizeof(*p->x));
	p->wait_x = err_alloc(NULL, WAIT * rule->k, sizeof(*p->x));
	return p;
}

/* A new part; pointers to others do not outlive this. */
static size_t
new_part(struct people *p)
{
	if (p->n > MOST)
		die(STATUS_INPUT, "out of memory");
	if (p->n >= p->cap) {
		p->cap = p->cap < 64 ? 64 : p->cap + p->cap / 2;
		p->parts = err_alloc(p->parts, p->cap, p->stride);
		ask_large_pages(p->parts, p->cap * p->stride);
	}
	memset(part_at(p, p->n), 0, p->stride);
	return p->n++;
}

static void
put_slot(struct people *p, uint64_t entry)
{
	size_t at = (size_t)(entry >> 32) & p->mask;

	while (p->slot[at] != 0)
		at = (at + 1) & p->mask;
	p->slot[at] = entry;
}

/* The place of a slot follows from its own bits, so no id is hashed again. */
static void
grow_slots(struct people *p)
{
	uint64_t *old = p->slot;
	size_t n = p->mask + 1;

	if (p->mask >= UINT32_MAX)
		die(STATUS_INPUT, "out of memory");
	p->mask = 2 * p->mask + 1;
	p->slot = err_alloc(NULL, p->mask + 1, sizeof(*p->slot));
	ask_large_pages(p->slot, (p->mask + 1) * sizeof(*p->slot));
	memset(p->slot, 0, (p->mask + 1) * sizeof(*p->slot));
	for (size_t i = 0; i < n; i++)
		if (old[i] != 0)
			put_slot(p, old[i]);
	free(old);
}

static size_t
new_person(struct people *p, struct label text)
{
	size_t i = new_part(p);

	part_at(p, i)->id = id_store(text);
	p->persons++;
	part_at(p, i)->group = UINT32_MAX;
	return i;
}

/* The first part of the person with this id, old or new. */
static size_t
find(struct people *p, const struct wait *row)
{
	struct label text = { row->id.text, row->len };
	uint64_t entry, tag = row->hash >> 32;
	size_t at = (size_t)tag & p->mask, new;

	if (row->id.len == ID_FAR)
		text.text = p->far + row->far;
	for (; (entry = p->slot[at]) != 0; at = (at + 1) & p->mask)
		if (entry >> 32 == tag && id_same(&part_at(p,
		    (uint32_t)entry)->id, &row->id, text))
			return (uint32_t)entry;
	new = new_person(p, text);
	p->slot[at] = tag << 32 | new;
	if (p->persons > p->mask / 4 * 3)
		grow_slots(p);
	return new;
}

/* The person's part for this group; without a good row, the least one. */
static struct part *
part_of(struct people *p, size_t person, uint32_t group)
{
	struct part *q = part_at(p, person);
	size_t new;

	if (q->group == UINT32_MAX || p->rule.per == PER_ANY || logs(p)) {
		if (q->rows == 0 && group < q->group)
			q->group = group;
		return q;
	}
	for (; q->group != group; q = part_at(p, q->next))
		if (q->next == 0) {
			size_t at = (size_t)((char *)q - p->parts) / p->stride;

			new = new_part(p);
			part_at(p, at)->next = (uint32_t)new;
			q = part_at(p, new);
			q->id.len = ID_NONE;
			q->group = group;
			return q;
		}
	return q;
}

/*
 * PER_ANY: the row that came last is taken with probability w / rows, which
 * leaves every unit of weight so far the same chance.
 */
static void
add_row(struct people *p, struct part *q, const struct people_row *row)
{
	enum per per = p->rule.per;

	q->rows = q->rows > INT64_MAX - row->w ? INT64_MAX :
	    q->rows + row->w;
	if (per == PER_ANY) {
		if (!rng_coin(p->rule.rng, row->w, q->rows))
			return;
		q->group = (uint32_t)row->group;
	}
	for (size_t i = 0; i < p->rule.k; i++) {
		i128 x = row->x[i];

		if (per == PER_SUM || per == PER_MEAN)
			q->sum[i] = fixed_add_sat(q->sum[i],
			    x * (i128)row->w);
		else if (per == PER_ANY || q->rows == row->w ||
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
give_person(struct people *p, size_t person)
{
	const struct part *q = part_at(p, person), *best = q;
	uint64_t rows = q->rows;

	while (q->next != 0) {
		q = part_at(p, q->next);
		rows += q->rows;
		if (best->rows < q->rows || (q->rows == best->rows &&
		    q->group < best->group))
			best = q;
	}
	p->largest = rows > p->largest ? rows : p->largest;
	for (size_t i = 0; best->rows > 0 && i < p->rule.k; i++)
		p->x[i] = value(p, best, i);
	p->rule.give(p->rule.arg, best->group, best->rows > 0 ? p->x : NULL,
	    1);
}

static void
give_rows(struct people *p, size_t person, struct shares *s)
{
	const struct part *q = part_at(p, person);

	p->largest = s->n > p->largest ? s->n : p->largest;
	if (s->n == 0) {
		p->rule.give(p->rule.arg, q->group, NULL,
		    p->rule.per == PER_SHARE ? PER_WHOLE : 1);
		return;
	}
	if (p->rule.per == PER_SHARE)
		shares_set(s, PER_WHOLE);
	else
		shares_keep(s, p->rule.most, &p->key, id_text(&q->id));
	for (size_t i = 0; i < s->n; i++)
		if (s->row[i].w > 0)
			p->rule.give(p->rule.arg, s->row[i].group,
			    s->row[i].x, s->row[i].w);
}

static void
give_logged(struct people *p)
{
	struct shares s = { NULL, 0, p->rule.k };
	size_t room = 0;

	rows_gather(&p->log, p->n);
	for (size_t i = 1; i < p->n; i++) {
		s.n = rows_count(&p->log, i);
		if (s.n > room) {
			room = 2 * s.n;
			s.row = err_alloc(s.row, room, sizeof(*s.row));
		}
		for (size_t j = 0; j < s.n; j++)
			s.row[j] = rows_get(&p->log, i, j);
		give_rows(p, i, &s);
	}
	free(s.row);
	rows_clear(&p->log);
}

static void
forget_ids(struct people *p)
{
	for (size_t i = 1; i < p->n; i++)
		id_free(&part_at(p, i)->id);
}

/* Hands over everybody in memory, and forgets them. */
static void
give_all(struct people *p)
{
	if (logs(p))
		give_logged(p);
	for (size_t i = 1; !logs(p) && i < p->n; i++)
		if (part_at(p, i)->id.len != ID_NONE)
			give_person(p, i);
	forget_ids(p);
	p->done += p->persons;
	p->persons = 0;
	p->n = 1;
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

/*
 * --unit-sorted: ids ascend strictly from person to person in one of two
 * orders, so none of them comes back.  In constant memory nothing less would
 * show it.
 */
static size_t
find_sorted(struct people *p, struct label id)
{
	if (p->latest.text != NULL && id_by_bytes(p->latest, id) == 0)
		return 1;
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
	return new_person(p, id);
}

static void
put_row(struct people *p, size_t person, const struct people_row *row)
{
	struct part *q = part_of(p, person, (uint32_t)row->group);
	struct share r = { row->x, (uint32_t)row->group, row->w, 0 };

	if (row->x == NULL || row->w == 0)
		return;
	if (logs(p))
		rows_add(&p->log, (uint32_t)person, &r);
	else
		add_row(p, q, row);
}

static void
put_waiting(struct people *p)
{
	struct people_row row;
	size_t i;

	for (i = 0; i < p->waits; i++) {
		const char *part = (char *)part_at(p, (uint32_t)p->slot[
		    (size_t)(p->wait[i].hash >> 32) & p->mask]);

		__builtin_prefetch(part, 1);
		__builtin_prefetch(part + p->stride - 1, 1);
	}
	for (i = 0; i < p->waits; i++) {
		const struct wait *w = &p->wait[i];

		row = (struct people_row){ w->group, w->good ? p->wait_x + i *
		    p->rule.k : NULL, w->w };
		put_row(p, find(p, w), &row);
	}
	p->waits = p->far_used = 0;
}

static void
set_far(struct people *p, struct wait *w, struct label id)
{
	if (p->far_room - p->far_used < id.len) {
		p->far_room = 2 * (p->far_room + id.len);
		p->far = err_alloc(p->far, p->far_room, 1);
	}
	w->far = p->far_used;
	memcpy(p->far + w->far, id.text, id.len);
	p->far_used += id.len;
}

void
people_add(struct people *p, struct label id, const struct people_row *row)
{
	struct wait *w = &p->wait[p->waits];

	if (p->rule.sorted) {
		put_row(p, find_sorted(p, id), row);
		return;
	}
	*w = (struct wait){ .id = id_of(id), .len = id.len, .w = row->w,
	    .group = (uint32_t)row->group, .good = row->x != NULL,
	    .hash = keyed_hash(&p->key, id.text, id.len) };
	__builtin_prefetch(&p->slot[(size_t)(w->hash >> 32) & p->mask]);
	if (w->id.len == ID_FAR)
		set_far(p, w, id);
	if (w->good && p->rule.k > 0)
		memcpy(p->wait_x + p->waits * p->rule.k, row->x,
		    p->rule.k * sizeof(*row->x));
	if (++p->waits == WAIT)
		put_waiting(p);
}

uint64_t
people_end(struct people *p)
{
	put_waiting(p);
	give_all(p);
	return p->done;
}

uint64_t
people_count(struct people *p)
{
	put_waiting(p);
	return p->done + p->persons;
}

uint64_t
people_largest(const struct people *p)
{
	return p->largest;
}

void
people_free(struct people *p)
{
	if (p == NULL)
		return;
	forget_ids(p);
	free((char *)p->latest.text);
	rows_free(&p->log);
	free(p->parts);
	free(p->slot);
	free(p->x);
	free(p->wait_x);
	free(p->far);
	free(p);
}
