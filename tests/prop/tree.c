/*
 * tree: counts of intervals, and of single elements, keep every pair's budget
 * in exact arithmetic; fits, their variances and weights.
 */
#include "dx/plan/tree.h"

#include "plan_world.h"

#define CELLS 96

static struct metric
discrete(size_t n)
{
	return (struct metric){ .kind = METRIC_SUM, .bend = METRIC_SMOOTH,
	    .n = n, .bound = 1, .unit = { 1, 1 } };
}

/* A tree of random branching and parts, some levels without any. */
static void
random_tree(struct tree *t, size_t n, struct rational least, uint64_t *state)
{
	uint64_t part[TREE_LEVELS + 1];
	size_t b = 2 + world_draw(state, 5), levels = tree_depth(n, b);

	for (size_t l = 1; l <= levels; l++)
		part[l] = l < levels && world_draw(state, 4) == 0 ? 0 :
		    1 + world_draw(state, 1000);
	*t = (struct tree){ .n = n, .branching = b };
	cr_assert_eq(tree_make(t, part, least), PLAN_OK);
}

/* Broken budgets of all pairs, with the measured nodes as queries. */
static size_t
broken(const struct world *a, const struct tree *t, size_t *tight)
{
	struct rational *c = malloc((t->nodes + 1) * sizeof(*c));
	struct world nodes = *a;
	size_t bad;

	nodes.w = (struct workload){ .n = a->m.n };
	for (size_t k = 0; k < t->nodes; k++) {
		const struct tree_node *v = &t->node[k];
		int64_t q[CELLS] = { 0 };

		if (v->part == 0)
			continue;
		for (size_t i = v->lo; i < v->hi; i++)
			q[i] = 1;
		cr_assert(tree_scale(t, v, &c[nodes.w.k]));
		workload_dense(&nodes.w, q, 0);
	}
	bad = world_broken(&nodes, c, tight);
	workload_free(&nodes.w);
	free(c);
	return bad;
}

/* Open trees and rows: their root, or all records, may be measured. */
Test(tree, a_record_that_comes_or_goes_keeps_its_budget_exactly)
{
	int trees = 0, rows = 0, roots = 0, touched = 0, caught = 0;
	uint64_t state = 8;

	for (int run = 0; run < 240; run++) {
		struct world a;
		struct tree t;
		size_t tight;

		world_make(&a, 2 + world_draw(&state, 26), 1,
		    run % WORLD_KINDS, &state);
		world_hide(&a, run % 3 == 0, &state);
		if (tree_choose(&t, &a.m, run % 2 ? TREE_RANGES :
		    TREE_PREFIXES) == PLAN_OK) {
			cr_assert(t.open);
			cr_assert_eq(broken(&a, &t, &tight), 0, "run %d", run);
			touched += tight > 0;
			trees += t.branching > 0;
			rows += t.branching == 0;
			if (t.branching > 0 && t.part[0] > 0) {
				roots++;
				t.whole -= t.part[0];	/* twin */
				caught += broken(&a, &t, &tight) > 0;
			}
		}
		tree_free(&t);
		world_free(&a);
	}
	cr_assert(trees > 80 && rows > 10 && roots > 20, "%d trees, %d rows, "
	    "%d roots", trees, rows, roots);
	cr_assert(touched > 80 && caught > roots / 2, "%d, %d of %d", touched,
	    caught, roots);
}

/* Distances that add up: differences of neighbors, and no levels. */
static void
row_tree(struct tree *t, size_t n, enum tree_aim aim)
{
	int64_t x[CELLS];
	struct metric m = { .kind = METRIC_SUM, .n = n, .dims = 1, .x = x,
	    .unit = { 1, 1 } };

	for (size_t i = 0; i < n; i++)
		x[i] = (int64_t)(7 * i + i * i);
	cr_assert_eq(tree_choose(t, &m, aim), PLAN_OK);
	cr_assert_eq(t->branching, 0);
}

/* Does every node that is measured get noise? */
static bool
is_noisy(const struct tree *t)
{
	bool noisy = true;
	struct rational c;

	for (size_t k = 0; k < t->nodes; k++) {
		cr_assert(tree_scale(t, &t->node[k], &c));
		noisy = noisy && (t->node[k].part == 0 || c.num > 0);
	}
	return noisy;
}

