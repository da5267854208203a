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

#include "keyed.h"
#include "tool/err.h"

#define NEAR 15			/* bytes of an id that need no room apart */
#define FAR 16			/* lengths that mean something else */
#define NO_ID 17
#define MOST (UINT32_MAX - 1)	/* parts, and logged rows */
#define BLOCK 65536		/* bytes of long ids that are gathered */

/* An id of up to NEAR bytes, zeros after it; else where it is, with length. */
struct id {
	unsigned char len;	/* FAR: the text is apart; NO_ID: there is none */
	char text[NEAR];
};

/* What is known of one person's rows in one group. */
struct part {
	struct id id;		/* NO_ID: not the first part of a person */
	uint64_t rows;		/* good ones, by weight; saturates */
	uint32_t group;
	uint32_t next;		/* part of the same person, 0: no more */
	i128 sum[];		/* k of them: sums, or values */
};

/* The rows of all people, as they came. */
struct log {
	uint32_t *who;
	uint32_t *group;
	uint64_t *w;
	int64_t *x;
	size_t n, cap;
};

/*
 * A row that waits until WAIT of them are there.  The memory that a row needs
 * is asked for when it comes and used when all have come: with many people
 * each row is elsewhere, and this hides most of the way to it.
 */
#define WAIT 32

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
	char *block;		/* long ids; its first bytes lead to the one
				   before */
	size_t used, room;
	struct log log;
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

struct people *
people_new(const struct people_rule *rule)
{
	struct people *p = err_alloc(NULL, 1, sizeof(*p));
	unsigned char *key = (unsigned char *)p->key.key;

	*p = (struct people){ .rule = *rule, .mask = 1023, .n = 1,
	    .by_bytes = true, .by_number = true };
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
	}
	memset(part_at(p, p->n), 0, p->stride);
	return p->n++;
}

/* Room for len bytes that stay where they are. */
static char *
keep(struct people *p, size_t len)
{
	char *block = p->block;

	if (p->room - p->used < len) {
		p->room = sizeof(block) + (len > BLOCK ? len : BLOCK);
		p->used = sizeof(block);
		p->block = err_alloc(NULL, p->room, 1);
		memcpy(p->block, &block, sizeof(block));
	}
	p->used += len;
	return p->block + p->used - len;
}

static void
forget_ids(struct people *p)
{
	char *before;

	for (; p->block != NULL; p->block = before) {
		memcpy(&before, p->block, sizeof(before));
		free(p->block);
	}
	p->used = p->room = 0;
}

static struct label
id_text(const struct id *id)
{
	struct label far = { id->text, id->len };

	if (id->len == FAR) {
		memcpy(&far.text, id->text, sizeof(far.text));
		memcpy(&far.len, far.text, sizeof(far.len));
		far.text += sizeof(far.len);
	}
	return far;
}

/* A far id that is not stored: only to be compared with others. */
static struct id
id_of(struct label text)
{
	struct id id = { 0 };

	if (text.len > NEAR) {
		id.len = FAR;
		return id;
	}
	id.len = (unsigned char)text.len;
	memcpy(id.text, text.text, text.len);
	return id;
}

static void
store_id(struct people *p, struct id *id, struct label text)
{
	char *to;

	*id = id_of(text);
	if (id->len <= NEAR)
		return;
	to = keep(p, sizeof(text.len) + text.len);
	memcpy(to, &text.len, sizeof(text.len));
	memcpy(to + sizeof(text.len), text.text, text.len);
	memcpy(id->text, &to, sizeof(to));
}

static bool
same(const struct id *have, const struct id *want, struct label text)
{
	struct label far;

	if (have->len != want->len)
		return false;
	if (want->len <= NEAR)
		return memcmp(have, want, sizeof(*have)) == 0;
	far = id_text(have);
	return far.len == text.len && memcmp(far.text, text.text, far.len) ==
	    0;
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

	store_id(p, &part_at(p, i)->id, text);
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

	if (row->id.len == FAR)
		text.text = p->far + row->far;
	for (; (entry = p->slot[at]) != 0; at = (at + 1) & p->mask)
		if (entry >> 32 == tag && same(&part_at(p,
		    (uint32_t)entry)->id, &row->id, text))
			return (uint32_t)entry;
	new = new_person(p, text);
	p->slot[at] = tag << 32 | new;
	if (p->persons > p->mask / 4 * 3)
		grow_slots(p);
	return new;
}

/* The person's part for this group. */
static struct part *
part_of(struct people *p, size_t person, uint32_t group)
{
	struct part *q = part_at(p, person);
	size_t new;

	if (q->group == UINT32_MAX || p->rule.per == PER_ANY || logs(p)) {
		q->group = q->group == UINT32_MAX ? group : q->group;
		return q;
	}
	for (; q->group != group; q = part_at(p, q->next))
		if (q->next == 0) {
			size_t at = (size_t)((char *)q - p->parts) / p->stride;

			new = new_part(p);
			part_at(p, at)->next = (uint32_t)new;
			q = part_at(p, new);
			q->id.len = NO_ID;
			q->group = group;
			return q;
		}
	return q;
}

