/*
 * pairwise: records fit what was counted of them.
 */
#include "dx/synth/pairwise.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "nearest.h"

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
	pairwise_singles(&w, noise ? &r : NULL);
	pairwise_pairs(&w, noise ? &r : NULL);
	for (size_t i = 0; i < w.counts; i++) {
		pairwise_scale(&w, i, &t);
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
	pairwise_singles(&w, &r);
	pairwise_pairs(&w, &r);
	cr_assert_eq(w.picks, 0);
	pairwise_records(&w, 0, &r, NULL);
	pairwise_close(&w);
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
		pairwise_scale(w, a, &t);
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
		pairwise_singles(&w, &r);
		cr_assert_float_eq(w.total, total, 1e-9 * (1 + total));
		for (size_t a = 0; a < D; a++)
			for (size_t e = 0; e < values[a]; e++)
				cr_assert_float_eq(w.of[a].count[e], h[a][e],
				    1e-6 * (1 + total), "%d: %g, not %g", run,
				    w.of[a].count[e], h[a][e]);
		pairwise_close(&w);
	}
}

/* By the cells of a middling pair: 8.5 roots less 4.5, from 3 on, of all. */
Test(pairwise, more_pairs_are_chosen_of_more_records_and_epsilon)
{
	size_t none = 0, some = 0;

	for (int i = 0; i < 60; i++) {
		struct pairwise w = { .d = D, .values = values, .eps = { 1 +
		    i % 9, 3 }, .total = 20 * i * i };
		/* 2 * 5 * 3 * 4 values: a pair has the root in the mean */
		double root = sqrt(w.total * (1 + i % 9) / 48 / sqrt(120));
		double want = floor(fmin(6, 8.5 * root - 4.5));
		double share = PAIRWISE_PARTS;
		struct rng r;

		rng_seeded(&r, (uint64_t)i, "more");
		pairwise_plan(&w);
		if (want >= 3)
			share /= 1 + 0.45 * root;
		cr_assert_float_eq((double)w.singles, share, 1);
		cr_assert_eq(w.picks, want < 3 ? 0 : want);
		pairwise_singles(&w, &r);
		cr_assert_eq(w.pairs, 6);
		cr_assert_eq(w.picks, want < 3 ? 0 : want);
		cr_assert_eq(w.choices, want < 3 || want == 6 ? 0 :
		    PAIRWISE_PARTS / 16);
		none += w.picks == 0;
		some += w.choices > 0;
		pairwise_close(&w);
	}
	cr_assert(none > 0 && some > 0);
}

/* The same draws: chosen by the scores, counted by classes, with each scale. */
Test(pairwise, pairs_are_chosen_and_counted_with_the_draws_of_their_scales)
{
	uint16_t *code = calloc(N * D, sizeof(*code));
	struct rng r;

	cr_assert(code != NULL);
	rng_seeded(&r, 4, "pairs");
	chain(code, &r);
	for (int run = 0; run < 20; run++) {
		struct pairwise w = { .d = D, .values = values, .eps = { 1 +
		    run % 3, 2 }, .total = N, .n = N, .code = code };
		int64_t score[6];
		size_t chosen[6];
		struct rng again;
		struct scale t;

		pairwise_plan(&w);
		pairwise_singles(&w, &r);
		again = r;
		pairwise_pairs(&w, &r);
		cr_assert(w.picks >= 3 && w.counts == D + w.picks);
		for (size_t k = 0; k < 6; k++)
			chosen[k] = k;
		if (w.picks < 6) {
			pairwise_choice(&w, &t);
			pairwise_scores(&w, score);
			select_draw(&again, &t, SELECT_FLIP, score, 6,
			    w.picks, chosen);
		}
		for (size_t i = D; i < w.counts; i++) {
			const struct counted *c = &w.of[i];
			double x[20] = { 0 };

			cr_assert_eq(c->a, w.pair[chosen[i - D]].a);
			cr_assert_eq(c->b, w.pair[chosen[i - D]].b);
			for (size_t k = 0; k < N; k++)
				x[w.class[c->a][code[k * D + c->a]] *
				    w.classes[c->b] +
				    w.class[c->b][code[k * D + c->b]]]++;
			pairwise_scale(&w, i, &t);
			for (size_t e = 0; e < c->cells; e++)
				cr_assert_eq(c->count[e], x[e] + (double)
				    (int64_t)noise_laplace(&again, &t));
		}
		pairwise_close(&w);
	}
	free(code);
}

/* Classes are runs of values; each but the last has enough, and is no longer
   than needed. */
Test(pairwise, classes_are_runs_of_values_with_enough_records)
{
	static const size_t one[1] = { 30 };
	size_t longest = 0;
	struct rng r;

	rng_seeded(&r, 5, "classes");
	for (int run = 0; run < 300; run++) {
		struct pairwise w = { .d = 1, .values = one, .eps = { 1 +
		    run % 5, 2 } };
		double least, in = 0, left;

		pairwise_plan(&w);
		for (size_t v = 0; v < 30; v++)
			w.total += w.of[0].count[v] = (double)(rng_below(&r,
			    4) ? rng_below(&r, 9) : rng_below(&r, 300));
		least = 1.4 * sqrt(w.total * 2 / (1 + run % 5));
		pairwise_merge(&w);
		left = w.total;
		cr_assert_eq(w.class[0][0], 0);
		for (size_t v = 0; v < 30; v++) {
			bool next = v > 0 && w.class[0][v] !=
			    w.class[0][v - 1];

			if (v > 0)
				cr_assert_eq(next, in >= least &&
				    left > least);
			cr_assert_eq(w.class[0][v], (v > 0 ?
			    w.class[0][v - 1] : 0) + next);
			in = (next ? 0 : in) + w.of[0].count[v];
			left -= w.of[0].count[v];
		}
		cr_assert_eq(w.classes[0], w.class[0][29] + 1);
		longest = w.classes[0] > longest ? w.classes[0] : longest;
		pairwise_close(&w);
	}
	cr_assert(longest > 3);
}
