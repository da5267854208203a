/*
 * pairwise: records fit what was counted of them.
 */
#include "dx/synth/pairwise.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

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
