/* single: counts of elements keep every pair's budget, and what they cost. */
#include "dx/plan/single.h"

#include <math.h>

#include "plan_world.h"

#define ELEMENTS 90

/* Broken budgets of all pairs, with the counts as queries. */
static size_t
broken(const struct world *a, const struct tree *x, size_t *tight)
{
	struct world counts = *a;
	size_t bad;

	counts.w = (struct workload){ .n = a->m.n };
	counts.eps = (struct rational){ 1, 1 };
	for (size_t i = 0; i < a->m.n; i++) {
		int64_t q[ELEMENTS] = { 0 };

		q[i] = 1;
		workload_dense(&counts.w, q, 0);
	}
	bad = world_broken(&counts, x->own + x->nodes - x->n, tight);
	workload_free(&counts.w);
	return bad;
}

static void
weigh(double *importance, uint64_t *state)
{
	for (size_t i = 0; i < ELEMENTS; i++)
		importance[i] = (double)world_draw(state, 50);
}

/* [KPAK20 Theorem 1, Definition 2] */
Test(single, every_pair_keeps_its_budget_exactly_with_and_without_n)
{
	int made = 0, reached = 0;
	uint64_t state = 1;

	for (int run = 0; run < 120; run++) {
		double importance[ELEMENTS];
		struct tree x;
		struct world a;
		size_t tight;

		/* one in five has more elements than opt is asked for */
		world_make(&a, 2 + world_draw(&state, 12) + (run % 5 == 0 ?
		    ELEMENTS - 20 : 0), 1,
		    run % WORLD_KINDS, &state);
		if (run % 2)
			world_hide(&a, run % 6 == 1, &state);
		weigh(importance, &state);
		if (single_choose(&x, &a.m, importance) == PLAN_OK) {
			made++;
			cr_assert_eq(broken(&a, &x, &tight), 0, "run %d", run);
			for (size_t i = 0; i < x.nodes; i++)	/* twin */
				if (x.own[i].num > 0)
					cr_assert(rational_make(&x.own[i],
					    (i128)(rational_real(x.own[i]) *
					    0x1p60 * (1 - 1e-6)),
					    (i128)1 << 60));
			reached += broken(&a, &x, &tight) > 0;
		}
		tree_free(&x);
		world_free(&a);
	}
	cr_assert(made > 70 && reached > made - 10, "%d of %d", reached, made);
}

/* The variance of the first count, and each count's part in it. */
static void
first_of_two(const struct metric *m, double variance, double own, double other)
{
	const double importance[] = { 1, 1 };
	double q[] = { 1, 0 };
	const struct tree_query dense = { .q = q }, range = { 0, 0, NULL };
	double w[3], *v;
	struct tree x;

	cr_assert_eq(single_choose(&x, m, importance), PLAN_OK);
	v = tree_variances(&x);
	cr_assert_float_eq(tree_variance(&x, v, &dense), variance, 1e-6);
	cr_assert_float_eq(tree_variance(&x, v, &range), variance, 1e-6);
	tree_weights(&x, v, &dense, w);
	cr_assert_eq(w[0], 0);	/* n is known, or told by the counts alone */
	cr_assert_float_eq(w[1], own, 1e-9);
	cr_assert_float_eq(w[2], other, 1e-9);
	tree_free(&x);
	free(v);
}

/* Two elements at distance 1: by hand. */
Test(single, the_total_takes_its_part_of_the_error)
{
	const struct metric swap = { .kind = METRIC_SUM, .bend = METRIC_SMOOTH,
	    .n = 2, .bound = 1, .unit = { 1, 1 } };
	const struct metric hidden = { .kind = METRIC_EDGES, .n = 2, .away = 1,
	    .unit = { 1, 1 } };

	first_of_two(&swap, 4, 0.5, -0.5);
	first_of_two(&hidden, 2, 1, 0);
}

/* Elements whose records may not move need no noise, with n or without. */
Test(single, counts_without_noise_are_answered_exactly)
{
	const double importance[] = { 1, 1 }, y[] = { 0, 3, 4 };
	struct metric m = { .kind = METRIC_EDGES, .n = 2, .unit = { 1, 1 } };
	const struct tree_query all = { 0, 1, NULL }, first = { 0, 0, NULL };
	double prefix[3], *v;
	struct tree x;

	cr_assert_eq(single_choose(&x, &m, importance), PLAN_OK);
	v = tree_variances(&x);
	cr_assert_eq(tree_variance(&x, v, &all), 0);
	cr_assert_eq(tree_variance(&x, v, &first), 0);
	for (int open = 0; open < 2; open++) {
		x.open = open;
		tree_fit(&x, y, 7, prefix);
		cr_assert(prefix[1] == 3 && prefix[2] == 7);
	}
	tree_free(&x);
	free(v);
}
