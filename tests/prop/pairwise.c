/*
 * pairwise: records fit what was counted of them.
 */
#include "dx/synth/pairwise.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define D 4
#define N 2000

static const size_t values[D] = { 2, 5, 3, 4 };

/* Attributes that follow each other in a chain. */
static void
chain(uint16_t *code, struct rng *r)
{
	for (size_t i = 0; i < N; i++)
		for (size_t c = 0; c < D; c++)
			code[i * D + c] = (uint16_t)(c > 0 && rng_below(r, 3) ?
			    code[i * D + c - 1] % values[c] :
			    rng_below(r, values[c]));
}

/* Sum of all that pairs of attributes differ by, over n and pairs. */
static double
differ(const uint16_t *x, size_t n, const uint16_t *y, size_t m)
{
	double all = 0;

	for (size_t a = 0; a < D; a++)
		for (size_t b = a + 1; b < D; b++) {
			double off[25] = { 0 };

			for (size_t i = 0; i < n; i++)
				off[x[i * D + a] * 5 + x[i * D + b]] += 1 /
				    (double)n;
			for (size_t i = 0; i < m; i++)
				off[y[i * D + a] * 5 + y[i * D + b]] -= 1 /
				    (double)m;
			for (size_t e = 0; e < 25; e++)
				all += fabs(off[e]) / 2 / 6;
		}
	return all;
}

static double
error(double eps, bool noise)
{
	struct pairwise w = { .d = D, .values = values, .eps = {
	    (int64_t)(eps * 1000), 1000 }, .total = N, .slack = 0, .n = N };
	uint16_t *made = calloc(N * D, sizeof(*made));
	double off;
	struct scale t;
	struct rng r;

	w.code = calloc(N * D, sizeof(*w.code));
	cr_assert(w.code != NULL && made != NULL);
	rng_seeded(&r, 1, "pairwise");
	chain(w.code, &r);
	pairwise_plan(&w);
	cr_assert(pairwise_count(&w, noise ? &r : NULL));
	for (size_t i = 0; i < w.counts; i++) {
		cr_assert(pairwise_scale(&w, i, &t));
		cr_assert_float_eq(w.of[i].variance / (noise ? 2 *
		    pow((double)t.s / (double)t.r, 2) : 1), noise, 1e-9);
	}
	pairwise_records(&w, N, &r, made);
	for (size_t i = 0; i < N * D; i++)
		cr_assert(made[i] < values[i % D]);
	off = differ(w.code, N, made, N);
	pairwise_close(&w);
	free(w.code);
	free(made);
	return off;
}

Test(pairwise, without_noise_records_have_the_pairs_of_the_data)
{
	double off = error(1, false);

	cr_assert(off < 0.002, "%g", off);
}

Test(pairwise, with_little_noise_records_are_near_and_with_much_independent)
{
	double near = error(10, true), far = error(0.001, true);

	cr_assert(near < 0.02, "%g", near);
	cr_assert(far > 0.1 && far < 0.9, "%g", far);
}

Test(pairwise, nobody_and_no_budget_to_speak_of_make_no_records)
{
	struct pairwise w = { .d = D, .values = values, .eps = { 1, 1000 } };
	struct rng r;

	rng_seeded(&r, 2, "nobody");
	pairwise_plan(&w);
	cr_assert(pairwise_count(&w, &r));
	cr_assert_eq(w.picks, 0);
	pairwise_records(&w, 0, &r, NULL);
	pairwise_close(&w);
}

static int
falling(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x < *y) - (*x > *y);
}

/* The nearest nonnegative numbers with a sum, by sorting. */
static void
nearest(double *h, size_t n, double sum)
{
	double sorted[8], run = 0, cut = 0;

	memcpy(sorted, h, n * sizeof(*h));
	qsort(sorted, n, sizeof(*h), falling);
	for (size_t i = 0; i < n; i++) {
		run += sorted[i];
		if (sorted[i] >= (run - sum) / (double)(i + 1))
			cut = (run - sum) / (double)(i + 1);
	}
	for (size_t i = 0; i < n; i++)
		h[i] = fmax(0, h[i] - cut);
}

/* The same draws; the total by inverse variances, where it is not promised. */
static void
singles(const struct pairwise *w, struct rng *r, double h[D][8],
    double *total)
{
	double weight = w->slack > 0 ? 1 / w->slack : 0, sum, v;
	struct scale t;

	*total = w->total * weight;
	for (size_t a = 0; a < D; a++) {
		cr_assert(pairwise_scale(w, a, &t));
		memset(h[a], 0, sizeof(h[a]));
		for (size_t i = 0; i < w->n; i++)
			h[a][w->code[i * D + a]]++;
		sum = 0;
		for (size_t e = 0; e < values[a]; e++)
			sum += h[a][e] += (double)(int64_t)noise_laplace(r,
			    &t);
		v = 2 * pow((double)t.s / (double)t.r, 2) * (double)values[a];
		if (w->slack > 0) {
			*total += sum / v;
			weight += 1 / v;
		}
	}
	*total = w->slack > 0 ? fmax(0, *total / weight) : w->total;
	for (size_t a = 0; a < D; a++)
		nearest(h[a], values[a], *total);
}

Test(pairwise, attributes_are_the_nearest_counts_with_the_total_of_every_look)
{
	uint16_t code[200 * D];
	struct rng r;

	rng_seeded(&r, 3, "singles");
	for (int run = 0; run < 200; run++) {
		struct pairwise w = { .d = D, .values = values, .eps = { 1 +
		    (i128)rng_below(&r, 20), 20 }, .slack = run % 3 ? 5 *
		    (run % 7 + 1) : 0, .n = rng_below(&r, 200), .code = code };
		double h[D][8], total;
		struct rng again;

		w.total = (double)w.n + (double)rng_below(&r, 20);
		for (size_t i = 0; i < w.n * D; i++)
			code[i] = (uint16_t)rng_below(&r, values[i % D]);
		pairwise_plan(&w);
		again = r;
		singles(&w, &again, h, &total);
		cr_assert(pairwise_count(&w, &r));
		cr_assert_float_eq(w.total, total, 1e-9 * (1 + total));
		for (size_t a = 0; a < D; a++)
			for (size_t e = 0; e < values[a]; e++)
				cr_assert_float_eq(w.of[a].count[e], h[a][e],
				    1e-6 * (1 + total), "%d: %g, not %g", run,
				    w.of[a].count[e], h[a][e]);
		pairwise_close(&w);
	}
}

/* By the middle pair's cells: 7.5 roots less 4, from 3 on, of all pairs. */
Test(pairwise, more_pairs_are_chosen_of_more_records_and_epsilon)
{
	for (int i = 0; i < 60; i++) {
		struct pairwise w = { .d = D, .values = values, .eps = { 1 +
		    i % 9, 3 }, .total = 20 * i * i };
		/* pairs of 6, 8, 10, 12, 15 and 20 cells */
		double root = sqrt(w.total * (1 + i % 9) / 3 / (16 * 12));
		double want = floor(fmin(6, 7.5 * root - 4));
		uint64_t share = PAIRWISE_PARTS;

		pairwise_plan(&w);
		cr_assert_eq(w.pairs, 6);
		cr_assert_eq(w.picks, want < 3 ? 0 : want);
		cr_assert_eq(w.choices, want < 3 || want == 6 ? 0 :
		    share / 16);
		if (want >= 3)
			share = (uint64_t)((double)share / (1 + 0.35 * root));
		cr_assert_leq(llabs((int64_t)w.singles - (int64_t)share), 1);
		pairwise_close(&w);
	}
}
