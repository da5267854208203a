/*
 * mwem [-n TIMES]: what the rounds of mwem cost.
 *
 * For universes of several sizes and workloads of each kind, prints as CSV
 * the rounds, the passes of a replay at most, and the least processor time of
 * TIMES runs (default 5) in milliseconds, for all rounds together; reading
 * and preparing are not in it.  The error is the worst answer's, as a part of
 * n.
 */
#include "dx/synth/mwem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void
need(bool ok)
{
	if (ok)
		return;
	fprintf(stderr, "mwem: it does not fit\n");
	exit(1);
}

/* k dense queries: 0/1, or any weights with three decimals. */
static void
dense(struct workload *w, size_t k, bool binary, struct rng *r)
{
	int64_t *q = malloc(w->n * sizeof(*q));

	need(q != NULL);
	for (size_t j = 0; j < k; j++) {
		for (size_t i = 0; i < w->n; i++)
			q[i] = (int64_t)rng_below(r, binary ? 2 : 1001);
		workload_dense(w, q, binary ? 0 : 3, "q");
	}
	free(q);
}

/* All marginals of two of `dims` attributes of four values. */
static void
marginals(struct workload *w, size_t dims)
{
	const char *names[16];
	int64_t *x = malloc(w->n * dims * sizeof(*x));

	need(x != NULL);
	for (size_t i = 0; i < w->n * dims; i++)
		x[i] = (int64_t)(i / dims >> 2 * (i % dims) & 3);
	for (size_t d = 0; d < dims; d++)
		names[d] = "a";
	workload_marginal(w, x, dims, 2, names);
	free(x);
}

static double
error(struct mwem *a)
{
	int64_t worst;

	mwem_scores(a);
	(void)mwem_worst(a, &worst);
	return (double)worst / (double)a->q->unit / (double)a->total;
}

static void
run(const char *kind, const struct workload *w, unsigned replays, int times)
{
	struct normal q;
	struct mwem a = { .q = &q, .rounds = 20, .kind = SELECT_FLIP,
	    .replays = replays };
	int64_t *x = malloc(w->n * sizeof(*x));
	double best = INFINITY, from, off = 0;
	struct rng r;

	need(x != NULL);
	normal_open(&q, w);
	rng_seeded(&r, 1, kind);
	for (size_t i = 0; i < w->n; i++) {
		x[i] = (int64_t)rng_below(&r, 1 + 30 * (i * 4 / w->n));
		a.total += (uint64_t)x[i];
	}
	/* epsilon 1 */
	for (size_t b = 0; b < w->blocks; b++)
		for (size_t e = 0; e < q.block[b].entries; e++)
			q.c[q.block[b].entry + e] = (struct rational){
			    q.block[b].width, 1 };
	need(mwem_budget(&a));
	mwem_open(&a, x);
	for (int i = 0; i < times; i++) {
		mwem_restart(&a);
		from = now();
		for (size_t t = 0; t < a.rounds; t++)
			mwem_round(&a, &r);
		best = fmin(best, now() - from);
		off = error(&a);
	}
	printf("%s,%zu,%zu,%zu,%u,%.3f,%.5f\n", kind, w->n, w->k, a.rounds,
	    replays, best * 1e3, off);
	fflush(stdout);
	mwem_close(&a);
	normal_close(&q);
	free(x);
}

static void
all(const char *kind, size_t n, size_t k, int times)
{
	struct workload w = { .n = n };
	struct rng r;

	rng_seeded(&r, 2, kind);
	if (strcmp(kind, "range") == 0)
		workload_range(&w);
	else if (strcmp(kind, "marginal") == 0)
		marginals(&w, k);
	else
		dense(&w, k, strcmp(kind, "binary") == 0, &r);
	run(kind, &w, 0, times);
	run(kind, &w, 20, times);
	workload_free(&w);
}

int
main(int argc, char **argv)
{
	int times = argc == 3 && strcmp(argv[1], "-n") == 0 ?
	    atoi(argv[2]) : 5;

	printf("queries,cells,number,rounds,replays,ms,error\n");
	all("binary", 1000, 500, times);
	all("weights", 1000, 500, times);
	all("binary", 10000, 500, times);
	all("weights", 10000, 500, times);
	all("range", 256, 0, times);
	all("range", 1024, 0, times);
	all("marginal", 65536, 8, times);
	return 0;
}
