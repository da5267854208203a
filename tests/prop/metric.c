/* metric: the axioms by brute force, exactly; tables checked and closed. */
#include "plan_world.h"

/* sqrt(a) <= sqrt(b) + sqrt(c), in integers. */
static bool
roots(u128 a, u128 b, u128 c)
{
	i128 e = (i128)a - (i128)b - (i128)c;

	return e <= 0 || wide_cmp(wide_mul((u128)e, (u128)e),
	    wide_mul(4 * b, c)) <= 0;
}

/* The metric as a full matrix, with the paths of edges worked out. */
static struct metric
full_matrix(const struct metric *m)
{
	struct metric out = { .kind = METRIC_MATRIX, .n = m->n,
	    .unit = m->unit };
	size_t n = m->n;
	u128 v;

	out.w = malloc((n * n + 1) * sizeof(*out.w));
	cr_assert(out.w != NULL);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			out.w[i * n + j] = i == j ? 0 : metric_between(m, i,
			    j, &v) ? (int64_t)v : METRIC_INF;
	for (size_t e = 0; e < m->edges; e++) {
		size_t i = m->edge[e].i, j = m->edge[e].j;

		if (i != j && m->edge[e].w < out.w[i * n + j])
			out.w[i * n + j] = out.w[j * n + i] = m->edge[e].w;
	}
	if (m->kind == METRIC_EDGES || m->bend == METRIC_BLOWFISH)
		metric_close(&out);
	return out;
}

/* [KPAK20 Definition 2, section 5, section 4.4] */
Test(metric, every_kind_is_symmetric_and_keeps_the_triangle_inequality)
{
	uint64_t state = 1;

	for (int run = 0; run < 240; run++) {
		struct metric full;
		struct world a;
		u128 x, y, z;

		world_make(&a, 4 + world_draw(&state, 15), 1,
		    run % WORLD_KINDS, &state);
		if (!metric_squared(&a.m)) {
			full = full_matrix(&a.m);
			world_free_metric(&a.m);
			a.m = full;
			cr_assert_eq(metric_check(&a.m,
			    &(struct metric_where){ 0, 0, 0 }), METRIC_OK,
			    "run %d", run);
		}
		for (size_t i = 0; i < a.m.n; i++)
			for (size_t j = 0; j < a.m.n; j++)
				for (size_t k = 0; k < a.m.n; k++) {
					bool ij, ik, kj;

					if (i == j || j == k || i == k)
						continue;
					ij = metric_between(&a.m, i, j, &x);
					ik = metric_between(&a.m, i, k, &y);
					kj = metric_between(&a.m, k, j, &z);
					if (!ik || !kj)
						continue;
					cr_assert(ij, "run %d", run);
					cr_assert(metric_squared(&a.m) ?
					    roots(x, y, z) : x <= y + z,
					    "run %d", run);
				}
		world_free(&a);
	}
}

/* [KPAK20 section 5] min of weights fails beyond two values. */
Test(metric, a_minimum_over_three_values_is_caught)
{
	int64_t x[] = { 0, 1, 2 }, w[] = { 10, 1, 10 };
	struct metric m = { .kind = METRIC_VALUES_MIN, .n = 3, .dims = 1,
	    .x = x, .w = w, .unit = { 1, 1 } }, full;
	struct metric_where at;

	full = full_matrix(&m);
	cr_assert_eq(metric_check(&full, &at), METRIC_TRIANGLE);
	cr_assert(at.i == 0 && at.j == 2 && at.k == 1);
	metric_close(&full);
	cr_assert_eq(metric_check(&full, &at), METRIC_OK);
	cr_assert_eq(full.w[2], 2);
	world_free_metric(&full);
}

/* A fault at one place, the first or the last among them. */
Test(metric, a_fault_at_any_one_place_is_caught)
{
	for (size_t n = 3; n < 7; n++)
		for (size_t at = 0; at < n * n * n; at++) {
			size_t i = at % n, j = at / n % n, k = at / n / n;
			int64_t w[36];
			struct metric m = { .kind = METRIC_MATRIX, .n = n,
			    .w = w, .unit = { 1, 1 } };
			struct metric_where found;

			if (i >= j || k == i || k == j)
				continue;
			for (size_t c = 0; c < n * n; c++)
				w[c] = c % (n + 1) == 0 ? 0 : 10;
			w[i * n + j] = w[j * n + i] = 20;
			cr_assert_eq(metric_check(&m, &found), METRIC_OK);
			w[i * n + j] = 19;
			cr_assert_eq(metric_check(&m, &found),
			    METRIC_ASYMMETRIC);
			w[i * n + j] = 20;
			w[j * n + j] = 1;
			cr_assert_eq(metric_check(&m, &found), METRIC_DIAGONAL);
			w[j * n + j] = 0;
			w[j * n + k] = w[k * n + j] = 9;
			cr_assert_eq(metric_check(&m, &found), METRIC_TRIANGLE);
			cr_assert(found.i == i && found.j == j && found.k == k);
		}
}

/* Below the root, and by less than one part in 2^59. */
Test(metric, a_budget_is_rounded_down_a_little)
{
	uint64_t state = 4;
	struct metric m = { .kind = METRIC_EUCLID, .unit = { 1, 1000000 } };

	for (int run = 0; run < 2000; run++) {
		u128 v = (u128)world_draw(&state, UINT64_C(1) << 40) *
		    (1 + world_draw(&state, UINT64_C(1) << (run % 50)));
		struct rational d;
		struct big n, e, q;

		cr_assert(metric_below(&m, v, &d));
		n = big_of((u128)d.num);
		n = big_times(&n, 1000000);
		n = big_mul(&n, &n);
		e = big_of((u128)d.den);
		e = big_mul(&e, &e);
		q = big_times(&e, v);
		cr_assert(big_cmp(&n, &q) <= 0);
		/* (n (1 + 2^-59))^2 > v */
		n = big_of((u128)d.num);
		n = big_times(&n, 1000000);
		n = big_times(&n, ((u128)1 << 59) + 1);
		n = big_mul(&n, &n);
		q = big_times(&q, (u128)1 << 118);
		cr_assert(v == 0 || big_cmp(&n, &q) > 0);
	}
}
