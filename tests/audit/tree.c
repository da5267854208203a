/*
 * tree: the enumerated law of what dx-laplace --strategy tree releases.
 *
 * Every histogram of two people over three elements, every outcome of the
 * noise in a window outside of which next to nothing lies: the law of the
 * rounded prefixes that least squares give, for each neighbour that moves one
 * person.
 */
#include "count.h"
#include "dx/plan/tree.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define N 3
#define PEOPLE 2
#define REACH 9			/* of noise, in steps */
#define EPS 12			/* so that less than e^-15 p lies beyond */
#define LIKELY 1e-3
#define SIDE 41			/* values of a prefix, from -20 */
#define NODES 6

/* The law of the two prefixes between none and all. */
struct release_law {
	double p[SIDE * SIDE];
};

/* e^-|z|/t for the noise of each node, normalised. */
static void
noise_laws(const struct tree *t, struct rational eps,
    double law[NODES][2 * REACH + 1])
{
	struct rational c;
	struct scale s;

	for (size_t v = 0; v < t->nodes; v++) {
		double sum = 0;

		if (t->node[v].part == 0)
			continue;
		cr_assert(tree_scale(t, &t->node[v], &c));
		cr_assert(plan_divide(&c, eps) && plan_noise(c, 0, &s));
		for (int z = -REACH; z <= REACH; z++)
			sum += law[v][z + REACH] = exp(-fabs((double)z) *
			    (double)s.r / (double)s.s);
		for (int z = 0; z <= 2 * REACH; z++)
			law[v][z] /= sum;
	}
}

/* Adds up all outcomes of the noise of the measured nodes from v on. */
static void
outcomes(const struct tree *t, double law[NODES][2 * REACH + 1],
    const int64_t *x, struct release_law *out)
{
	double y[NODES], prefix[N + 1];
	size_t at[NODES], k = 0;
	int z[NODES];

	for (size_t v = 0; v < t->nodes; v++)
		if (t->node[v].part > 0)
			at[k++] = v;
	for (size_t i = 0; i < k; i++)
		z[i] = -REACH;
	memset(out, 0, sizeof(*out));
	for (;;) {
		double p = 1;
		size_t i;
		int a, b;

		for (i = 0; i < k; i++) {
			const struct tree_node *v = &t->node[at[i]];

			p *= law[at[i]][z[i] + REACH];
			y[i] = z[i];
			for (size_t e = v->lo; e < v->hi; e++)
				y[i] += (double)x[e];
		}
		cr_assert(tree_fit(t, y, PEOPLE, prefix));
		a = (int)floor(prefix[1] + 0.5) + SIDE / 2;
		b = (int)floor(prefix[2] + 0.5) + SIDE / 2;
		cr_assert(a >= 0 && a < SIDE && b >= 0 && b < SIDE);
		out->p[a * SIDE + b] += p;
		for (i = 0; i < k && ++z[i] > REACH; i++)
			z[i] = -REACH;
		if (i == k)
			break;
	}
}

static struct audit_count counted;

/* Largest log ratio between any two neighbours, of likely outcomes. */
static double
worst_ratio(const struct tree *t, struct rational eps)
{
	static struct release_law law[N][N];
	double noise[NODES][2 * REACH + 1], worst = 0;

	noise_laws(t, eps, noise);
	for (int i = 0; i < N; i++)
		for (int j = 0; j <= i; j++) {
			int64_t x[N] = { 0 };

			x[i]++;
			x[j]++;
			outcomes(t, noise, x, &law[i][j]);
			law[j][i] = law[i][j];
		}
	for (int stays = 0; stays < N; stays++)
		for (int i = 0; i < N; i++)
			for (int j = 0; j < N; j++) {
				const double *p = law[stays][i].p;
				const double *q = law[stays][j].p;

				counted.pairs++;
				for (int o = 0; o < SIDE * SIDE; o++)
					if (p[o] > LIKELY) {
						counted.outputs++;
						worst = fmax(worst,
						    log(p[o] / q[o]));
					}
			}
	return worst;
}

/*
 * Elements 0, 1 | 2 at distance 1, with the noise on both levels or on the
 * last alone.  In parts of the budget.
 */
static double
worst_tree(bool twin)
{
	struct rational eps = { EPS, 1 }, one = { 1, 1 };
	double worst = 0;
	struct tree t;

	for (uint64_t first = 0; first < 2; first++) {
		uint64_t part[] = { 0, first, 1 };

		cr_assert_eq(tree_make(&t, N, 2, part, one), PLAN_OK);
		if (twin)	/* the first level is forgotten */
			t.whole = 1;
		worst = fmax(worst, worst_ratio(&t, eps) / EPS);
		tree_free(&t);
	}
	return worst;
}

/* [KPAK20 Definition 2, Theorem 1] */
Test(tree, no_move_is_told_beyond_its_budget_by_what_is_released)
{
	double worst = worst_tree(false);

	cr_assert_leq(worst, 1 + 1e-3, "%g", worst);
	cr_assert_gt(worst, 0.9, "%g", worst);
	counted.worst = worst;
	audit_count_print("dx-laplace, trees", &counted);
}

Test(tree, a_forgotten_level_is_told_by_what_is_released)
{
	cr_assert_gt(worst_tree(true), 1.2);
}
