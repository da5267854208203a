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

#define WINDOW 64	/* rows whose memory is asked for at once */
#define NOBODY UINT32_MAX	/* a group: there was no row */

/*
 * A person, as ids finds it.  Without groups, what becomes of one number is
 * kept in here as long as it fits; all else is in parts.
 */
struct person {
	struct id id;
	uint32_t number;	/* in the log, or of the first part; 0: none */
	union {
		uint32_t rows;	/* without parts */
		uint32_t group;	/* the least, of one without a logged row */
	};
	int64_t sum;		/* or value; absent if all have parts or logs */
};

/* What is known of one person's rows in one group. */
struct part {
	uint64_t rows;		/* good ones, by weight; saturates */
	uint32_t group;
	uint32_t next;		/* part of the same person, 0: no more */
	i128 sum[];		/* k of them: sums, or values */
};

/* w is 0 for a bad row, which is as good as none */
struct arrival {
	struct id id;		/* of a long one: where it is among these */
	uint64_t w;
	uint32_t hash, group;
};

struct people {
	struct people_rule rule;
	bool logs, small;	/* rows are kept; may be without parts */
	struct ids ids;
	struct pool parts;
	struct arrivals waiting;
	struct rows rows;
	int64_t *x;		/* k numbers to hand over */
	uint64_t done;		/* handed over, */
	struct people_facts facts;	/* and of these */
	struct text latest;	/* --unit-sorted: the id before, */
	bool by_bytes, by_number;	/* and how ids ascended so far */
};

static struct person *
person_at(const struct people *p, size_t i)
{
	return pool_at(&p->ids.records, i);
}

struct people *
people_new(const struct people_rule *rule)
{
	struct people *p = err_alloc(NULL, 1, sizeof(*p));
	uint64_t key[2];
	unsigned char *byte = (unsigned char *)key;

	*p = (struct people){ .rule = *rule, .by_bytes = true,
	    .by_number = true, .logs = rule->per == PER_SHARE ||
	    rule->per == PER_ROWS };
	if (rule->k == 0 && !rule->groups && rule->per == PER_ANY)
		p->rule.per = PER_COUNT;	/* any row is nothing */
	p->small = rule->k <= 1 && !rule->groups && !p->logs;
	for (size_t i = 0; i < sizeof(key); i++)
		byte[i] = (unsigned char)rng_byte(rule->rng);
	ids_open(&p->ids, key, p->small ? sizeof(struct person) :
	    offsetof(struct person, sum));
	pool_open(&p->parts, sizeof(struct part) + rule->k * sizeof(i128));
	rows_open(&p->rows, rule->k, rule->groups, rule->weighted);
	p->x = err_alloc(NULL, rule->k, sizeof(*p->x));
	return p;
}

/* A part without rows, and its number. */
static struct part *
new_part(struct people *p, uint32_t group, uint32_t *number)
{
	struct part *q;

	*number = pool_take(&p->parts, 1);
	q = pool_at(&p->parts, *number);
	memset(q, 0, p->parts.unit);
	q->group = group;
	return q;
}

/* The person's part for this group; without a good row, the least one. */
static struct part *
part_of(struct people *p, const struct person *person, uint32_t group)
{
	struct part *q = pool_at(&p->parts, person->number);

	if (q->group == NOBODY || p->rule.per == PER_ANY) {
		if (q->rows == 0 && group < q->group)
			q->group = group;
		return q;
	}
	for (; q->group != group; q = pool_at(&p->parts, q->next))
		if (q->next == 0)
			return new_part(p, group, &q->next);
	return q;
}

