/*
 * buckets: values in any order, counted in buckets in order.
 *
 * A level lays equal buckets over a range, two to the power of `shift' wide.
 * An opened bucket with few values gets one bucket for each; above `most'
 * values another level is laid over the range of the large open buckets, which
 * leaves outliers behind: worth the while where this range is a small part of
 * the level.
 *
 * Sums over x - base are below 2^104; squares are summed mod 2^128.
 */
#include "buckets.h"

#include <stdlib.h>
#include <string.h>

#include "number/memory.h"
#include "number/sort.h"
#include "tool/parts.h"

enum state { SHUT, OPEN, INNER };	/* INNER: see the next level */

/* A thread's counts for a level. */
struct count {
	uint64_t records;
	size_t lines;
	u128 sum;
	u128 squares;
};

struct counting {
	const struct values *v;
	const struct level *l;
	int64_t base;
	struct count *count;	/* l->count for each part */
};

static void
count_in(void *arg, unsigned part)
{
	const struct counting *k = arg;
	size_t from = values_from(k->v, part), to = values_from(k->v, part + 1);
	const int64_t *x = k->v->x;
	const uint64_t *w = k->v->w;
	const struct level *l = k->l;
	struct count *count = k->count + part * l->count, *c;
	uint64_t size = (uint64_t)l->hi - (uint64_t)l->lo, at, y;

	for (size_t i = from; i < to; i++) {
		at = (uint64_t)x[i] - (uint64_t)l->lo;
		if (at > size)
			continue;
		c = &count[at >> l->shift];
		y = (uint64_t)x[i] - (uint64_t)k->base;
		c->lines++;
		if (w == NULL) {
			c->sum += y;
			c->squares += (u128)y * y;
		} else {
			c->records += w[i];
			c->sum += (u128)y * w[i];
			c->squares += (u128)y * y * w[i];
		}
	}
}

/* Adds the parts' counts up in the first part's. */
static void
buckets_join(const struct counting *k)
{
	size_t n = k->l->count;

	for (unsigned p = 1; p < k->v->parts; p++)
		for (size_t i = 0; i < n; i++) {
			struct count *to = &k->count[i];
			const struct count *from = &k->count[p * n + i];

			to->records += from->records;
			to->lines += from->lines;
			to->sum += from->sum;
			to->squares += from->squares;
		}
	for (size_t i = 0; k->v->w == NULL && i < n; i++)
		k->count[i].records = k->count[i].lines;
}

/*
 * Bucket i of a level with these counts.  k sum y^2 = (sum y)^2 says that the k
 * values are equal; the two sides are below 2^128 where the data are narrow.
 */
static struct bucket
bucket_of(const struct buckets *b, const struct level *l, size_t i,
    const struct count *c)
{
	int64_t lo = (int64_t)((uint64_t)l->lo + ((uint64_t)i << l->shift));
	uint64_t width = ((uint64_t)1 << l->shift) - 1;
	uint64_t room = (uint64_t)l->hi - (uint64_t)lo;

	if (b->narrow && c->records * c->squares == c->sum * c->sum) {
		lo = (int64_t)(b->base + (i128)(c->sum / c->records));
		width = 0;
	}
	return (struct bucket){ .lo = lo, .hi = (int64_t)((uint64_t)lo +
	    (width < room ? width : room)), .records = c->records,
	    .lines = c->lines, .sum = c->sum };
}

/*
 * The level's buckets that are not empty replace the buckets in the level's
 * range.
 */
static void
buckets_place(struct buckets *b, const struct level *l,
    const struct count *count)
{
	struct bucket *to = err_alloc(NULL, b->n + l->count, sizeof(*to));
	size_t n = 0, i = 0;

	for (; i < b->n && b->bucket[i].hi < l->lo; i++)
		to[n++] = b->bucket[i];
	for (; i < b->n && b->bucket[i].lo <= l->hi; i++)
		;
	for (size_t j = 0; j < l->count; j++)
		if (count[j].lines > 0)
			to[n++] = bucket_of(b, l, j, &count[j]);
	for (; i < b->n; i++)
		to[n++] = b->bucket[i];
	free(b->bucket);
	b->bucket = to;
	b->n = n;
}

/* One more level, over lo..hi. */
static void
buckets_lay_level(struct buckets *b, int64_t lo, int64_t hi)
{
	struct level *l = &b->level[b->levels];
	uint64_t size = (uint64_t)hi - (uint64_t)lo;
	struct counting k = { b->v, l, b->base, NULL };

	*l = (struct level){ .lo = lo, .hi = hi };
	while (size >> l->shift >> b->bits > 0)
		l->shift++;
	l->count = (size_t)(size >> l->shift) + 1;
	l->state = err_alloc(NULL, l->count, 1);
	k.count = err_alloc(NULL, l->count * b->v->parts, sizeof(*k.count));
	parts_run(b->v->parts, count_in, &k);
	buckets_join(&k);
	buckets_place(b, l, k.count);
	free(k.count);
	b->levels++;
}

void
buckets_lay(struct buckets *b, const struct values *v,
    const struct totals *all, int bits)
{
	*b = (struct buckets){ .v = v, .base = all->lo, .bits = bits,
	    .most = v->n / 16 + 64, .narrow = totals_narrow(all) };
	buckets_lay_level(b, all->lo, all->hi);
}

