/* shares: the rows of people, and what part of them is handed over. */
#include "shares.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "number/sort.h"
#include "tool/err.h"

#define ZEROS 7			/* of a number; more are digits like others */
#define NUMBER 9		/* bytes of a number at most */
#define HEAD 8U			/* bytes of a chunk's: the next one, its end */
#define CHUNK 512U		/* bytes of a chunk, but for its last row's */
#define STEP 8U			/* and what they are a multiple of */

/*
 * By the group, then by the numbers, then by the weight.  So the share of each
 * group follows from how many rows are in which: under swap that is public.
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

uint64_t
shares_order(struct shares *s)
{
	uint64_t total = 0;

	if (s->x != NULL && sort_grid(s->x, s->n))
		return s->n;
	qsort_r(s->row, s->n, sizeof(*s->row), by_value, &s->k);
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

/* --- numbers in few bytes ------------------------------------------------ */

/*
 * A head, then the low bytes of the number without its sign and zeros.  The
 * head tells how many bytes, in four bits, the sign, and how many zeros.
 * Always writes, and reads, NUMBER bytes.
 */
static inline size_t
put_number(unsigned char *to, int64_t x, unsigned zeros)
{
	uint64_t size = x < 0 ? -(uint64_t)x : (uint64_t)x, word;
	unsigned bytes = size == 0 ? 0 :
	    (71 - (unsigned)__builtin_clzll(size)) / 8;

	to[0] = (unsigned char)(bytes | (x < 0 ? 16 : 0) | zeros << 5);
	word = htole64(size);
	memcpy(to + 1, &word, sizeof(word));
	return 1 + bytes;
}

static inline size_t
get_number(const unsigned char *from, int64_t *x)
{
	unsigned bytes = from[0] & 15, zeros = from[0] >> 5;
	uint64_t word;

	memcpy(&word, from + 1, sizeof(word));
	word = le64toh(word);
	if (bytes < 8)
		word &= ((uint64_t)1 << 8 * bytes) - 1;
	word *= (uint64_t)fixed_tens[zeros];
	*x = (int64_t)((from[0] & 16) != 0 ? -word : word);
	return 1 + bytes;
}

/* --- the rows of all people ---------------------------------------------- */

void
rows_open(struct rows *r, size_t k, bool groups, bool weighted)
{
	uint32_t most = 1 + ((uint32_t)k + 2) * NUMBER;

	*r = (struct rows){ .k = k, .groups = groups, .weighted = weighted,
	    .zeros = ZEROS, .most = most, .size = (CHUNK + most) / STEP *
	    STEP };
	pool_open(&r->chunks, STEP);
	pool_open(&r->logs, sizeof(struct log));
}

void
rows_close(struct rows *r)
{
	pool_close(&r->chunks);
	pool_close(&r->logs);
	free(r->row);
	free(r->x);
}

static void
link_chunk(struct rows *r, const struct log *l, uint32_t next)
{
	uint32_t head[] = { next, l->end };

	memcpy(pool_at(&r->chunks, l->last), head, HEAD);
}

static void
new_chunk(struct rows *r, struct log *l)
{
	uint32_t chunk = pool_take(&r->chunks, r->size / STEP);

	if (l->first == 0)
		l->first = chunk;
	else
		link_chunk(r, l, chunk);
	*l = (struct log){ l->first, chunk, HEAD };
}

static inline struct log *
log_of(struct rows *r, uint32_t person)
{
	size_t i = 1 + person / CROWD;

	while (i >= r->logs.n)
		memset(pool_at(&r->logs, pool_take(&r->logs, 1)), 0,
		    sizeof(struct log));
	return pool_at(&r->logs, i);
}

/* The number without the zeros that all have: from here on fewer, maybe. */
static inline int64_t
without_zeros(struct rows *r, int64_t x)
{
	int64_t y;

	while (y = x / fixed_tens[r->zeros], y * fixed_tens[r->zeros] != x)
		r->zeros--;
	return y;
}

void
rows_add(struct rows *r, uint32_t person, const struct share *row)
{
	struct log *l = log_of(r, person);
	unsigned char *begin, *to;

	if (l->first == 0 || r->size - l->end < r->most)
		new_chunk(r, l);
	begin = pool_at(&r->chunks, l->last);
	to = begin + l->end;
	*to++ = (unsigned char)(person % CROWD);
	for (size_t i = 0; i < r->k; i++) {
		int64_t x = without_zeros(r, row->x[i]);

		to += put_number(to, x, r->zeros);
	}
	if (r->groups)
		to += put_number(to, row->group, 0);
	if (r->weighted)
		to += put_number(to, (int64_t)row->w, 0);
	l->end = (uint32_t)(to - begin);
}

/*
 * Goes through all rows of a crowd: counts those of each person, or puts them
 * behind each other.
 */
static inline __attribute__((always_inline)) void
visit(struct rows *r, const struct log *l, bool count)
{
	const unsigned char *at, *end;
	int64_t group = 0, w = 1, skipped;
	uint32_t head[] = { l->first, 0 };

	while (head[0] != 0) {
		at = pool_at(&r->chunks, head[0]);
		memcpy(head, at, HEAD);
		end = at + head[1];
		at += HEAD;
		while (at < end) {
			size_t i = r->end[*at++]++, k = r->k;

			for (size_t j = 0; j < k; j++)
				at += get_number(at, count ? &skipped :
				    &r->x[i * k + j]);
			if (r->groups)
				at += get_number(at, &group);
			if (r->weighted)
				at += get_number(at, &w);
			if (!count)
				r->row[i] = (struct share){ r->x + i * k,
				    (uint32_t)group, (uint64_t)w };
		}
	}
}

void
rows_get(struct rows *r, size_t crowd, size_t people)
{
	const struct log *l = log_of(r, (uint32_t)crowd * CROWD);
	size_t n = 0, own;

	memset(r->end, 0, sizeof(r->end));
	if (l->first != 0)
		link_chunk(r, l, 0);
	visit(r, l, true);
	for (size_t i = 0; i < CROWD && crowd * CROWD + i < people; i++) {
		own = r->end[i];
		r->end[i] = n;
		n += own;
	}
	if (n > r->room) {
		r->room = n + n / 4;
		r->row = err_alloc(r->row, r->room, sizeof(*r->row));
		r->x = err_alloc(r->x, r->room * r->k, sizeof(*r->x));
	}
	visit(r, l, false);
}
