/*
 * pairwise: records fit what was counted of them.
 */
#include "dx/synth/pairwise.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "golden.h"

#define D 4
#define N 2000
#define ROWS 24

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
	pairwise_singles(&w, noise ? &r : NULL);
	w.record = made;
	w.m = N;
	pairwise_pairs(&w, noise ? &r : NULL, &r);
	for (size_t i = 0; i < w.counts; i++) {
		for (size_t k = 0; k < i; k++)
			cr_assert(w.of[i].a != w.of[k].a ||
			    w.of[i].b != w.of[k].b);
		pairwise_scale(&w, i, &t);
		cr_assert_float_eq(w.of[i].variance / (noise ? 2 *
		    pow((double)t.s / (double)t.r, 2) : 1), noise, 1e-9);
	}
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

/* All orders of a few records are as likely, within five sigma. */
Test(pairwise, values_of_an_attribute_stand_in_any_order)
{
	static const unsigned orders[] = { 1, 1, 2, 6, 24 };
	static const size_t many[] = { 4 };
	double count[] = { 1, 1, 1, 1 };
	struct counted of = { .count = count };
	uint16_t made[4];
	struct rng r;

	rng_seeded(&r, 3, "orders");
	for (size_t m = 2; m <= 4; m++) {
		double mean = 24000.0 / orders[m];
		unsigned seen[256] = { 0 }, different = 0;

		for (int run = 0; run < 24000; run++) {
			struct pairwise w = { .d = 1, .values = many,
			    .of = &of, .record = made, .m = m,
			    .total = (double)m };
			unsigned code = 0;

			pairwise_alone(&w, &r);
			for (size_t i = 0; i < m; i++)
				code = code * 4 + made[i];
			seen[code]++;
		}
		for (size_t i = 0; i < 256; i++)
			different += seen[i] > 0 &&
			    fabs(seen[i] - mean) < 5 * sqrt(mean);
		cr_assert_eq(different, orders[m], "%zu: %u", m, different);
	}
}

static const double want[ROWS] = {
	102924.8962, 103518.5828, 101854.7229, 100831.2922, 101275.373,
	101103.668, 103051.5538, 105169.5734, 100893.8394, 98971.10177,
	100468.542, 102182.5983, 103287.201, 103993.8604, 104178.0388,
	106345.9752, 100185.6694, 103987.6091, 101432.0175, 102175.3327,
	99695.48127, 99717.58771, 102993.0901, 101162.4213,
};

/* Few and many pairs, a known total and a hidden one. */
Test(pairwise, records_are_what_they_were)
{
	static double y[2 * N * D];
	uint16_t *code = calloc(2 * N * D, sizeof(*code));
	struct rng r;

	cr_assert(code != NULL);
	rng_seeded(&r, 4, "pairs");
	for (size_t run = 0; run < ROWS; run++) {
		struct pairwise w = { .d = D, .values = values, .eps = { 2 +
		    (i128)(run % 7), run % 2 ? 28 : 3 }, .slack = run % 3 *
		    5.0, .total = N, .n = N, .code = code,
		    .record = code + N * D, .m = N };

		chain(code, &r);
		pairwise_plan(&w);
		pairwise_singles(&w, &r);
		memset(y, 0, sizeof(y));
		y[0] = w.total;
		for (size_t a = 0, at = 1; a < D; a++)
			for (size_t e = 0; e < values[a]; e++)
				y[at++] = w.of[a].count[e];
		pairwise_pairs(&w, &r, &r);
		y[20] = (double)w.picks;
		y[21] = (double)w.singles / PAIRWISE_PARTS;
		y[22] = (double)w.choices / PAIRWISE_PARTS;
		for (size_t i = 0; i < N * D; i++)
			y[23 + i] = (double)w.record[i] * (double)(1 + i / D %
			    7);
		golden_is("pairwise", run, y, 23 + N * D, want[run]);
		pairwise_close(&w);
	}
	free(code);
}