/*
 * PER_ANY: the row that came last is taken with probability w / rows, which
 * leaves every unit of weight so far the same chance.  Rows stop at INT64_MAX,
 * so that sums stay below 2^125; give() takes none that then hang on the order.
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
		    (per == PER_MIN) == (x < q->sum[i]))
			q->sum[i] = x;
	}
}

/* A row of a person without parts; false where it does not fit. */
static inline bool
add_small(const struct people *p, struct person *q,
    const struct people_row *row)
{
	enum per per = p->rule.per;
	int64_t x = p->rule.k > 0 ? row->x[0] : 0, sum = q->sum;
	uint32_t rows;

	if (q->number != 0 || row->w > UINT32_MAX ||
	    __builtin_add_overflow(q->rows, (uint32_t)row->w, &rows))
		return false;
	if (per <= PER_COUNT) {
		if (__builtin_mul_overflow(x, (int64_t)row->w, &x) ||
		    __builtin_add_overflow(x, sum, &sum))
			return false;
	} else if (per == PER_ANY ? rng_coin(p->rule.rng, row->w, rows) :
	    q->rows == 0 || (per == PER_MIN) == (x < sum))
		sum = x;
	q->rows = rows;
	q->sum = sum;
	return true;
}

/*
 * What a person has who has no number: one of the log, who belongs to no group
 * yet, or a first part, with the rows so far.
 */
static void
number(struct people *p, struct person *q)
{
	struct part *part;

	if (p->logs) {
		q->number = (uint32_t)p->ids.records.n - 1;
		q->group = NOBODY;
		return;
	}
	part = new_part(p, p->small ? 0 : NOBODY, &q->number);
	part->rows = q->rows;
	if (p->small && p->rule.k > 0)
		part->sum[0] = q->sum;
}

static int64_t
value(const struct people *p, uint64_t rows, i128 sum)
{
	i128 x = p->rule.per == PER_COUNT ? (i128)rows :
	    p->rule.per == PER_MEAN ? fixed_div(sum, (i128)rows,
	    FIXED_NEAREST) : sum;

	x = x > FIXED_MAX ? FIXED_MAX : x;
	return x < -FIXED_MAX ? -FIXED_MAX : (int64_t)x;
}

/* INT64_MAX rows or more, in whatever order, are as good as none. */
static inline void
give(struct people *p, const struct part *q, const i128 *sum, uint64_t rows)
{
	bool good = q->rows > 0 && q->rows < INT64_MAX;
	struct people_facts *f = &p->facts;

	f->largest = rows > f->largest ? rows : f->largest;
	if (p->rule.most > 0 && rows > p->rule.most)
		f->cut += rows - p->rule.most;
	for (size_t i = 0; good && i < p->rule.k; i++)
		p->x[i] = value(p, q->rows, sum[i]);
	p->rule.give(p->rule.arg, q->group, good ? p->x : NULL, 1);
}

/*
 * A person with rows in several groups belongs to the one with most of them,
 * the first of these in the order of the groups, and only its rows count.
 */
static void
give_parts(struct people *p, const struct part *q)
{
	const struct part *best = q;
	uint64_t rows = q->rows;
	size_t groups = rows > 0;

	while (q->next != 0) {
		q = pool_at(&p->parts, q->next);
		rows += q->rows;
		groups += q->rows > 0;
		if (best->rows < q->rows || (q->rows == best->rows &&
		    q->group < best->group))
			best = q;
	}
	p->facts.several += groups > 1;
	give(p, best, best->sum, rows);
}

/*
 * A person with more weight than --max-rows has a draw of its own, whose law
 * depends on that weight alone.
 */
static void
give_logged(struct people *p, size_t i)
{
	bool share = p->rule.per == PER_SHARE;
	uint64_t total, most = p->rule.most;
	struct shares s;

	if (i == 1 || i % CROWD == 0)
		rows_get(&p->rows, i / CROWD, p->ids.records.n);
	s = rows_of(&p->rows, i);
	p->facts.largest = s.n > p->facts.largest ? s.n : p->facts.largest;
	total = s.n == 0 ? 0 : shares_order(&s);
	if (s.n == 0)
		p->rule.give(p->rule.arg, person_at(p, i)->group, NULL,
		    share ? p->rule.whole : 1);
	else if (share)
		shares_set(&s, total, p->rule.whole, total / 2);
	else if (total > most)
		shares_set(&s, total, most, rng_below(p->rule.rng, total));
	for (i = 0; i < s.n; i++)
		if (s.row[i].w > 0)
			p->rule.give(p->rule.arg, s.row[i].group,
			    s.row[i].x, s.row[i].w);
}

