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

Test(slope, the_tree_finds_the_steepest_of_all_pairs)
{
	uint64_t state = 1;

	for (int run = 0; run < 600; run++) {
		size_t n = 2 + world_draw(&state, 150),
		    k = 1 + world_draw(&state, 5), need = SLOPE_NONE;
		double rate[8], best = 0;
		struct steep s = { .rate = rate, .keep = 1 };
		struct slope tree;
		struct world a;
		int64_t *q;
		bool counts;

		world_make(&a, n < 4 ? 4 : n, k, run % WORLD_KINDS, &state);
		n = a.m.n;
		for (size_t i = 0; i < k; i++)
			rate[i] = (double)world_draw(&state, 5) / 3;
		if (world_draw(&state, 2))
			need = world_draw(&state, k);
		q = malloc(n * k * sizeof(*q));
		for (size_t i = 0; i < k; i++)
			workload_row(&a.w, i, q + i, k);
		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; j < i; j++) {
				double l = load_of(&a, q, rate, i, j, need,
				    &counts);

				if (counts && l > best)
					best = l;
			}
		slope_open(&tree, &a.m, q, k);
		s.need = need;
		slope_search(&tree, &s);
		cr_assert_float_eq(s.load, best, 1e-12 * best, "run %d", run);
		cr_assert_eq(s.count > 0, best > 0);
		for (size_t i = 0; i < s.count; i++) {
			struct pair e = slope_ends(&tree, s.pair[i]);

			cr_assert_leq(s.value[i], best);
			if (a.m.kind != METRIC_EDGES)
				cr_assert_eq(load_of(&a, q, rate, e.i, e.j,
				    need, &counts), s.value[i]);
		}
		slope_close(&tree);
		free(q);
		world_free(&a);
	}
}

/* Ties and near-ties are decided by integers, also when there are many. */
Test(slope, the_exact_maximum_is_that_of_all_pairs)
{
	uint64_t state = 2;

	for (int run = 0; run < 600; run++) {
		size_t n = 4 + world_draw(&state, 100),
		    k = 1 + world_draw(&state, 4);
		int64_t mult[8], *q;
		struct ratio best = { 0, 0, { 0, 0 } }, got, r;
		struct slope tree;
		struct world a;
		enum slope_result result;

		world_make(&a, n, k, run % WORLD_KINDS, &state);
		for (size_t i = 0; i < k; i++)
			mult[i] = (int64_t)world_draw(&state, 1000);
		q = malloc(n * k * sizeof(*q));
		for (size_t i = 0; i < k; i++)
			workload_row(&a.w, i, q + i, k);
		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; j < i; j++) {
				r = (struct ratio){ 0, 0, { i, j } };
				if (!world_measure(&a, i, j, &r.measure))
					continue;
				for (size_t l = 0; l < k; l++) {
					int64_t d = q[i * k + l] -
					    q[j * k + l];

					r.num += (u128)(mult[l] *
					    (d < 0 ? -d : d));
				}
				if (ratio_cmp(&r, &best,
				    metric_squared(&a.m)) > 0)
					best = r;
			}
		slope_open(&tree, &a.m, q, k);
		result = slope_exact(&tree, mult, &got);
		cr_assert_eq(result, best.num > 0 ? SLOPE_OK : SLOPE_FLAT);
		if (best.num > 0)
			cr_assert_eq(ratio_cmp(&got, &best,
			    metric_squared(&a.m)), 0, "run %d", run);
		slope_close(&tree);
		free(q);
		world_free(&a);
	}
}
