/* shares: the rows of people, and what part of them is handed over. */
#include "shares.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "tool/err.h"

#define FEW 16			/* rows that are sorted by insertion */
#define ZEROS 13		/* of a number; more are digits like others */
#define NUMBER 9		/* bytes of a number at most */
#define LINK 4U			/* bytes of a chunk's head: the next one */
#define CHUNK 24U		/* bytes of a chunk: at least, at most */
#define CHUNK_MOST 4096U
#define STEP 8U			/* and by what they differ */

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

static inline bool
after(const struct share *a, const struct share *b, size_t *k)
{
	return *k > 0 && a->group == b->group && a->x[0] != b->x[0] ?
	    a->x[0] > b->x[0] : by_value(a, b, k) > 0;
}

uint64_t
shares_order(struct shares *s)
{
	struct share row;
	uint64_t total = 0;
	size_t i, j;

	if (s->n > FEW)
		qsort_r(s->row, s->n, sizeof(*s->row), by_value, &s->k);
	for (i = 1; i < s->n && s->n <= FEW; i++) {
		row = s->row[i];
		for (j = i; j > 0 && after(&s->row[j - 1], &row, &s->k); j--)
			s->row[j] = s->row[j - 1];
		s->row[j] = row;
	}
	for (i = 0; i < s->n; i++) {
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
 * head tells the sign, how many bytes and how many zeros: below 2 * 9 * 14.
 * Always writes, and reads, NUMBER bytes.
 */
static inline size_t
put_number(unsigned char *to, int64_t x, unsigned zeros)
{
	uint64_t size = x < 0 ? -(uint64_t)x : (uint64_t)x, word;
	unsigned bytes = size == 0 ? 0 :
	    (71 - (unsigned)__builtin_clzll(size)) / 8;

	to[0] = (unsigned char)(2 * (9 * zeros + bytes) + (x < 0));
	word = htole64(size);
	memcpy(to + 1, &word, sizeof(word));
	return 1 + bytes;
}

static inline size_t
get_number(const unsigned char *from, int64_t *x)
{
	unsigned bytes = from[0] / 2 % 9, zeros = from[0] / 18;
	uint64_t word;

	memcpy(&word, from + 1, sizeof(word));
	word = le64toh(word);
	if (bytes < 8)
		word &= ((uint64_t)1 << 8 * bytes) - 1;
	word *= (uint64_t)fixed_tens[zeros];
	*x = (int64_t)(from[0] % 2 != 0 ? -word : word);
	return 1 + bytes;
}

/* --- the rows of all people ---------------------------------------------- */

void
rows_open(struct rows *r, size_t k)
{
	*r = (struct rows){ .zeros = ZEROS, .room = (k + 3) * NUMBER };
	pool_open(&r->chunks, STEP);
	r->buf = err_alloc(NULL, r->room, 1);
}

void
rows_close(struct rows *r)
{
	pool_close(&r->chunks);
	free(r->buf);
}

/* Each chunk is a step larger than the one before, up to a limit. */
static uint32_t
chunk_after(uint32_t size)
{
	return size == 0 ? CHUNK : size < CHUNK_MOST ? size + STEP : size;
}

static void
new_chunk(struct rows *r, struct log *l)
{
	uint32_t size = chunk_after(l->size);
	uint32_t chunk = pool_take(&r->chunks, size / STEP);

	if (l->first == 0)
		l->first = chunk;
	else
		memcpy(pool_at(&r->chunks, l->last), &chunk, sizeof(chunk));
	*l = (struct log){ l->first, chunk, size - LINK, size };
}

/* Appends bytes, over the ends of chunks where that falls so. */
static inline void
put_bytes(struct rows *r, struct log *l, const unsigned char *from, size_t n)
{
	while (n > 0) {
		size_t part;

		if (l->left == 0)
			new_chunk(r, l);
		part = n < l->left ? n : l->left;
		memcpy((char *)pool_at(&r->chunks, l->last) + l->size -
		    l->left, from, part);
		l->left -= (uint32_t)part;
		from += part;
		n -= part;
	}
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
rows_add(struct rows *r, struct log *l, const struct shares *s,
    const struct share *row)
{
	size_t n = 0;

	for (size_t i = 0; i < s->k; i++) {
		int64_t x = without_zeros(r, row->x[i]);

		n += put_number(r->buf + n, x, r->zeros);
	}
	if (s->groups)
		n += put_number(r->buf + n, row->group, 0);
	if (s->weighted)
		n += put_number(r->buf + n, (int64_t)row->w, 0);
	put_bytes(r, l, r->buf, n);
}

/* All bytes of a person in a row, in r->buf. */
static size_t
gather(struct rows *r, const struct log *l)
{
	uint32_t at = l->first, size = 0;
	const char *chunk;
	size_t n = 0, part;

	for (bool more = at != 0; more; memcpy(&at, chunk, LINK)) {
		chunk = pool_at(&r->chunks, at);
		size = chunk_after(size);
		more = at != l->last;
		part = size - LINK - (more ? 0 : l->left);
		if (r->room - n < part + NUMBER) {
			r->room = 2 * (r->room + part);
			r->buf = err_alloc(r->buf, r->room, 1);
		}
		memcpy(r->buf + n, chunk + LINK, part);
		n += part;
	}
	return n;
}

static void
grow(struct shares *s)
{
	s->room = 2 * s->room + FEW;
	s->row = err_alloc(s->row, s->room, sizeof(*s->row));
	s->x = err_alloc(s->x, s->room * s->k, sizeof(*s->x));
}

void
rows_get(struct rows *r, const struct log *l, struct shares *s)
{
	const unsigned char *at, *end;
	size_t bytes = gather(r, l);
	int64_t group = 0, w = 1;

	at = r->buf;
	end = at + bytes;
	for (s->n = 0; at < end; s->n++) {
		if (s->n == s->room)
			grow(s);
		for (size_t i = 0; i < s->k; i++)
			at += get_number(at, &s->x[s->n * s->k + i]);
		if (s->groups)
			at += get_number(at, &group);
		if (s->weighted)
			at += get_number(at, &w);
		s->row[s->n] = (struct share){ NULL, (uint32_t)group,
		    (uint64_t)w };
	}
	for (size_t i = 0; i < s->n; i++)
		s->row[i].x = s->x + i * s->k;
}