static void
give_person(struct people *p, const struct person *q)
{
	struct part all = { .rows = q->rows };
	i128 sum = p->small ? q->sum : 0;

	if (q->number != 0)
		give_parts(p, pool_at(&p->parts, q->number));
	else
		give(p, &all, &sum, q->rows);
}

/* Hands over everybody in memory, and forgets them. */
static void
give_all(struct people *p)
{
	for (size_t i = 1; i < p->ids.records.n; i++)
		if (p->logs)
			give_logged(p, i);
		else
			give_person(p, person_at(p, i));
	p->done += p->ids.records.n - 1;
	pool_clear(&p->ids.records);	/* no id will come back */
	pool_clear(&p->parts);
	pool_clear(&p->rows.chunks);
	pool_clear(&p->rows.logs);
}

/*
 * --unit-sorted: ids ascend strictly from person to person in one of two
 * orders, so none of them comes back.  In constant memory nothing less would
 * show it.
 */
static struct person *
find_sorted(struct people *p, struct label id)
{
	struct label before = { p->latest.buf, p->latest.len };
	bool first = p->ids.records.n == 1;

	if (!first && id_by_bytes(before, id) == 0)
		return person_at(p, 1);
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
	return person_at(p, ids_other(&p->ids));
}

/* Where the length and the text of a long id are, or nothing. */
static inline struct label
far_text(const struct arrivals *a, const struct id *id)
{
	const char *at;
	size_t len;

	if (!id_far(id))
		return (struct label){ NULL, 0 };
	at = a->far.buf + (id->word[1] - ID_FAR);
	memcpy(&len, at, sizeof(len));
	return (struct label){ at + sizeof(len), len };
}

static __attribute__((noinline)) void
put_large(struct people *p, struct person *q, const struct people_row *row,
    bool good)
{
	uint32_t group = (uint32_t)row->group;
	struct part *part;

	if (q->number == 0)
		number(p, q);
	if (!p->logs) {
		part = part_of(p, q, group);
		if (good)
			add_row(p, part, row);
	} else if (good)
		rows_add(&p->rows, q->number, &(struct share){ row->x, group,
		    row->w });
	else if (group < q->group)
		q->group = group;
}

static inline void
put_row(struct people *p, struct person *q, const struct people_row *row)
{
	bool good = row->x != NULL && row->w > 0;

	if (!p->small || (good && !add_small(p, q, row)))
		put_large(p, q, row, good);
}

/*
 * With many people each row needs memory that is far from that of the one
 * before it: it is asked for when the rows of a window have come and used
 * when all of it is on its way, first the slots, then the records that these
 * lead to.
 */
static void
look_ahead(const struct people *p, const struct arrival *row, size_t n,
    struct person *guess[WINDOW])
{
	for (size_t i = 0; i < n; i++)
		__builtin_prefetch(&p->ids.slot[ids_slot(&p->ids,
		    row[i].hash)]);
	for (size_t i = 0; i < n; i++) {
		uint32_t at = ids_guess(&p->ids, row[i].hash);

		guess[i] = at == 0 ? NULL : person_at(p, at);
		__builtin_prefetch(guess[i], 1);
	}
}

void
people_put(struct people *p, struct arrivals *a)
{
	struct person *guess[WINDOW], *q;
	const struct arrival *r;
	struct label text;

	for (size_t i = 0; i < a->n; i++) {
		r = &a->row[i];
		if (i % WINDOW == 0)
			look_ahead(p, r, a->n - i < WINDOW ? a->n - i :
			    WINDOW, guess);
		text = far_text(a, &r->id);
		/* NOLINTNEXTLINE(clang-analyzer-*): look_ahead did it */
		q = guess[i % WINDOW];
		if (q == NULL || !ids_same(&p->ids, &q->id, &r->id, text))
			q = person_at(p, ids_find(&p->ids, &r->id, r->hash,
			    text));
		put_row(p, q, &(struct people_row){ r->group, a->x + i *
		    p->rule.k, r->w });
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
		put_row(p, find_sorted(p, id), row);
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
	return p->done;
}

uint64_t
people_count(struct people *p)
{
	people_put(p, &p->waiting);
	return p->done + p->ids.records.n - 1;
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
	pool_close(&p->parts);
	ids_close(&p->ids);
	free(p->x);
	free(p);
}