/* The slope of the squares along counts x, as a part of that before a fit. */
static double
slope_along(const struct tree *t, const double *noisy, const double *prefix,
    const double *x)
{
	double sum = 0, all = 0;

	for (size_t k = 0; k < t->nodes; k++) {
		const struct tree_node *v = &t->node[k];
		struct rational c;
		double z = 0;

		if (v->part == 0)
			continue;
		for (size_t i = v->lo; i < v->hi; i++)
			z += x[i];
		cr_assert(tree_scale(t, v, &c));
		z /= pow(rational_real(c), 2);
		sum += z * (noisy[k] - prefix[v->hi] + prefix[v->lo]);
		all += fabs(z * noisy[k]);
	}
	return all > 0 ? sum / all : 0;
}

static double
answer(const struct tree *t, const double *prefix, const double *q)
{
	double sum = 0;

	for (size_t i = 0; i < t->n; i++)
		sum += q[i] * (prefix[i + 1] - prefix[i]);
	return sum;
}

/*
 * Least squares: no other counts are nearer, in any direction (x), but that of
 * a known sum.
 * The noise of a node moves the answer by its weight, and adds its part to the
 * variance.
 */
static void
check_fit(struct tree *t, uint64_t *state)
{
	double y[8 * CELLS] = { 0 }, w[8 * CELLS] = { 0 }, q[CELLS], x[CELLS];
	double *v = tree_variances(t), fit[CELLS + 1], sum = 0, all = 0, was;
	const struct tree_query dense = { 0, 0, q };
	struct rational c;

	if (!is_noisy(t)) {
		free(v);
		return;
	}
	for (size_t i = 0; i < t->n; i++) {
		q[i] = (double)world_draw(state, 100) / 10;
		sum += x[i] = (double)world_draw(state, 100);
	}
	for (size_t i = 0; i < t->n && !t->open; i++)
		x[i] -= sum / (double)t->n;
	for (size_t k = 0; k < t->nodes; k++)
		y[k] = (double)world_draw(state, 2000) - 500;
	tree_fit(t, y, 3000, fit);
	cr_assert_float_eq(slope_along(t, y, fit, x), 0, 1e-9);
	was = answer(t, fit, q);
	tree_weights(t, v, &dense, w);
	for (size_t k = 0; k < t->nodes; k++) {
		y[k] += 1000;
		tree_fit(t, y, 3000, fit);
		y[k] -= 1000;
		cr_assert_float_eq(answer(t, fit, q) - was, 1000 * w[k], 1e-6,
		    "node %zu", k);
		if (t->node[k].part == 0)
			continue;
		cr_assert(tree_scale(t, &t->node[k], &c));
		all += 2 * pow(w[k] * rational_real(c), 2);
	}
	cr_assert_float_eq(all, tree_variance(t, v, &dense), 1e-9 * all);
	free(v);
}

/* What is expected is the mean over the queries that are aimed at. */
static void
check_rms(const struct tree *t, enum tree_aim aim)
{
	double *v = tree_variances(t), sum = 0, count = 0;

	for (size_t last = 0; last < t->n; last++)
		for (size_t first = 0; first <= last &&
		    (aim == TREE_RANGES || first == 0); first++, count++)
			sum += tree_variance(t, v, &(struct tree_query){
			    first, last, NULL });
	cr_assert_float_eq(t->rms, sqrt(sum / count), 1e-9 * t->rms);
	free(v);
}

Test(tree, fits_err_as_little_as_said)
{
	uint64_t state = 3;

	for (int run = 0; run < 240; run++) {
		struct metric m = discrete(2 + world_draw(&state, 17));
		enum tree_aim aim = run % 2 ? TREE_RANGES : TREE_PREFIXES;
		struct tree t;

		if (run % 5 > 1) {
			random_tree(&t, m.n, (struct rational){ 3, 2 },
			    &state);
		} else {
			if (run % 5 == 0)
				row_tree(&t, m.n, aim);
			else
				cr_assert_eq(tree_choose(&t, &m, aim),
				    PLAN_OK);
			check_rms(&t, aim);
		}
		check_fit(&t, &state);
		tree_free(&t);
	}
}

