/*
 * column: values gathered from the input, in memory.
 *
 * Halves of a long column are sorted at the same time, then merged from both
 * ends: one thread writes the smaller n / 2 values forward from the halves'
 * fronts, the other the rest backward from their ends, so neither waits for
 * the other, and no place is looked for where the halves part.  The result is
 * the sorted column, whatever the number of threads.
 */
#include "column.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "number/fixed.h"
#include "number/sort.h"
#include "tool/err.h"

#define WORTH 65536	/* fewer values are not worth a thread */
#define MERGE ((size_t)1 << 16)	/* fewer lines are not worth a merge */
#define STEPS ((uint64_t)1 << 22)	/* more values are not counted */

struct part {
	const int64_t *x;	/* both halves */
	int64_t *to;
	size_t half, n;
	int64_t *own;		/* the half to sort */
	size_t len;
};

/* w is NULL where all weights are 1. */
static void
sort(int64_t *x, uint64_t *w, size_t n)
{
	if (!sort_pairs(x, w, n))
		die(STATUS_INPUT, "out of memory");
}

static void *
sort_half(void *arg)
{
	struct part *p = arg;

	sort(p->own, NULL, p->len);
	return NULL;
}

/* The n / 2 smallest values, ascending from to[0]. */
static void *
merge_up(void *arg)
{
	const struct part *p = arg;
	const int64_t *x = p->x;
	size_t i = 0, j = p->half;
	bool second;

	/* Each half has n / 2 values at least: neither runs out before. */
	for (size_t k = 0; k < p->half; k++) {
		second = x[j] < x[i];
		p->to[k] = second ? x[j] : x[i];
		i += !second;
		j += second;
	}
	return NULL;
}

/* The others, descending from to[n - 1]. */
static void *
merge_down(void *arg)
{
	const struct part *p = arg;
	const int64_t *x = p->x;
	size_t i = p->half, j = p->n;
	bool first;

	/* The second half has as many as are written; the first may end. */
	for (size_t k = p->n; k > p->half; k--) {
		first = i > 0 && x[i - 1] > x[j - 1];
		p->to[k - 1] = first ? x[i - 1] : x[j - 1];
		i -= first;
		j -= !first;
	}
	return NULL;
}

/* Runs work on a and on b at once, or one by one without a thread. */
static void
both(void *(*work_a)(void *), struct part *a, void *(*work_b)(void *),
    struct part *b)
{
	pthread_t thread;
	bool apart = pthread_create(&thread, NULL, work_a, a) == 0;

	work_b(b);
	if (apart)
		pthread_join(thread, NULL);
	else
		work_a(a);
}

/* Sorts the two halves of a long column at once, into room of its own. */
static void
sort_halves(struct column *c)
{
	struct part a = { .x = c->x, .half = c->n / 2, .n = c->n,
	    .own = c->x, .len = c->n / 2 }, b = a;

	b.own = c->x + a.half;
	b.len = c->n - a.half;
	both(sort_half, &a, sort_half, &b);
	a.to = b.to = err_alloc(NULL, c->n, sizeof(*c->x));
	both(merge_up, &a, merge_down, &b);
	free(c->x);
	c->x = a.to;
	c->cap = c->n;
}

/* What was counted becomes distinct values with weights, ascending. */
static void
lay_out(struct column *c)
{
	uint64_t *count = c->count;

	c->count = NULL;
	for (size_t i = 0; count != NULL && i < c->steps; i++)
		if (count[i] > 0)
			column_add(c, c->lo + (int64_t)i, count[i], true);
	free(count);
}

void
column_sort(struct column *c, unsigned threads)
{
	lay_out(c);
	if (c->w == NULL && threads > 1 && c->n >= WORTH) {
		sort_halves(c);
		return;
	}
	sort(c->x, c->w, c->n);
	if (c->w != NULL)
		c->n = sort_merge(c->x, c->w, c->n);
}

void
column_range(struct column *c, int64_t lo, int64_t hi)
{
	uint64_t size = (uint64_t)hi - (uint64_t)lo;

	c->lo = lo;
	c->steps = size < STEPS ? (size_t)size + 1 : 0;
}

/* From here on rows are counted. */
static void
begin_counts(struct column *c)
{
	c->count = calloc(c->steps, sizeof(*c->count));
	if (c->count == NULL)
		die(STATUS_INPUT, "out of memory");
	for (size_t i = 0; i < c->n; i++)
		c->count[c->x[i] - c->lo]++;
	free(c->x);
	c->x = NULL;
	c->n = c->cap = 0;
}

/*
 * A merge is tried where the lines are four times those of the last one, so
 * that it costs a part of the final sort where all values are distinct.
 */
static void
make_room(struct column *c, bool weighted)
{
	if (!weighted && c->steps > 0 && c->n >= MERGE && c->n >= c->steps) {
		begin_counts(c);
		return;
	}
	if (weighted && c->n >= MERGE && c->n / 4 >= c->merged) {
		column_sort(c, 1);
		c->merged = c->n;
		if (c->n <= c->cap / 4 * 3)
			return;
	}
	c->cap = c->cap < 512 ? 1024 : c->cap + c->cap / 2;
	c->x = err_alloc(c->x, c->cap, sizeof(*c->x));
	if (weighted)
		c->w = err_alloc(c->w, c->cap, sizeof(*c->w));
}

void
column_add(struct column *c, int64_t x, uint64_t w, bool weighted)
{
	if (c->n == c->cap && c->count == NULL)
		make_room(c, weighted);
	if (c->count != NULL) {
		c->count[x - c->lo]++;
		return;
	}
	c->x[c->n] = x;
	if (weighted)
		c->w[c->n] = w;
	c->n++;
}

void
column_append(struct column *c, const int64_t *x, size_t n)
{
	while (c->count == NULL && c->cap - c->n < n)
		make_room(c, false);
	for (size_t i = 0; c->count != NULL && i < n; i++)
		c->count[x[i] - c->lo]++;
	if (c->count != NULL)
		return;
	if (n > 0)
		memcpy(c->x + c->n, x, n * sizeof(*x));
	c->n += n;
}

uint64_t
column_room(const struct column *c)
{
	u128 total = c->w == NULL ? c->n : 0;

	for (size_t i = 0; c->w != NULL && i < c->n; i++)
		total += c->w[i];
	return total < COLUMN_WEIGHT ? COLUMN_WEIGHT - (uint64_t)total : 0;
}

void
column_free(struct column *c)
{
	free(c->x);
	free(c->w);
	free(c->count);
}
