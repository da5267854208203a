/*
 * order: a private column by rank, sorted where looked at.
 *
 * A long column is counted in equal parts of the span, the buckets.  When a
 * rank or a value in a bucket is asked for, the bucket is picked out and
 * sorted; a quantile needs one or two.  After a few, the values are moved to
 * buckets at once.  Time depends on the data, results do not.
 */
#include "order.h"

#include <stdlib.h>

#include "number/memory.h"
#include "number/sort.h"

#define BITS 11			/* 2^BITS buckets or fewer */
#define SMALL 65536		/* fewer values are sorted at once */

static size_t
bucket_of(const struct order *o, int64_t v)
{
	return (size_t)(((uint64_t)v - (uint64_t)o->least) >> o->shift);
}

/* Sets least, shift and the number of buckets. */
static void
lay(struct order *o, int bits)
{
	int64_t most = o->x[0];
	uint64_t span;

	o->least = o->x[0];
	for (size_t i = 1; i < o->n; i++) {
		o->least = o->x[i] < o->least ? o->x[i] : o->least;
		most = o->x[i] > most ? o->x[i] : most;
	}
	span = (uint64_t)most - (uint64_t)o->least;
	for (o->shift = 0; span >> o->shift >> bits > 0; o->shift++)
		;
	o->buckets = (size_t)(span >> o->shift) + 1;
}

/* start[b], the number of values in the buckets before b. */
static void
count(struct order *o)
{
	uint64_t *start = o->start, at = 0, n;

	for (size_t i = 0; i < o->n; i++)
		start[bucket_of(o, o->x[i])]++;
	for (size_t b = 0; b <= o->buckets; b++) {
		n = start[b];
		start[b] = at;
		at += n;
	}
}

/*
 * Without w, n >= 1: counts the values in at most 2^bits >= 2 buckets, as
 * order_init does with a long column.
 */
static void
order_buckets(struct order *o, int bits)
{
	lay(o, bits);
	o->start = err_alloc(NULL, o->buckets + 1, sizeof(*o->start));
	o->value = err_alloc(NULL, o->buckets, sizeof(*o->value));
	count(o);
}

static void
init_weights(struct order *o)
{
	o->before = err_alloc(NULL, o->n + 1, sizeof(*o->before));
	for (size_t i = 0; i < o->n; i++)
		o->before[i + 1] = o->before[i] + o->w[i];
	o->total = o->before[o->n];
}

void
order_init(struct order *o, int64_t *x, uint64_t *w, size_t n)
{
	*o = (struct order){ .x = x, .w = w, .n = n, .total = n };
	if (w != NULL)
		init_weights(o);
	else if (n < SMALL)
		sort_grid(x, n);
	else
		order_buckets(o, BITS);
}

void
order_free(struct order *o)
{
	for (size_t i = 0; i < o->ngathered; i++)
		free(o->gathered[i]);
	free(o->x);
	free(o->w);
	free(o->before);
	free(o->start);
	free(o->value);
}

/* The values in bucket b, in separate room. */
static int64_t *
gather(struct order *o, size_t b)
{
	size_t all = o->start[b + 1] - o->start[b], n = 0;
	int64_t *got = err_alloc(NULL, all + 1, sizeof(*got));

	for (size_t i = 0; i < o->n; i++) {	/* no branch to guess */
		got[n] = o->x[i];
		n += bucket_of(o, o->x[i]) == b;
	}
	o->gathered[o->ngathered++] = got;
	return got;
}

/* Moves the values to their buckets. */
static void
deal(struct order *o)
{
	int64_t *to = err_alloc(NULL, o->n, sizeof(*to));

	for (size_t i = 0; i < o->n; i++)
		to[o->start[bucket_of(o, o->x[i])]++] = o->x[i];
	for (size_t b = o->buckets; b > 0; b--)
		o->start[b] = o->start[b - 1];
	o->start[0] = 0;
	free(o->x);
	o->x = to;
	o->dealt = true;
}

/* The values in bucket b, ascending. */
static const int64_t *
bucket(struct order *o, size_t b)
{
	size_t n = o->start[b + 1] - o->start[b];
	int64_t *x;

	if (o->value[b] != NULL)
		return o->value[b];
	if (!o->dealt && o->ngathered == ORDER_GATHERED)
		deal(o);
	x = o->dealt ? o->x + o->start[b] : gather(o, b);
	sort_grid(x, n);
	o->value[b] = x;
	return x;
}

/*
 * The last index b below n of the ascending ranks before, or without them
 * start, whose rank is at most `at'.
 */
static size_t
last_upto(const struct order *o, size_t n, u128 at)
{
	size_t lo = 0, hi = n, mid;

	while (hi - lo > 1) {
		mid = lo + (hi - lo) / 2;
		if ((o->before != NULL ? o->before[mid] : o->start[mid]) <= at)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

int64_t
order_value(struct order *o, size_t i)
{
	size_t b;

	if (o->start == NULL)
		return o->x[i];
	b = last_upto(o, o->buckets, i);
	return bucket(o, b)[i - o->start[b]];
}

size_t
order_find(struct order *o, int64_t v)
{
	size_t b;

	if (o->start == NULL)
		return sort_find(o->x, o->n, v);
	if (v <= o->least)
		return 0;
	b = bucket_of(o, v);
	if (b >= o->buckets)
		return o->n;
	return o->start[b] + sort_find(bucket(o, b),
	    o->start[b + 1] - o->start[b], v);
}

u128
order_rank(const struct order *o, size_t i)
{
	return o->before == NULL ? i : o->before[i];
}

size_t
order_entry(const struct order *o, u128 rank)
{
	return o->before == NULL ? (size_t)rank : last_upto(o, o->n, rank);
}
