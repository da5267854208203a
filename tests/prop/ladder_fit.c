/*
 * ladder_fit: tables from counts of intervals, by their sums.  Flat, sloped,
 * rough and sparse counts; some levels are not counted.
 */
#include "dx/synth/ladder.h"

#include "golden.h"

#define NODES 4096
#define ROWS 40

static const double want[ROWS] = {
	423.8527422, 398.4469862, 401.0282815, 421.655684, 418.3362582,
	421.3062064, 398.5691858, 432.4677793, 398.366421, 399.3341823,
	418.507746, 397.1473792, 405.3852061, 420.7427583, 407.548241,
	405.770099, 390.3804582, 404.1163557, 402.2768368, 392.8489536,
	400.2752236, 425.5837364, 411.0856836, 398.9962812, 411.9762752,
	419.8780426, 412.1965566, 424.7145462, 404.998416, 380.5760838,
	409.6777892, 396.8169901, 411.7638945, 407.9780613, 390.1153221,
	405.2718962, 422.6509777, 425.1415016, 401.0260113, 427.0935781,
};

static int64_t
shape(size_t kind, size_t i, size_t n, struct rng *r)
{
	switch (kind) {
	case 0: return 30;
	case 1: return 3 * (int64_t)i;
	case 2: return (int64_t)rng_below(r, 500);
	case 3: return 5 * (rng_below(r, 10) == 0);
	case 4: return (int64_t)rng_below(r, 7);
	default: return i > n / 3 ? 90 : 2;
	}
}

static void
tree_of(struct ladder *l, size_t run, struct rng *r)
{
	size_t n = 2 + (size_t)rng_below(r, run % 4 == 0 ? 700 : run % 4 ==
	    1 ? 7 : 90);
	size_t branching = 2 + (size_t)rng_below(r, run % 8 == 0 ? 60 : 8);
	size_t levels = tree_depth(n, branching);
	uint64_t part[TREE_LEVELS + 1] = { 0 };

	for (size_t k = 1; k <= levels; k++)
		part[k] = rng_below(r, 3);
	/* the last may be left out, where another is counted */
	part[1] += levels == 1 || run % 3 == 0;
	part[levels] = levels == 1 || run % 3 > 0;
	l->tree = (struct tree){ .n = n, .branching = branching };
	cr_assert_eq(tree_make(&l->tree, part, (struct rational){ 1, 1 }),
	    PLAN_OK);
	cr_assert(l->tree.nodes < NODES);
}

Test(ladder_fit, a_fit_is_what_it_was)
{
	static double own[NODES], y[NODES], row[50];
	static int64_t sum[NODES];
	struct scale t;
	struct rng r;

	rng_seeded(&r, 8, "fit");
	for (size_t run = 0; run < 50 * ROWS; run++) {
		struct ladder l = { .eps = { 1 + (i128)rng_below(&r, 20),
		    1 + (i128)rng_below(&r, 20) } };
		size_t n;

		tree_of(&l, run, &r);
		n = l.tree.n;
		for (size_t i = 0; i < n; i++)
			sum[i + 1] = sum[i] + shape(run % 6, i, n, &r);
		for (size_t k = 0; k < l.tree.nodes; k++) {
			const struct tree_node *v = &l.tree.node[k];

			own[k] = 0;
			if (v->part == 0)
				continue;
			cr_assert(ladder_scale(&l, v, &t));
			own[k] = (double)(sum[v->hi] - sum[v->lo] +
			    noise_laplace(&r, &t));
		}
		l.total = (double)sum[n];
		ladder_fit(&l, own, y);
		row[run % 50] = golden_sum(y, n) / (1 + l.total);
		tree_free(&l.tree);
		if (run % 50 == 49)
			golden_is("ladder_fit", run / 50, row, 50, want[run /
			    50]);
	}
}