static size_t
part_of(const struct level *l, int64_t x)
{
	return (size_t)(((uint64_t)x - (uint64_t)l->lo) >> l->shift);
}

static unsigned char *
state_of(const struct buckets *b, int64_t x)
{
	size_t i = 0;
	unsigned char *state;

	do
		state = &b->level[i].state[part_of(&b->level[i], x)];
	while (*state == INNER && ++i < b->levels);
	return state;
}

/* Marks the parts in each level that are opened, or have a level within. */
static void
mark(struct buckets *b, const bool *open)
{
	for (size_t i = 0; i < b->levels; i++) {
		const struct level *l = &b->level[i], *next = l + 1;

		memset(l->state, SHUT, l->count);
		if (i + 1 < b->levels)
			memset(l->state + part_of(l, next->lo), INNER,
			    part_of(l, next->hi) - part_of(l, next->lo) + 1);
	}
	for (size_t i = 0; i < b->n; i++)
		if (open[i] && !bucket_is_single(&b->bucket[i]))
			*state_of(b, b->bucket[i].lo) = OPEN;
}

/* The values in open buckets, sorted; with weights each once. */
struct gathered {
	int64_t *x;
	uint64_t *w;
	size_t n;
};

static void
buckets_gather(const struct buckets *b, size_t lines, struct gathered *g)
{
	const struct values *v = b->v;
	size_t n = 0;

	/* Values after the last are written and forgotten. */
	g->x = err_alloc(NULL, lines + 1, sizeof(*g->x));
	g->w = v->w == NULL ? NULL : err_alloc(NULL, lines + 1,
	    sizeof(*g->w));
	for (size_t i = 0; i < v->n; i++) {
		g->x[n] = v->x[i];
		if (v->w != NULL)
			g->w[n] = v->w[i];
		n += *state_of(b, v->x[i]) == OPEN;
	}
	g->n = n;
	sort_pairs(g->x, g->w, n);
	if (v->w != NULL)
		g->n = sort_merge(g->x, g->w, n);
}

/* Equal values from i on as one bucket; returns their number. */
static size_t
buckets_single(const struct buckets *b, const struct gathered *g, size_t i,
    struct bucket *to)
{
	uint64_t y = (uint64_t)g->x[i] - (uint64_t)b->base, k = 0;
	size_t n = 0;

	for (; i + n < g->n && g->x[i + n] == g->x[i]; n++)
		k += g->w == NULL ? 1 : g->w[i + n];
	*to = (struct bucket){ g->x[i], g->x[i], k, n, (u128)y * k };
	return n;
}

/* The open buckets' values in their place. */
static void
resolve(struct buckets *b, const bool *open, const struct gathered *g)
{
	struct bucket *to = err_alloc(NULL, b->n + g->n, sizeof(*to));
	size_t n = 0, at = 0;

	for (size_t i = 0; i < b->n; i++) {
		const struct bucket *from = &b->bucket[i];

		if (!open[i] || bucket_is_single(from)) {
			to[n++] = *from;
			continue;
		}
		while (at < g->n && g->x[at] <= from->hi)
			at += buckets_single(b, g, at, &to[n++]);
	}
	free(b->bucket);
	b->bucket = to;
	b->n = n;
}

/*
 * Another level over the large open buckets.  A single value's bucket is in a
 * level as well, but need not be laid again.
 */
static bool
lay_within(struct buckets *b, const bool *open)
{
	const struct level *last = &b->level[b->levels - 1];
	const struct bucket *first = NULL, *end = NULL;

	for (size_t i = 0; i < b->n; i++)
		if (open[i] && !bucket_is_single(&b->bucket[i]) &&
		    b->bucket[i].lines > b->v->n / 256) {
			first = first == NULL ? &b->bucket[i] : first;
			end = &b->bucket[i];
		}
	if (first == NULL || b->levels == BUCKETS_LEVELS ||
	    first->lo < last->lo || end->hi > last->hi ||
	    (uint64_t)end->hi - (uint64_t)first->lo >
	    ((uint64_t)last->hi - (uint64_t)last->lo) / 4)
		return false;
	buckets_lay_level(b, first->lo, end->hi);
	return true;
}

/* False if opening does not pay. */
static bool
unfold(struct buckets *b, const bool *open)
{
	struct gathered g = { NULL, NULL, 0 };
	size_t lines = 0;

	for (size_t i = 0; i < b->n; i++)
		if (open[i] && !bucket_is_single(&b->bucket[i]))
			lines += b->bucket[i].lines;
	if (lines == 0)
		return false;
	if (lines > b->most)
		return lay_within(b, open);
	mark(b, open);
	buckets_gather(b, lines, &g);
	resolve(b, open, &g);
	free(g.x);
	free(g.w);
	return true;
}

bool
buckets_search(struct buckets *b, buckets_look *look, void *arg, int *rounds)
{
	int most = *rounds;
	bool known = false, more = true, *open;

	for (*rounds = 0; more && *rounds < most; ++*rounds) {
		open = err_alloc(NULL, b->n + 1, sizeof(*open));
		known = look(arg, b, open);
		more = !known && unfold(b, open);
		free(open);
	}
	for (size_t i = 0; i < b->levels; i++)
		free(b->level[i].state);
	free(b->bucket);
	return known;
}