static void
log_row(struct people *p, size_t person, const struct people_row *row)
{
	struct log *l = &p->log;
	size_t k = p->rule.k;

	if (l->n > MOST)
		die(STATUS_INPUT, "out of memory");
	if (l->n == l->cap) {
		l->cap = l->cap < 64 ? 64 : l->cap + l->cap / 2;
		l->who = err_alloc(l->who, l->cap, sizeof(*l->who));
		l->x = err_alloc(l->x, l->cap * k, sizeof(*l->x));
		if (p->rule.groups)
			l->group = err_alloc(l->group, l->cap,
			    sizeof(*l->group));
		if (p->rule.weighted)
			l->w = err_alloc(l->w, l->cap, sizeof(*l->w));
	}
	l->who[l->n] = (uint32_t)person;
	if (k > 0)
		memcpy(l->x + l->n * k, row->x, k * sizeof(*l->x));
	if (p->rule.groups)
		l->group[l->n] = (uint32_t)row->group;
	if (p->rule.weighted)
		l->w[l->n] = row->w;
	l->n++;
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

/* floor(sum / n + 1/2) */
static i128
mean(i128 sum, uint64_t n)
{
	i128 down = fixed_floor_div(sum, (i128)n);

	return down + (2 * (sum - down * (i128)n) >= (i128)n);
}

static int64_t
value(const struct people *p, const struct part *q, size_t i)
{
	i128 x = p->rule.per == PER_COUNT ? (i128)q->rows :
	    p->rule.per == PER_MEAN ? mean(q->sum[i], q->rows) : q->sum[i];

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
		if (q->rows > best->rows || (q->rows == best->rows &&
		    q->group < best->group))
			best = q;
	}
	p->largest = rows > p->largest ? rows : p->largest;
	for (size_t i = 0; best->rows > 0 && i < p->rule.k; i++)
		p->x[i] = value(p, best, i);
	p->rule.give(p->rule.arg, best->group, best->rows > 0 ? p->x : NULL,
	    1);
}

/* A logged row on its way to be handed over. */
struct line {
	const struct log *log;
	size_t k;
	uint32_t at;		/* in the log */
	uint64_t w;		/* as logged, then to be handed over */
	u128 rank;		/* of equal ones the first in order of value */
};

/* Order of value: by the numbers, then by the group, then by the weight. */
static int
by_value(const void *a, const void *b)
{
	const struct line *l = a, *m = b;
	const int64_t *x = l->log->x + l->at * l->k;
	const int64_t *y = m->log->x + m->at * m->k;
	const uint32_t *g = l->log->group;

	for (size_t i = 0; i < l->k; i++)
		if (x[i] != y[i])
			return x[i] < y[i] ? -1 : 1;
	if (g != NULL && g[l->at] != g[m->at])
		return g[l->at] < g[m->at] ? -1 : 1;
	return (l->w > m->w) - (l->w < m->w);
}

/* Lines that by_value cannot tell apart are equal in all that is given. */
static int
by_rank(const void *a, const void *b)
{
	const struct line *l = a, *m = b;

	if (l->rank != m->rank)
		return l->rank < m->rank ? -1 : 1;
	return by_value(a, b);
}

/*
 * Shares W w_i / T of the whole W, T the total of the w_i, rounded down; what
 * is left goes one by one to those that lost most by it.  They add up to W,
 * and no order of the rows enters.
 */
static void
set_shares(struct line *line, size_t n)
{
	uint64_t left = PER_WHOLE;
	u128 total = 0;

	for (size_t i = 0; i < n; i++)
		total += line[i].w;
	for (size_t i = 0; i < n; i++)
		line[i].rank = total - (u128)line[i].w * PER_WHOLE % total;
	qsort(line, n, sizeof(*line), by_rank);
	for (size_t i = 0; i < n; i++) {
		line[i].w = (uint64_t)((u128)line[i].w * PER_WHOLE /
		    total);
		left -= line[i].w;
	}
	for (size_t i = 0; left > 0; i++, left--)
		line[i].w++;
}

/*
 * The hash of the person, of the row and of its number among equal rows: all
 * subsets of `most` rows are as likely as a random function makes them.
 */
static void
set_hashes(struct people *p, const struct id *id, struct line *line, size_t n)
{
	struct label who = id_text(id);
	size_t row = p->rule.k * sizeof(int64_t), equal = 0;
	uint32_t group = 0;
	char *bytes = err_alloc(NULL, who.len + row + 12, 1), *at;

	memcpy(bytes, who.text, who.len);
	qsort(line, n, sizeof(*line), by_value);
	for (size_t i = 0; i < n; i++) {
		equal = i > 0 && by_value(&line[i - 1], &line[i]) == 0 ?
		    equal + 1 : 0;
		if (line[i].log->group != NULL)
			group = line[i].log->group[line[i].at];
		at = bytes + who.len;
		if (row > 0)
			memcpy(at, line[i].log->x + line[i].at * line[i].k,
			    row);
		memcpy(at + row, &group, 4);
		memcpy(at + row + 4, &equal, 8);
		line[i].rank = keyed_hash(&p->key, bytes, who.len + row + 12);
	}
	free(bytes);
	qsort(line, n, sizeof(*line), by_rank);
}

