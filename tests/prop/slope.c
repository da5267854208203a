/* slope: branch and bound over boxes against all pairs. */
#include "plan_world.h"

static double
load_of(const struct world *a, const int64_t *q, const double *rate, size_t i,
    size_t j, size_t need, bool *counts)
{
	double sum = 0, d;
	u128 v;

	*counts = world_measure(a, i, j, &v);
	if (!*counts)
		return 0;
	d = metric_squared(&a->m) ? sqrt((double)v) : (double)v;
	for (size_t k = 0; k < a->w.k; k++)
		sum += rate[k] * fabs((double)(q[i * a->w.k + k] -
		    q[j * a->w.k + k]));
	*counts = sum > 0 && (need == SLOPE_NONE || q[i * a->w.k + need] !=
	    q[j * a->w.k + need]);
	return d > 0 ? sum / d : HUGE_VAL;
}

/* The steepest of all pairs for these rates: the oracle, and some that bind. */
static void
check_search(const struct world *a, struct slope *tree, const int64_t *q,
    const double *rate, size_t need)
{
	struct steep s = { .rate = rate, .keep = 1, .need = need };
	double best = 0;
	bool counts;

	for (size_t i = 0; i < a->m.n; i++)
		for (size_t j = 0; j < i; j++) {
			double l = load_of(a, q, rate, i, j, need, &counts);

			if (counts && l > best)
				best = l;
		}
	slope_search(tree, &s);
	cr_assert_float_eq(s.load, best, 1e-12 * best);
	cr_assert_eq(s.count > 0, best > 0);
	for (size_t i = 0; i < s.count; i++) {
		struct pair e = slope_ends(tree, s.pair[i]);

		cr_assert_leq(s.value[i], best);
		if (a->m.kind != METRIC_EDGES)
			cr_assert_eq(load_of(a, q, rate, e.i, e.j, need,
			    &counts), s.value[i]);
	}
}

/* Ties and near-ties are decided by integers, also when there are many. */
static void
check_exact(const struct world *a, struct slope *tree, const int64_t *q,
    const int64_t *mult)
{
	struct ratio best = { 0, 0, { 0, 0 } }, got, r;
	bool squared = metric_squared(&a->m);
	size_t k = a->w.k;

	for (size_t i = 0; i < a->m.n; i++)
		for (size_t j = 0; j < i; j++) {
			r = (struct ratio){ 0, 0, { i, j } };
			if (!world_measure(a, i, j, &r.measure))
				continue;
			for (size_t l = 0; l < k; l++)
				r.num += (u128)(mult[l] * llabs(q[i * k + l] -
				    q[j * k + l]));
			if (ratio_cmp(&r, &best, squared) > 0)
				best = r;
		}
	cr_assert_eq(slope_exact(tree, mult, &got), best.num > 0 ? SLOPE_OK :
	    SLOPE_FLAT);
	cr_assert(best.num == 0 || ratio_cmp(&got, &best, squared) == 0);
}

Test(slope, the_tree_finds_the_steepest_of_all_pairs)
{
	uint64_t state = 1;

	for (int run = 0; run < 600; run++) {
		size_t n = 4 + world_draw(&state, 150),
		    k = 1 + world_draw(&state, 5);
		int64_t mult[8], *q = malloc(n * k * sizeof(*q));
		double rate[8];
		struct slope tree;
		struct world a;

		world_make(&a, n, k, run % WORLD_KINDS, &state);
		for (size_t i = 0; i < k; i++) {
			rate[i] = (double)world_draw(&state, 5) / 3;
			mult[i] = (int64_t)world_draw(&state, 1000);
			workload_row(&a.w, i, q + i, k);
		}
		slope_open(&tree, &a.m, q, k);
		check_search(&a, &tree, q, rate, world_draw(&state, 2) ?
		    world_draw(&state, k) : SLOPE_NONE);
		check_exact(&a, &tree, q, mult);
		slope_close(&tree);
		free(q);
		world_free(&a);
	}
}