/* [KPAK20 Theorem 1, Definition 2] */
Test(single, every_pair_keeps_its_budget_exactly_with_and_without_n)
{
	int made = 0, reached = 0;
	uint64_t state = 1;

	for (int run = 0; run < 120; run++) {
		struct tree x;
		struct world a;
		size_t tight;

		world_make(&a, 2 + world_draw(&state, 12) + (run % 5 == 0 ?
		    70 : 0), 1, run % WORLD_KINDS, &state);
		if (run % 2)
			world_hide(&a, run % 6 == 1, &state);
		if (single_choose(&x, &a.m) == PLAN_OK) {
			made++;
			cr_assert_eq(broken(&a, &x, &tight), 0, "run %d", run);
			check_fit(&x, &state);
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

/* --- trees for counts that are drawn to what one expects ------------------ */

#define EPSILONS 6

static const double epsilons[EPSILONS] = { 0.01, 0.03, 0.1, 0.3, 1, 4 };

static struct tree
guess(const struct metric *m, enum tree_aim aim, double total, double eps)
{
	struct tree t;

	cr_assert_eq(tree_guess(&t, m, aim, total, eps), PLAN_OK);
	return t;
}

/* The same branching, parts and noise. */
static bool
equal(const struct tree *a, const struct tree *b)
{
	bool same = a->branching == b->branching && a->levels == b->levels &&
	    a->whole == b->whole && a->nodes == b->nodes;

	for (size_t l = 1; same && l <= a->levels; l++)
		same = a->part[l] == b->part[l];
	return same;
}

/* Cells in the finest intervals that are counted. */
static size_t
finest(const struct tree *t)
{
	size_t last = 0, cells = t->n;

	for (size_t l = 1; l <= t->levels; l++)
		last = t->part[l] > 0 ? l : last;
	for (size_t k = 0; k < t->nodes; k++)
		if (t->node[k].level == last)
			cells = t->node[k].hi - t->node[k].lo;
	return cells;
}

/* Much is known: the noise alone decides.  Nothing is: that as well. */
Test(tree_guess, many_records_have_the_tree_of_least_noise)
{
	static const double totals[] = { 0, 1e9 };

	for (size_t n = 2; n < 5000; n += 1 + n / 2)
		for (int k = 0; k < 4; k++) {
			enum tree_aim aim = k % 2 ? TREE_RANGES :
			    TREE_PREFIXES;
			struct metric m = discrete(n);
			struct tree t = guess(&m, aim, totals[k / 2], 1), best;

			cr_assert_eq(tree_choose(&best, &m, aim), PLAN_OK);
			cr_assert(equal(&t, &best), "%zu", n);
			cr_assert_eq(t.rms, best.rms);
			tree_free(&t);
			tree_free(&best);
		}
}

/* With little to be seen intervals are wide, and errors are smaller. */
Test(tree_guess, what_noise_hides_is_not_counted)
{
	for (size_t n = 256; n <= 4096; n *= 4)
		for (int aim = 0; aim < 2; aim++) {
			struct metric m = discrete(n);
			size_t last = n;
			struct tree best;

			cr_assert_eq(tree_choose(&best, &m, aim ? TREE_RANGES :
			    TREE_PREFIXES), PLAN_OK);
			for (int e = 0; e < EPSILONS; e++) {
				struct tree t = guess(&m, aim ? TREE_RANGES :
				    TREE_PREFIXES, 50000, epsilons[e]);

				cr_assert(finest(&t) <= last, "%zu: %g", n,
				    epsilons[e]);
				cr_assert(t.rms <= best.rms);
				last = finest(&t);
				cr_assert(e > 1 || last >= n / 256, "%zu", n);
				tree_free(&t);
			}
			cr_assert_eq(last, 1);
			tree_free(&best);
		}
	/* an eighth of the universe at least, or close to that */
	struct metric m = discrete(1024);
	struct tree t = guess(&m, TREE_RANGES, 5000, 0.01);

	cr_assert_geq(finest(&t), 64);
	tree_free(&t);
}

/* Distances twice as long are a budget twice as large. */
Test(tree_guess, only_epsilon_times_the_least_distance_counts)
{
	for (int e = 0; e < EPSILONS; e++) {
		struct metric m = discrete(700), far = discrete(700);
		struct tree a = guess(&m, TREE_RANGES, 20000, epsilons[e]), b;

		far.unit.num = 2;
		b = guess(&far, TREE_RANGES, 20000, epsilons[e] / 2);
		cr_assert(equal(&a, &b), "%g", epsilons[e]);
		cr_assert_float_eq(a.rms, 2 * b.rms, 1e-6 * a.rms);
		tree_free(&a);
		tree_free(&b);
	}
}
