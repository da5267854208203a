/*
 * How far from f a search stops: the utility theorem of the paper, put right.
 *
 * [D24 Lemma 4.1, Corollary C.4] say that M(x) is between L^(ln k + 1) and
 * beta^k (f + 1) - 1 but for a chance of O(1/k), with eps1 = eps2 = eps/3.
 * That holds above f and not below.
 *
 * Below.  Let q = exp(-eps2), eps1 = eps2, and m outputs be below L^l.  Such an
 * output t has len(t) >= l + 1, so h(t) <= -l, and stops the search only where
 * V_i >= 1 + l + T: with the chance q^(1 + l) E[q^T] = q^(1 + l)/(1 + q) of
 * geometric noise.  Hence P[M < L^l] <= m q^(1 + l)/(1 + q).  With l = ln k
 * this is of the order of k^(-eps/3), as in the paper's own Lemma C.2; its
 * proof of Lemma 4.1 goes on with 1/k, which takes l = (3/eps) ln k.  Nor can a
 * better proof save it: one output with len = l + 1 just below f stops the
 * search with exactly q^(1 + l)/(1 + q).
 *
 * Above.  h >= 1 from f on.  To pass k outputs takes T > max of k V_i, all
 * alike and independent of T: at most one of k + 1 is the only largest, so the
 * chance is 1/(k + 1) at most [D24 Lemma C.3].
 */
#include <criterion/criterion.h>
#include <math.h>

#include "../stat/asym_law.h"
#include "samples.h"
#include "tally_free.h"

#define N 400

/* As --paper has it: a third of eps for the threshold and for each query. */
static void
paper(struct asym *a, struct rational eps)
{
	cr_assert(asym_split(a, eps, (struct rational){ 1, 3 }, 2));
}

/* Cubes of 0 to 999: few large values make up most of it. */
static void
bounds_of(bool variance, uint64_t seed, struct output_bounds *b)
{
	static const struct limits none = { false, false, 0, 0 };
	static const struct limits up = { true, false, 0, 0 };
	struct tally t;
	struct rng r;

	rng_seeded(&r, seed, "stops");
	tally_init(&t, b->c);
	for (int i = 0; i < N; i++) {
		int64_t x = (int64_t)rng_below(&r, 1000);

		tally_add(&t, x * x * x / 1000, 1);
	}
	tally_done(&t);
	if (variance)
		output_bounds_variance(b, &t, 1, &none,
		    NEIGHBORS_SWAP);
	else
		output_bounds_sum(b, &t, &up, NEIGHBORS_SWAP);
	tally_free(&t);
}

/* Both sides of one law: P[M < L^l] and P[k outputs from f on are passed]. */
static void
both_sides(const struct asym *a, const struct output_bounds *b)
{
	const struct output_steps steps = { { 201, 200 }, 0, 0, 0 };
	struct output_span span = { 0, FIXED_MAX, 50000 };
	double q = exp(-rational_real(a->eps2)), below, above;
	int64_t h[10000];
	double p[10000];
	struct outputs o;
	size_t f = 0, i, l, m, k;

	outputs_make(&o, &steps, &span);
	cr_assert_lt(o.n, 10000);
	for (i = 0; i < o.n; i++) {
		h[i] = asym_query(b, o.t[i]);
		f += o.t[i] < b->lo[0];
	}
	asym_law(a, h, o.n, p);
	for (l = 1; l < b->c; l += 7) {
		for (m = 0, below = 0; o.t[m] < b->lo[l]; m++)
			below += p[m];
		cr_expect_leq(below, (double)m * pow(q, 1 + (double)l) /
		    (1 + q) + 1e-12);
	}
	for (k = 1; f + k < o.n; k *= 3) {
		for (above = 0, i = f + k; i < o.n; i++)
			above += p[i];
		cr_expect_leq(above, 1 / (double)(k + 1) + 1e-12);
	}
	outputs_free(&o);
}

/* [D24 Lemma 4.1, Lemma C.2, Lemma C.3] */
Test(stops, neither_side_is_beyond_its_bound)
{
	static const struct rational eps[] = { { 1, 4 }, { 1, 1 }, { 3, 1 } };
	struct output_bounds b;
	struct asym a;

	output_bounds_init(&b, 100);
	for (size_t e = 0; e < 3; e++)
		for (uint64_t seed = 0; seed < 4; seed++) {
			paper(&a, eps[e]);
			bounds_of(seed % 2, seed, &b);
			both_sides(&a, &b);
		}
	output_bounds_free(&b);
}

/* [D24 Corollary C.4] One output below f: 1/k is passed by any factor. */
Test(stops, one_over_k_is_no_bound_from_below)
{
	static const struct rational eps[] = { { 1, 4 }, { 1, 2 }, { 1, 1 } };
	double p[2], q, last = 0;
	int64_t h[2] = { 0, 1 };
	struct asym a;

	for (size_t e = 0; e < 3; e++) {
		paper(&a, eps[e]);
		q = exp(-rational_real(a.eps2));
		for (int l = 2; l < 24; l++) {
			h[0] = -l;
			asym_law(&a, h, 2, p);
			cr_expect_float_eq(p[0] * (1 + q) / pow(q, 1 + l), 1,
			    1e-9);
			/* k = e^l, and k P grows by e^(1 - eps/3) */
			cr_expect(l == 2 || p[0] * exp(l) > 1.9 * last);
			last = p[0] * exp(l);
		}
		cr_expect_gt(last, 1e6);
	}
}
