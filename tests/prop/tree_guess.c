/*
 * tree_guess: trees for counts that are drawn to what one expects.
 */
#include "dx/plan/tree_guess.h"

#include <criterion/criterion.h>
#include <math.h>

#define EPSILONS 6

static const double epsilons[EPSILONS] = { 0.01, 0.03, 0.1, 0.3, 1, 4 };

static struct metric
discrete(size_t n)
{
	return (struct metric){ .kind = METRIC_SUM, .bend = METRIC_SMOOTH,
	    .n = n, .bound = 1, .unit = { 1, 1 } };
}

static struct tree
guess(const struct metric *m, enum tree_aim aim, double total, double eps)
{
	struct tree t;

	cr_assert_eq(tree_guess(&t, m, aim, &(struct tree_known){ total, eps }),
	    PLAN_OK);
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
