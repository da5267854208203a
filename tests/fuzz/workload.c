/*
 * Workloads built from random bytes: the answers are the sums they stand for,
 * and a query is called constant only where it is.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dx/universe/workload.h"

#define MOST 12		/* elements */
#define BLOCKS 4
#define QUERIES 400

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const uint8_t *from;
static size_t left;

static unsigned
byte(void)
{
	if (left == 0)
		return 0;
	left--;
	return *from++;
}

static int64_t
number(int64_t most)
{
	int64_t x = 0;
	unsigned i, n = byte() % 9;

	for (i = 0; i < n; i++)
		x = (int64_t)((uint64_t)x << 8 | byte());
	return x % (most + 1);
}

static void
add_dense(struct workload *w)
{
	int64_t q[MOST];
	size_t i;

	for (i = 0; i < w->n; i++)
		q[i] = number(WORKLOAD_MOST);
	workload_dense(w, q, (int)(byte() % 19));
}

static void
add_marginal(struct workload *w)
{
	size_t dims = 1 + byte() % 3, i;
	int64_t x[MOST * 3];

	for (i = 0; i < w->n * dims; i++)
		x[i] = (int64_t)(byte() % 4);
	workload_marginal(w, x, dims, 1 + byte() % dims);
}

static void
add(struct workload *w)
{
	switch (byte() % 4) {
	case 0: add_dense(w); break;
	case 1: workload_runs(w, WORKLOAD_PREFIX); break;
	case 2: workload_runs(w, WORKLOAD_RANGE); break;
	default: add_marginal(w);
	}
}

/* Names come with ranges and prefixes alone: those here have no other. */
static bool
runs(const struct block *b)
{
	return b->kind == WORKLOAD_PREFIX || b->kind == WORKLOAD_RANGE;
}

static void
check(const struct workload *w, const uint64_t *x)
{
	static i128 answer[QUERIES];
	static int64_t q[QUERIES * MOST];
	char buf[WORKLOAD_NAME];
	const struct block *b;
	size_t k, i, at;

	workload_answer(w, x, answer);
	for (k = 0; k < w->k; k++)
		workload_row(w, k, q + k, w->k);
	for (k = 0; k < w->k; k++) {
		bool constant = true;
		i128 sum = 0;

		for (i = 0; i < w->n; i++) {
			int64_t c = workload_at(w, k, i);

			if (q[i * w->k + k] != c)
				abort();
			constant = constant && c == workload_at(w, k, 0);
			sum += (i128)c * (i128)x[i];
		}
		at = k;
		b = workload_find(w, &at);
		if (answer[k] != sum || workload_constant(w, k) != constant ||
		    (workload_name(w, k, buf) != NULL) != runs(b) ||
		    (b->picks > 0 && b->sample[at] >= w->n))
			abort();
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct workload w = WORKLOAD_INIT;
	uint64_t x[MOST];
	size_t i, blocks;

	from = data;
	left = size;
	w.n = 1 + byte() % MOST;
	blocks = 1 + byte() % BLOCKS;
	for (i = 0; i < blocks; i++)
		add(&w);
	for (i = 0; i < w.n; i++)
		x[i] = (uint64_t)llabs(number((int64_t)1 << 41));
	if (w.k <= QUERIES)
		check(&w, x);
	workload_free(&w);
	return 0;
}
