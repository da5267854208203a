/*
 * order: a private column by rank, sorted where it is looked at.
 *
 * A long column is dealt into equal parts of its span, the buckets, in one
 * pass that counts and one that moves; a bucket is sorted when a rank or a
 * value in it is asked for.  Time depends on the data, results do not.
 */
#include "order.h"

#include <stdlib.h>

#include "number/sort.h"

#define BITS 11			/* 2^BITS buckets or fewer */
#define SMALL 65536		/* fewer values are sorted at once */

static size_t
bucket_of(const struct order *o, int64_t v)
{
	return (size_t)(((uint64_t)v - (uint64_t)o->least) >> o->shift);
}

/* least, shift and the number of buckets. */
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

/* Values to their buckets; start[b] moves up to start[b + 1] and back. */
static void
deal(struct order *o, int64_t *to)
{
	uint64_t *start = o->start, at = 0, count;
	size_t b;

	for (size_t i = 0; i < o->n; i++)
		start[bucket_of(o, o->x[i])]++;
	for (b = 0; b <= o->buckets; b++) {
		count = start[b];
		start[b] = at;
		at += count;
	}
	for (size_t i = 0; i < o->n; i++)
		to[start[bucket_of(o, o->x[i])]++] = o->x[i];
	for (b = o->buckets; b > 0; b--)
		start[b] = start[b - 1];
	start[0] = 0;
}

bool
order_deal(struct order *o, int bits)
{
	int64_t *to = malloc(o->n * sizeof(*to));

	lay(o, bits);
	o->start = calloc(o->buckets + 1, sizeof(*o->start));
	o->done = calloc(o->buckets, sizeof(*o->done));
	if (to == NULL || o->start == NULL || o->done == NULL) {
		free(to);
		free(o->start);
		free(o->done);
		o->start = NULL;
		o->done = NULL;
		return false;
	}
	deal(o, to);
	free(o->x);
	o->x = to;
	return true;
}

static bool
init_weights(struct order *o)
{
	o->before = malloc((o->n + 1) * sizeof(*o->before));
	if (o->before == NULL)
		return false;
	o->before[0] = 0;
	for (size_t i = 0; i < o->n; i++)
		o->before[i + 1] = o->before[i] + o->w[i];
	o->total = o->before[o->n];
	return true;
}

bool
order_init(struct order *o, int64_t *x, uint64_t *w, size_t n)
{
	*o = (struct order){ .x = x, .w = w, .n = n, .total = n };
	if (w != NULL)
		return init_weights(o);
	return n < SMALL ? n == 0 || sort_grid(x, n) : order_deal(o, BITS);
}

void
order_free(struct order *o)
{
	free(o->x);
	free(o->w);
	free(o->before);
	free(o->start);
	free(o->done);
}

/* Sorts bucket b once. */
static void
sort_bucket(struct order *o, size_t b)
{
	size_t n = o->start[b + 1] - o->start[b];

	if (o->done[b])
		return;
	o->done[b] = n < 2 || sort_grid(o->x + o->start[b], n);
	o->failed = o->failed || !o->done[b];
}

/* The last index b of the ascending first[0..n-1] with first[b] <= at. */
static size_t
last_upto(const uint64_t *first, size_t n, uint64_t at)
{
	size_t lo = 0, hi = n, mid;

	while (hi - lo > 1) {
		mid = lo + (hi - lo) / 2;
		if (first[mid] <= at)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

int64_t
order_value(struct order *o, size_t i)
{
	if (o->start != NULL)
		sort_bucket(o, last_upto(o->start, o->buckets, i));
	return o->x[i];
}

/* The first of x[lo..hi-1], ascending, that is v or above; hi: none is. */
static size_t
first_from(const int64_t *x, size_t lo, size_t hi, int64_t v)
{
	size_t mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (x[mid] < v)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

size_t
order_find(struct order *o, int64_t v)
{
	size_t b;

	if (o->start == NULL)
		return first_from(o->x, 0, o->n, v);
	if (v <= o->least)
		return 0;
	b = bucket_of(o, v);
	if (b >= o->buckets)
		return o->n;
	sort_bucket(o, b);
	return first_from(o->x, o->start[b], o->start[b + 1], v);
}

uint64_t
order_rank(const struct order *o, size_t i)
{
	return o->before == NULL ? i : o->before[i];
}

size_t
order_entry(const struct order *o, uint64_t rank)
{
	return o->before == NULL ? (size_t)rank :
	    last_upto(o->before, o->n, rank);
}
