/*
 * mwem: what a round draws has the laws of its two steps, by chi-square.
 *
 * tests/laws shows that these laws are private.
 */
#include "dx/synth/mwem.h"

#include <criterion/criterion.h>
#include <math.h>

#include "law.h"
#include "laws_of_draws.h"

#define K 5
#define DRAWS 40000
#define WIDE 100

/* One round on five queries; counts what was chosen and the noise. */
static void
rounds(struct mwem *a, uint64_t *chosen, uint64_t *noise, uint64_t seed)
{
	struct rng r;

	rng_seeded(&r, seed, "round");
	for (int i = 0; i < DRAWS; i++) {
		int64_t z;
		size_t k;

		mwem_restart(a);
		mwem_round(a, &r);
		k = a->past[0].k;
		chosen[k]++;
		z = llrint((2 * a->past[0].goal - 1) * (double)a->total *
		    (double)a->q->block[k].width) -
		    (int64_t)mwem_truth(a, k);
		z = z > WIDE ? WIDE : z < -WIDE ? -WIDE : z;
		noise[z + WIDE]++;
	}
}

static void
check(enum select_kind kind, double factor, bool good)
{
	static const int64_t q[K][4] = { { 1, 0, 0, 0 }, { 0, 1, 0, 1 },
	    { 2, 0, 1, 0 }, { 0, 0, 0, 1 }, { 1, 1, 0, 1 } };
	static const int64_t count[4] = { 7, 0, 3, 1 };
	struct workload w = { .n = 4 };
	struct normal n;
	struct mwem a = { .q = &n, .total = 11, .rounds = 1, .kind = kind };
	uint64_t chosen[K] = { 0 }, noise[2 * WIDE + 1] = { 0 };
	double p[K], l[2 * WIDE + 1];

	for (int k = 0; k < K; k++)
		workload_dense(&w, q[k], 0);
	normal_open(&n, &w);
	/* noise of scale 7/2, twice of twice an answer */
	for (int k = 0; k < K; k++)
		n.c[k] = (struct rational){ 7, 4 };
	cr_assert(mwem_budget(&a));
	mwem_open(&a, count);
	rounds(&a, chosen, noise, 3 + kind);
	mwem_restart(&a);
	mwem_scores(&a);
	law_selection(kind, a.score, K, 4 * (double)n.unit * factor, p);
	law_laplace(7 * factor, WIDE, l);
	cr_expect_eq(law_chi2(p, chosen, K, DRAWS) < LAW_Z, good);
	cr_expect_eq(law_chi2(l, noise, 2 * WIDE + 1, DRAWS) < LAW_Z, good);
	mwem_close(&a);
	normal_close(&n);
	workload_free(&w);
}

/* [KPAK20 Algorithm 2] steps 1 and 2; the twins have larger scales. */
Test(mwem, rounds_draw_from_the_laws_of_their_steps)
{
	check(SELECT_FLIP, 1, true);
	check(SELECT_EXPONENTIAL, 1, true);
	check(SELECT_FLIP, 1.25, false);
	check(SELECT_EXPONENTIAL, 1.25, false);
}
