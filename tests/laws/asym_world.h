/*
 * asym_world: small worlds of asym-estimate, and the inverse sensitivities of
 * all their data sets, found by trying every data set.
 */
#ifndef ASYM_WORLD_H
#define ASYM_WORLD_H

#include <criterion/criterion.h>
#include <stdlib.h>

#include "../prop/tally_free.h"
#include "asm/asym.h"
#include "number/sort.h"

#define N 3
#define OUTPUTS 12

/* Data sets are tuples of N points, neighbours differ in one place. */
struct asym_world {
	const char *name;
	const int *point;
	int points;
	bool bounded;			/* is there a U^l? */
	int (*f)(const int *x);		/* times den */
	int den;
	void (*bounds)(const struct asym_world *w, const int *x,
	    struct output_bounds *b);
	struct { int64_t t[OUTPUTS]; size_t n; } outputs;
	int sets;
	int64_t (*len)[OUTPUTS], (*h)[OUTPUTS];	/* of every set */
};

static inline void
asym_tuple(const struct asym_world *w, int set, int *x)
{
	for (int i = 0; i < N; i++, set /= w->points)
		x[i] = w->point[set % w->points];
}

/* In how many places two data sets differ. */
static inline int
asym_hamming(const struct asym_world *w, int set, int other)
{
	int x[N], y[N];

	asym_tuple(w, set, x);
	asym_tuple(w, other, y);
	return (x[0] != y[0]) + (x[1] != y[1]) + (x[2] != y[2]);
}

/*
 * [D24 Definitions 2.8, 3.1] len and h at every output for one data set.  With
 * real data (den > 1) outputs need not be hit exactly: then len is the distance
 * at which f can first get down to t.
 */
static inline void
asym_brute(const struct asym_world *w, int set)
{
	int64_t *len = w->len[set], fx, fy;
	int x[N];

	asym_tuple(w, set, x);
	fx = w->f(x);
	for (size_t i = 0; i < w->outputs.n; i++)
		len[i] = N + 1;
	for (int other = 0; other < w->sets; other++) {
		int far = asym_hamming(w, set, other);

		asym_tuple(w, other, x);
		fy = w->f(x);
		for (size_t i = 0; i < w->outputs.n; i++) {
			int64_t t = w->outputs.t[i] * w->den;

			if ((w->den == 1 ? fy == t : fy <= t) && far < len[i])
				len[i] = far;
		}
	}
	for (size_t i = 0; i < w->outputs.n; i++)
		w->h[set][i] = w->outputs.t[i] * w->den < fx ? 1 - len[i] :
		    !w->bounded || len[i] < 1 ? 1 : len[i];
}

static inline struct tally
asym_tally(const int *x)
{
	struct tally t;

	tally_init(&t, N);
	for (int i = 0; i < N; i++)
		tally_add(&t, x[i], 1);
	tally_done(&t);
	return t;
}

static int
asym_sum(const int *x)
{
	return x[0] + x[1] + x[2];
}

static void
asym_sum_bounds(const struct asym_world *w, const int *x,
    struct output_bounds *b)
{
	struct limits limits = { true, w->bounded, 0, 3 };
	struct tally t = asym_tally(x);

	output_bounds_sum(b, &t, &limits, NEIGHBORS_SWAP, 1);
	tally_free(&t);
}

static int
asym_median(const int *x)
{
	int low = x[0] < x[1] ? x[0] : x[1], high = x[0] + x[1] - low;

	return x[2] < low ? low : x[2] > high ? high : x[2];
}

static void
asym_median_bounds(const struct asym_world *w, const int *x,
    struct output_bounds *b)
{
	int64_t sorted[N] = { x[0], x[1], x[2] };
	struct ranks r = { sorted, NULL, N };

	(void)w;
	sort_grid(sorted, N);
	output_bounds_quantile(b, &r, (struct rational){ 1, 2 }, 0,
	    NEIGHBORS_SWAP);
}

/* 9 times the variance. */
static int
asym_variance(const int *x)
{
	int squares = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];

	return N * squares - asym_sum(x) * asym_sum(x);
}

static void
asym_variance_bounds(const struct asym_world *w, const int *x,
    struct output_bounds *b)
{
	struct limits limits = { false, false, 0, 0 };
	struct tally t = asym_tally(x);

	(void)w;
	output_bounds_variance(b, &t, 1, &limits, NEIGHBORS_SWAP);
	tally_free(&t);
}

enum { SUM, SUM_OPEN, MEDIAN, VARIANCE, WORLDS };

static inline struct asym_world
asym_world_open(int which)
{
	static const int small[] = { 0, 1, 2, 3, 4, 5 };
	/* means of two of the dozens are among the points */
	static const int dozens[] = { 0, 6, 12, 18, 24 };
	static const struct asym_world worlds[] = {
		{ "asm-estimate sum", small, 4, true, asym_sum, 1,
		    asym_sum_bounds, { { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 }, 10 },
		    0, NULL, NULL },
		{ "asm-estimate sum, no upper end", small, 4, false, asym_sum,
		    1, asym_sum_bounds,
		    { { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 }, 10 }, 0, NULL, NULL },
		{ "asm-estimate median", small, 6, true, asym_median, 1,
		    asym_median_bounds, { { 0, 1, 2, 3, 4, 5 }, 6 }, 0, NULL,
		    NULL },
		{ "asm-estimate var", dozens, 5, false, asym_variance, 9,
		    asym_variance_bounds, { { 0, 4, 8, 12, 16, 24, 32, 40, 56,
		    72, 96, 128 }, 12 }, 0, NULL, NULL },
	};
	struct asym_world w = worlds[which];

	w.sets = w.points * w.points * w.points;
	w.len = malloc((size_t)w.sets * sizeof(*w.len));
	w.h = malloc((size_t)w.sets * sizeof(*w.h));
	cr_assert(w.len != NULL && w.h != NULL);
	for (int set = 0; set < w.sets; set++)
		asym_brute(&w, set);
	return w;
}

static inline void
asym_world_close(struct asym_world *w)
{
	free(w->len);
	free(w->h);
}

#endif
