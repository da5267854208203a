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
		need(workload_dense(w, q, binary ? 0 : 3, "q"));
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
	need(workload_marginal(w, x, dims, 2, names));
	free(x);
}

static double
error(struct mwem *a)
{
	int64_t worst = 0;

	mwem_scores(a);
	for (size_t k = 0; k < a->w->k; k++)
		worst = a->score[k] > worst ? a->score[k] : worst;
	return ldexp((double)worst, -a->shift) / (double)a->total /
	    (double)fixed_pow10(a->digits);
}

static void
run(const char *kind, const struct workload *w, unsigned replays, int times)
{
	struct mwem a = { .w = w, .rounds = 20, .kind = SELECT_FLIP,
	    .replays = replays };
	uint64_t *x = malloc(w->n * sizeof(*x)), steps;
	double best = INFINITY, from, off = 0;
	struct rng r;

	need(x != NULL);
	rng_seeded(&r, 1, kind);
	for (size_t i = 0; i < w->n; i++)
		a.total += x[i] = rng_below(&r, 1 + 30 * (i * 4 / w->n));
	need(mwem_grid(&a));
	steps = (uint64_t)fixed_pow10(a.digits) * a.rounds;
	a.noise = (struct scale){ 2 * steps, 1 };	/* epsilon 1 */
	a.pick = (struct scale){ (4 * steps) << a.shift, 1 };
	need(mwem_open(&a, x));
	for (int i = 0; i < times; i++) {
		mwem_restart(&a);
		from = now();
		for (size_t t = 0; t < a.rounds; t++)
			need(mwem_round(&a, &r));
		best = fmin(best, now() - from);
		off = error(&a);
	}
	printf("%s,%zu,%zu,%zu,%u,%.3f,%.5f\n", kind, w->n, w->k, a.rounds,
	    replays, best * 1e3, off);
	fflush(stdout);
	mwem_close(&a);
	free(x);
}

static void
all(const char *kind, size_t n, size_t k, int times)
{
	struct workload w = { .n = n };
	struct rng r;

	rng_seeded(&r, 2, kind);
	if (strcmp(kind, "range") == 0)
		need(workload_range(&w));
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
