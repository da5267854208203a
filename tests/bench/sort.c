/*
 * sort: nanoseconds a value of sorting, next to qsort.
 *
 *	make build/bench/sort && build/bench/sort [N]	(default 10^7)
 *
 * For each shape of data the least CPU time of three runs; figures, not
 * assertions.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "number/sort.h"
#include "random/rng.h"
#include "tool/err.h"

struct column {
	int64_t *data;		/* as made */
	int64_t *x;
	uint64_t *w;
	size_t n;
};

static int
by_value(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void
grid(struct column *c)
{
	sort_grid(c->x, c->n);
}

static void
pairs(struct column *c)
{
	sort_pairs(c->x, c->w, c->n);
}

static void
library(struct column *c)
{
	qsort(c->x, c->n, sizeof(*c->x), by_value);
}

static double
cost(struct column *c, void (*job)(struct column *), int runs)
{
	double best = 1e18, took;

	while (runs-- > 0) {
		memcpy(c->x, c->data, c->n * sizeof(*c->x));
		took = now();
		job(c);
		took = now() - took;
		best = took < best ? took : best;
	}
	return best / (double)c->n;
}

static int64_t
value(struct rng *r, int shape, size_t i)
{
	switch (shape) {
	case 0:		/* ages */
		return (int64_t)rng_below(r, 100);
	case 1:		/* incomes with two decimals */
		return (int64_t)rng_below(r, 10000000);
	case 2:		/* signed, six decimals */
		return (int64_t)rng_below(r, 2000000000) - 1000000000;
	case 3:		/* 64 bits */
		return (int64_t)rng_below(r, UINT64_MAX);
	case 4:		/* incomes, one in a million saturated */
		return i % 1000000 == 77 ? (int64_t)1 << 62 :
		    (int64_t)rng_below(r, 10000000);
	default:	/* sorted */
		return (int64_t)i;
	}
}

int
main(int argc, char **argv)
{
	static const char *names[] = { "ages", "incomes", "signed", "64 bits",
	    "saturated", "sorted" };
	struct column c;
	struct rng r;
	size_t i;
	int shape;

	c.n = argc > 1 ? strtoul(argv[1], NULL, 10) : 10000000;
	c.data = err_alloc(NULL, c.n, sizeof(*c.data));
	c.x = err_alloc(NULL, c.n, sizeof(*c.x));
	c.w = err_alloc(NULL, c.n, sizeof(*c.w));
	memset(c.w, 0, c.n * sizeof(*c.w));
	rng_seeded(&r, 1, "bench");
	printf("%-10s %8s %8s %8s\n", "ns a value", "grid", "pairs",
	    "qsort");
	for (shape = 0; shape < 6; shape++) {
		for (i = 0; i < c.n; i++)
			c.data[i] = value(&r, shape, i);
		printf("%-10s %8.2f %8.2f %8.2f\n", names[shape],
		    cost(&c, grid, 3), cost(&c, pairs, 3),
		    cost(&c, library, 1));
		fflush(stdout);
	}
	free(c.data);
	free(c.x);
	free(c.w);
	return 0;
}
