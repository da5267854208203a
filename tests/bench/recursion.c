/*
 * recursion N [N ...]: sensitivity preprocessing by the O(n^2) recursion over
 * all windows [CD20 Lemma 5.2, Lemma 6.4] against ours, on the same values.
 *
 * Prints function,n,recursion_s,ours_s,speedup in CPU seconds; ours is the
 * mean of enough runs to last a while.  Status 1 where two results differ.
 * Above LARGE values the recursion is left out.
 * f may be rounded before the recursion, see subsets.c.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "number/sort.h"
#include "sp/ordered.h"
#include "sp/variance.h"

#define LARGE 30000

enum { MEAN, TRIMMED, MEDIAN, VARIANCE, KINDS };

static const char *const name[KINDS] = {
	"mean", "trimmed mean", "median", "variance"
};

struct job {
	int kind;
	struct ordered f;
	int64_t *x;
	i128 *sum, *square;	/* of the first i values */
	size_t n;
};

static double
seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* floor(f + 1/2) of the k values from i on. */
static int64_t
plain(const struct job *j, size_t i, size_t k)
{
	size_t q = j->kind == TRIMMED ? k / 10 : 0;
	i128 sum = j->sum[i + k - q] - j->sum[i + q], m = (i128)(k - 2 * q);

	if (j->kind == MEDIAN)
		return (int64_t)fixed_floor_div(j->x[i + (k - 1) / 2] +
		    j->x[i + k / 2] + 1, 2);
	if (j->kind == VARIANCE)
		return (int64_t)fixed_floor_div(2 * (m * (j->square[i + k] -
		    j->square[i]) - sum * sum) + m * m, 2 * m * m);
	return (int64_t)fixed_floor_div(2 * sum + m, 2 * m);
}

/* g of all windows of one length after another, in place. */
static int64_t
recursion(const struct job *j, int64_t *g)
{
	int64_t s = j->f.sens;

	for (size_t i = 0; i <= j->n; i++)
		g[i] = j->kind == VARIANCE ? 0 : j->f.center;
	for (size_t k = 1; k <= j->n; k++)
		for (size_t i = 0; i + k <= j->n; i++) {
			int64_t v = plain(j, i, k), a = g[i] + s;
			int64_t b = g[i + 1] - s;

			/* the larger values are in window i + 1 */
			if (j->kind == VARIANCE && g[i + 1] + s < a)
				a = g[i + 1] + s;
			g[i] = v > a ? a : v < b && j->kind != VARIANCE ? b : v;
		}
	return g[0];
}

static int64_t
ours(const struct job *j)
{
	struct variance f = { j->f.sens, 1 };

	if (j->kind != VARIANCE)
		return ordered_value(&j->f, j->x, NULL, j->n);
	return variance_sorted(&f, j->x, NULL, j->n);
}

/* Values with a long tail and a sensitivity that binds. */
static void
fill(struct job *j)
{
	uint64_t state = 1;

	for (size_t i = 0; i < j->n; i++) {
		double u = 1;

		for (int k = 0; k < 5; k++) {
			state = state * 6364136223846793005u +
			    1442695040888963407u;
			u *= 0.4 + 1.4 * (double)(state >> 11) * 0x1p-53;
		}
		j->x[i] = (int64_t)(6e6 * u);
	}
	sort_grid(j->x, j->n);
	j->sum[0] = j->square[0] = 0;
	for (size_t i = 0; i < j->n; i++) {
		j->sum[i + 1] = j->sum[i] + j->x[i];
		j->square[i + 1] = j->square[i] + (i128)j->x[i] * j->x[i];
	}
}

static int
run(struct job *j, int64_t *g)
{
	double begin = seconds(), slow, fast;
	int64_t a, b;
	int times = 0;

	j->f = (struct ordered){ .kind = j->kind == MEDIAN ? ORDERED_MEDIAN :
	    ORDERED_MEAN, .alpha = { j->kind == TRIMMED, 10 },
	    .center = 1000000, .sens = 1 + 6000000 / (int64_t)j->n };
	if (j->kind == VARIANCE)
		j->f.sens = (int64_t)4e13 / (int64_t)j->n;
	a = j->n <= LARGE ? recursion(j, g) : 0;
	slow = seconds() - begin;
	begin = seconds();
	do {
		b = ours(j);
		times++;
		fast = seconds() - begin;
	} while (fast < 0.05);
	fast /= times;
	if (j->n > LARGE)
		printf("%s,%zu,,%.9f,\n", name[j->kind], j->n, fast);
	else
		printf("%s,%zu,%.6f,%.9f,%.0f\n", name[j->kind], j->n, slow,
		    fast, slow / fast);
	fflush(stdout);
	return j->n <= LARGE && a != b;
}

int
main(int argc, char **argv)
{
	int differ = 0;

	puts("function,n,recursion_s,ours_s,speedup");
	for (int a = 1; a < argc; a++) {
		struct job j = { .n = strtoull(argv[a], NULL, 10) };
		int64_t *g = malloc((j.n + 1) * sizeof(*g));

		j.x = malloc((j.n + 1) * sizeof(*j.x));
		j.sum = malloc((j.n + 1) * sizeof(*j.sum));
		j.square = malloc((j.n + 1) * sizeof(*j.square));
		if (j.n == 0 || g == NULL || j.x == NULL || j.sum == NULL ||
		    j.square == NULL)
			return 2;
		fill(&j);
		for (j.kind = 0; j.kind < KINDS; j.kind++)
			differ += run(&j, g);
		free(j.square);
		free(j.sum);
		free(j.x);
		free(g);
	}
	if (differ > 0)
		fprintf(stderr, "recursion: %d results differ\n", differ);
	return differ > 0;
}
