/*
 * column_threads: halves sorted at the same time, then merged from both ends.
 *
 * One thread writes the smaller n / 2 values forward from the halves' fronts,
 * the other the rest backward from their ends, so neither waits for the
 * other, and no place is looked for where the halves part.  The result is the
 * sorted column, whatever the number of threads.
 */
#include <pthread.h>
#include <stdlib.h>

#include "column.h"
#include "number/sort.h"

#define WORTH 65536	/* fewer values are not worth a thread */

struct part {
	const int64_t *x;	/* both halves */
	int64_t *to;
	size_t half, n;
	int64_t *own;		/* the half to sort, */
	size_t len;
	bool ok;		/* and whether there was memory */
};

static void *
sort_half(void *arg)
{
	struct part *p = arg;

	p->ok = sort_grid(p->own, p->len);
	return NULL;
}

/* The n / 2 smallest values, ascending from to[0]. */
static void *
merge_up(void *arg)
{
	const struct part *p = arg;
	const int64_t *x = p->x;
	size_t i = 0, j = p->half, k;
	bool second;

	/* Each half has n / 2 values at least: neither runs out before. */
	for (k = 0; k < p->half; k++) {
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
	size_t i = p->half, j = p->n, k;
	bool first;

	/* The second half has as many as are written; the first may end. */
	for (k = p->n; k > p->half; k--) {
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

bool
column_order(int64_t **x, size_t n, unsigned threads)
{
	struct part a = { .x = *x, .half = n / 2, .n = n, .own = *x }, b = a;
	int64_t *to;

	if (threads < 2 || n < WORTH)
		return sort_grid(*x, n);
	a.len = n / 2;
	b.own = *x + n / 2;
	b.len = n - n / 2;
	both(sort_half, &a, sort_half, &b);
	if (!a.ok || !b.ok)
		return false;
	to = malloc(n * sizeof(*to));
	if (to == NULL)
		return sort_grid(*x, n);
	a.to = b.to = to;
	both(merge_up, &a, merge_down, &b);
	free(*x);
	*x = to;
	return true;
}
