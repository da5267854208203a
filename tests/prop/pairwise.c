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

Test(pairwise, nobody_and_no_budget_to_speak_of_make_no_records)
{
	struct pairwise w = { .d = D, .values = values, .eps = { 1, 1000 } };
	struct rng r;

	rng_seeded(&r, 2, "nobody");
	pairwise_plan(&w);
	pairwise_singles(&w, &r);
	pairwise_pairs(&w, &r, &r);
	cr_assert_eq(w.picks, 0);
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
		cr_assert_float_eq((double)w.choices, want < 3 || want == 6 ?
		    0 : 0.17 / root * PAIRWISE_PARTS, 1);
		none += w.picks == 0;
		some += w.choices > 0;
		pairwise_close(&w);
	}
	cr_assert(none > 0 && some > 0);
}

/* Another who chooses by the scores left, with the same draws. */
static void
choose(struct pairwise *v, size_t k, int64_t *score, struct rng *r)
{
	struct counted was = v->pair[k];
	struct scale t;
	size_t at;

	pairwise_choice(v, &t);
	select_draw(r, &t, SELECT_FLIP, score + k, v->pairs - k, 1, &at);
	v->pair[k] = v->pair[k + at];
	v->pair[k + at] = was;
	score[k + at] = score[k];
}

/* Count i is of the pair, by classes, with noise of the scale. */
static void
counted(const struct pairwise *w, size_t i, const struct counted *pair,
    struct rng *r)
{
	const struct counted *c = &w->of[i];
	double x[20] = { 0 };
	struct scale t;

	cr_assert(c->a == pair->a && c->b == pair->b);
	for (size_t k = 0; k < w->n; k++)
		x[pairwise_cell(w, c, w->code + k * D)]++;
	pairwise_scale(w, i, &t);
	for (size_t e = 0; e < c->cells; e++)
		cr_assert_eq(c->count[e], x[e] + (double)(int64_t)
		    noise_laplace(r, &t));
}

/* The same draws and tables as by w, from its singles on. */
static void
follow(const struct pairwise *w, struct pairwise *v, struct rng *noise,
    struct rng *r)
{
	int64_t score[6];

	pairwise_alone(v, r);
	for (size_t k = 0; k < v->picks; k++) {
		/* four tables, if there is a choice */
		if (v->picks < 6 && k % (1 + v->picks / 4) == 0) {
			for (size_t i = v->counts; i < D + k; i++)
				counted(w, i, &v->pair[i - D], noise);
			for (; v->counts < D + k; v->counts++)
				v->of[v->counts] = w->of[v->counts];
			if (k > 0)
				pairwise_fit(v, r);
			pairwise_scores(v, score);
		}
		if (v->picks < 6)
			choose(v, k, score, noise);
	}
	for (; v->counts < D + v->picks; v->counts++) {
		counted(w, v->counts, &v->pair[v->counts - D], noise);
		v->of[v->counts] = w->of[v->counts];
	}
	pairwise_fit(v, r);
}

Test(pairwise, pairs_are_chosen_and_counted_with_the_draws_of_their_scales)
{
	uint16_t *code = calloc(3 * N * D, sizeof(*code));
	struct rng r;

	cr_assert(code != NULL);
	rng_seeded(&r, 4, "pairs");
	chain(code, &r);
	for (int run = 0; run < 20; run++) {
		struct pairwise w = { .d = D, .values = values, .eps = { 2 +
		    run % 3, 28 }, .total = N, .n = N, .code = code,
		    .record = code + N * D, .m = N }, v = w;
		struct rng again = r, fit, like;

		v.record = code + 2 * N * D;
		rng_seeded(&fit, (uint64_t)run, "fit");
		like = fit;
		pairwise_plan(&w);
		pairwise_plan(&v);
		pairwise_singles(&w, &r);
		pairwise_singles(&v, &again);
		pairwise_pairs(&w, &r, &fit);
		cr_assert(w.picks >= 3 && w.counts == D + w.picks);
		cr_assert_eq(w.picks < 6, run % 3 < 2);
		follow(&w, &v, &again, &like);
		cr_assert_eq(memcmp(w.record, v.record, N * D *
		    sizeof(*code)), 0);
		v.counts = D;
		pairwise_close(&v);
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
