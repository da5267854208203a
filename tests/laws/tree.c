/*
 * tree: the enumerated law of what dx-laplace --strategy tree releases, and
 * mwem where it counts intervals.
 *
 * Every histogram of two people over three elements, every outcome of the
 * noise in a window outside of which next to nothing lies: the law of the
 * rounded prefixes that least squares give, for each neighbour that moves one
 * person.
 */
#include "world.h"
#include "dx/plan/tree.h"
#include "dx/synth/ladder.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define N 3
#define PEOPLE 2
#define REACH 9			/* of noise, in steps */
#define EPS 12			/* of a scale of 2/3 at most it is enough */
#define LIKELY 1e-3
#define SIDE 41			/* values of a prefix, from -20 */
#define NODES 6

/* The law of the two prefixes between none and all. */
struct release_law {
	double p[SIDE * SIDE];
};

/* e^-|z|/t for the noise of each node, normalised, up to its reach. */
struct noise_law {
	int reach;		/* beyond it lies less than e^-13 */
	double p[2 * REACH + 1];
};

static void
noise_laws(const struct tree *t, struct rational eps, struct noise_law *law)
{
	struct rational c;
	struct scale s;

	for (size_t v = 0; v < t->nodes; v++) {
		double sum = 0;

		if (t->node[v].part == 0)
			continue;
		cr_assert(tree_scale(t, &t->node[v], &c));
		cr_assert(upward_div(&c, c, eps) && plan_noise(c, 0, &s));
		law[v].reach = (int)ceil(13.5 * (double)s.s / (double)s.r);
		cr_assert(law[v].reach <= REACH);
		for (int z = -law[v].reach; z <= law[v].reach; z++)
			sum += law[v].p[z + REACH] = exp(-fabs((double)z) *
			    (double)s.r / (double)s.s);
		for (int z = 0; z <= 2 * REACH; z++)
			law[v].p[z] /= sum;
	}
}

/* What is released: least squares, or the table that mwem fits. */
enum fit { LEAST_SQUARES, TABLE };

/* The prefixes that follow from noisy counts. */
static void
prefixes(const struct tree *t, struct rational eps, enum fit fit,
    const double *y, double *prefix)
{
	struct ladder l = { .tree = *t, .eps = eps, .total = PEOPLE };
	double cell[N];

	if (fit == LEAST_SQUARES) {
		tree_fit(t, y, PEOPLE, prefix);
		return;
	}
	ladder_fit(&l, y, cell);
	prefix[0] = 0;
	for (int i = 0; i < N; i++)
		prefix[i + 1] = prefix[i] + cell[i];
}

/* Adds up all outcomes of the noise of the measured nodes from v on. */
static void
outcomes(const struct tree *t, struct rational eps, enum fit fit,
    const struct noise_law *law, const int64_t *x, struct release_law *out)
{
	double y[NODES] = { 0 }, prefix[N + 1];
	size_t at[NODES], k = 0;
	int z[NODES];

	for (size_t v = 0; v < t->nodes; v++)
		if (t->node[v].part > 0)
			at[k++] = v;
	for (size_t i = 0; i < k; i++)
		z[i] = -law[at[i]].reach;
	memset(out, 0, sizeof(*out));
	for (;;) {
		double p = 1;
		size_t i;
		int a, b;

		for (i = 0; i < k; i++) {
			const struct tree_node *v = &t->node[at[i]];

			p *= law[at[i]].p[z[i] + REACH];
			y[at[i]] = z[i];
			for (size_t e = v->lo; e < v->hi; e++)
				y[at[i]] += (double)x[e];
		}
		prefixes(t, eps, fit, y, prefix);
		a = (int)floor(prefix[1] + 0.5) + SIDE / 2;
		b = (int)floor(prefix[2] + 0.5) + SIDE / 2;
		cr_assert(a >= 0 && a < SIDE && b >= 0 && b < SIDE);
		out->p[a * SIDE + b] += p;
		for (i = 0; i < k && ++z[i] > law[at[i]].reach; i++)
			z[i] = -law[at[i]].reach;
		if (i == k)
			break;
	}
}

static struct audit_count counted;

/* Largest log ratio between any two neighbours, of likely outcomes. */
static double
worst_ratio(const struct tree *t, struct rational eps, enum fit fit)
{
	static struct release_law law[N][N];
	struct noise_law noise[NODES] = { { 0 } };
	double worst = 0;

	noise_laws(t, eps, noise);
	for (int i = 0; i < N; i++)
		for (int j = 0; j <= i; j++) {
			int64_t x[N] = { 0 };

			x[i]++;
			x[j]++;
			outcomes(t, eps, fit, noise, x, &law[i][j]);
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
 * Elements 0, 1 | 2 at distance 1, with these parts of the budget on the two
 * levels: equal, unequal or none.
 */
static double
worst_tree(enum fit fit)
{
	static const uint64_t parts[][3] = { { 0, 0, 1 }, { 0, 1, 1 },
	    { 0, 3, 1 }, { 0, 1, 3 }, { 0, 1, 0 } };
	struct rational eps = { EPS, 1 }, one = { 1, 1 };
	double worst = 0;
	struct tree t;

	for (size_t k = 0; k < sizeof(parts) / sizeof(*parts); k++) {
		/* least squares know of all cells */
		if (fit == LEAST_SQUARES && parts[k][2] == 0)
			continue;
		t = (struct tree){ .n = N, .branching = 2 };
		cr_assert_eq(tree_make(&t, parts[k], one), PLAN_OK);
		if (t.whole > 0)
			worst = fmax(worst, worst_ratio(&t, eps, fit) / EPS);
		tree_free(&t);
	}
	return worst;
}

/* [KPAK20 Definition 2, Theorem 1] */
Test(tree, no_move_is_told_beyond_its_budget_by_what_is_released)
{
	double worst = worst_tree(LEAST_SQUARES);

	cr_assert_leq(worst, 1 + 1e-3, "%g", worst);
	cr_assert_gt(worst, 0.9, "%g", worst);
	counted.worst = worst;
	audit_count_print("dx-laplace, trees", &counted);
}

Test(tree, no_move_is_told_beyond_its_budget_by_a_table)
{
	double worst = worst_tree(TABLE);

	cr_assert_leq(worst, 1 + 1e-3, "%g", worst);
	cr_assert_gt(worst, 0.7, "%g", worst);
	counted.worst = worst;
	audit_count_print("mwem, intervals", &counted);
}
