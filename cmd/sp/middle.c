/*
 * middle: a private median of K numbers.
 *
 * A value v with b numbers below and e equal numbers has the open rank distance
 *	2 L = max(2 b - K, K - 2 (b + e)).
 * A replaced number moves b by at most 1 and b + e by at most 1, so 2 L by at
 * most 2: the sensitivity under swap.  The values between two neighbors in
 * order share one L and are one run.
 */
#include "middle.h"

#include <stdlib.h>

#include "number/memory.h"
#include "number/taint.h"

/* Runs of values, lowest first, and each run's first value. */
struct middle {
	struct select_run *run;
	int64_t *first;
	size_t n;
};

/* The values from..to, if any: b numbers are below, and `upto' not above. */
static void
middle_add(struct middle *m, i128 from, i128 to, size_t k, size_t b,
    size_t upto)
{
	i128 left = 2 * (i128)b, right = 2 * ((i128)k - (i128)upto);

	if (from > to)
		return;
	m->first[m->n] = (int64_t)from;
	m->run[m->n++] = (struct select_run){ METER_NAME(from)
	    .count = (u128)(to - from + 1),
	    .gap = (u128)(left > right ? left : right) };
}

/* The values; the gaps from the least 2 L, and so each side K larger. */
static void
middle_lay(struct middle *m, const int64_t *x, size_t k, int64_t lo, int64_t hi)
{
	u128 best = (u128)-1;
	i128 from = lo;

	m->run = err_alloc(NULL, 2 * k + 1, sizeof(*m->run));
	m->first = err_alloc(NULL, 2 * k + 1, sizeof(*m->first));
	m->n = 0;
	for (size_t b = 0, next = 0; b < k; b = next) {
		while (next < k && x[next] == x[b])
			next++;
		middle_add(m, from, (i128)x[b] - 1, k, b, b);
		middle_add(m, x[b], x[b], k, b, next);
		from = (i128)x[b] + 1;
	}
	middle_add(m, from, hi, k, k, k);
	for (size_t i = 0; i < m->n; i++)
		best = m->run[i].gap < best ? m->run[i].gap : best;
	for (size_t i = 0; i < m->n; i++)
		m->run[i].gap -= best;
}

/* [MS20 Algorithm 1] */
int64_t
middle_draw(const int64_t *x, size_t k, int64_t lo, int64_t hi, struct scale t,
    struct rng *r)
{
	struct middle m;
	struct select_runs runs;
	struct select_place at;
	int64_t value;

	middle_lay(&m, x, k, lo, hi);
	runs = (struct select_runs){ .run = m.run, .n = m.n, .t = t };
	select_runs_init(&runs);
	at = select_runs_flip(&runs, r);
	value = (int64_t)(m.first[at.run] + (i128)at.place);
	taint_noisy(&value, sizeof(value));
	select_runs_free(&runs);
	free(m.run);
	free(m.first);
	return value;
}