static void
give_lines(struct people *p, size_t person, struct line *line, size_t n)
{
	const struct part *q = part_at(p, person);

	p->largest = n > p->largest ? n : p->largest;
	if (n == 0) {
		p->rule.give(p->rule.arg, q->group, NULL,
		    p->rule.per == PER_SHARE ? PER_WHOLE : 1);
		return;
	}
	if (p->rule.per == PER_SHARE)
		set_shares(line, n);
	else if (n > p->rule.most) {
		set_hashes(p, &q->id, line, n);
		n = (size_t)p->rule.most;
	}
	for (size_t i = 0; i < n; i++)
		if (line[i].w > 0)
			p->rule.give(p->rule.arg, p->log.group == NULL ? 0 :
			    p->log.group[line[i].at], p->log.x + line[i].at *
			    p->rule.k, line[i].w);
}

/* Number of each person's first logged row once they are brought together. */
static uint32_t *
starts(const struct people *p)
{
	uint32_t *start = err_alloc(NULL, p->n + 1, sizeof(*start));

	memset(start, 0, (p->n + 1) * sizeof(*start));
	for (size_t i = 0; i < p->log.n; i++)
		start[p->log.who[i] + 1]++;
	for (size_t i = 1; i <= p->n; i++)
		start[i] += start[i - 1];
	return start;
}

static void
give_logged(struct people *p)
{
	const struct log *l = &p->log;
	uint32_t *start = starts(p), *order, from = 0;
	struct line *line = NULL;
	size_t n, room = 0;

	order = err_alloc(NULL, l->n, sizeof(*order));
	for (size_t i = 0; i < l->n; i++)
		order[start[l->who[i]]++] = (uint32_t)i;
	/* now start[i] is where person i ends */
	for (size_t i = 1; i < p->n; from = start[i++]) {
		n = start[i] - from;
		if (n > room) {
			room = 2 * n;
			line = err_alloc(line, room, sizeof(*line));
		}
		for (size_t j = 0; j < n; j++)
			line[j] = (struct line){ l, p->rule.k,
			    order[from + j], l->w == NULL ? 1 :
			    l->w[order[from + j]], 0 };
		give_lines(p, i, line, n);
	}
	free(line);
	free(order);
	free(start);
}

/* Hands over everybody in memory, and forgets them. */
static void
give_all(struct people *p)
{
	if (logs(p))
		give_logged(p);
	for (size_t i = 1; !logs(p) && i < p->n; i++)
		if (part_at(p, i)->id.len != NO_ID)
			give_person(p, i);
	p->done += p->persons;
	p->persons = 0;
	p->n = 1;
	p->log.n = 0;
	forget_ids(p);
}

static int
compare_bytes(struct label a, struct label b)
{
	size_t least = a.len < b.len ? a.len : b.len;
	int c = least == 0 ? 0 : memcmp(a.text, b.text, least);

	return c != 0 ? c : (a.len > b.len) - (a.len < b.len);
}

static bool
is_whole(struct label a)
{
	for (size_t i = 0; i < a.len; i++)
		if (a.text[i] < '0' || a.text[i] > '9')
			return false;
	return a.len > 0;
}

/* Whole numbers by value, before all other ids, which go byte by byte. */
static int
compare_numbers(struct label a, struct label b)
{
	struct label x = a, y = b;
	bool whole = is_whole(a);

	if (whole != is_whole(b))
		return whole ? -1 : 1;
	if (!whole)
		return compare_bytes(a, b);
	for (; x.len > 1 && *x.text == '0'; x.text++)
		x.len--;
	for (; y.len > 1 && *y.text == '0'; y.text++)
		y.len--;
	if (x.len != y.len)
		return x.len < y.len ? -1 : 1;
	return compare_bytes(x, y) != 0 ? compare_bytes(x, y) :
	    compare_bytes(a, b);
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
	if (p->latest.text != NULL && compare_bytes(p->latest, id) == 0)
		return 1;
	if (p->latest.text != NULL) {
		p->by_bytes = p->by_bytes && compare_bytes(p->latest, id) < 0;
		p->by_number = p->by_number && compare_numbers(p->latest,
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

	if (row->x == NULL || row->w == 0)
		return;
	if (logs(p))
		log_row(p, person, row);
	else
		add_row(p, q, row);
}

static void
put_waiting(struct people *p)
{
	struct people_row row;
	size_t i;

	for (i = 0; i < p->waits; i++)
		__builtin_prefetch(part_at(p, (uint32_t)p->slot[
		    (size_t)(p->wait[i].hash >> 32) & p->mask]), 1);
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
	if (w->id.len == FAR)
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
	free(p->log.who);
	free(p->log.group);
	free(p->log.w);
	free(p->log.x);
	free(p->parts);
	free(p->slot);
	free(p->x);
	free(p->wait_x);
	free(p->far);
	free(p);
}
