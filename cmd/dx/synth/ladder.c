/*
 * ladder: a table from counts of intervals, for prefixes and ranges.
 *
 * Privacy is the tree's (dx/plan/tree.c): on each level a moved record changes
 * two counts by one each, or none, and the levels share the budget; a record
 * that comes or goes changes one count in a level, so that the noise keeps half
 * this budget.  Later steps look at noisy counts and public numbers only.
 *
 * Where the intervals are prefixes, each has a separate count.  The true counts
 * rise from 0 to n, and such sequences are a convex set; the nearest sequence
 * to the noisy counts is therefore no farther from the truth than the noisy
 * counts, in squares, whatever the data.  For a tree's counts see ladder_fit.c.
 */
#include "ladder.h"

#include <math.h>
#include <stdlib.h>

#include "dx/plan/plan.h"
#include "dx/plan/upward.h"
#include "counts.h"
#include "number/memory.h"
#include "tool/err.h"

bool
ladder_scale(const struct ladder *l, const struct tree_node *v, struct scale *t)
{
	struct rational c, eps;

	*t = (struct scale){ 0, 1 };
	return rational_make(&eps, l->eps.num, l->eps.den << l->shift) &&
	    tree_scale(&l->tree, v, &c) && (c.num == 0 ||
	    (upward_div(&c, c, eps) && plan_noise(c, 0, t)));
}

static bool
ladder_fits(const struct ladder *l)
{
	struct scale t;

	for (size_t k = 0; k < l->tree.nodes; k++)
		if (!ladder_scale(l, &l->tree.node[k], &t))
			return false;
	return true;
}

/* Leaves a part of the budget to a look, where it is worth it. */
static void
ladder_look(struct ladder *l)
{
	struct descent d = { .n = l->tree.n, .shift = l->shift,
	    .total = l->total, .variance = l->variance };
	struct rational eps = l->eps, c;

	if (l->tree.branching > 0 && upward_div(&c, l->tree.unit, eps) &&
	    descent_open(&d, c) && rational_mul(&l->eps, eps,
	    (struct rational){ DESCENT_PARTS - d.part, DESCENT_PARTS }) &&
	    ladder_fits(l))
		l->descent = d;
	else
		l->eps = eps;
}

bool
ladder_open(struct ladder *l, const struct metric *m, enum tree_aim aim)
{
	struct rational eps = l->eps;
	enum plan_result r = tree_guess(&l->tree, m, aim, l->total,
	    rational_real(eps));

	/* a tree with the root alone, or none, protects no pair */
	if (r != PLAN_OK || l->tree.unit.num == 0 || !ladder_fits(l))
		return false;
	l->expected = l->tree.rms * (double)eps.den / (double)eps.num;
	ladder_look(l);
	return true;
}

/* Counts for the nodes with a part of the budget. */
static void
count_nodes(const struct ladder *l, const int64_t *sum, struct rng *r,
    double *noisy)
{
	struct scale t;

	for (size_t k = 0; k < l->tree.nodes; k++) {
		const struct tree_node *v = &l->tree.node[k];

		if (v->part == 0)
			continue;
		if (!ladder_scale(l, v, &t))
			err_die(STATUS_INPUT, "the scale has too many digits");
		noisy[k] = counts_noisy(sum[v->hi] - sum[v->lo], &t, l->shift,
		    r);
	}
}

/* Neighbours that fall are pooled to the mean, as long as any fall. */
void
ladder_rise(double *p, size_t n, double most)
{
	size_t *first = err_alloc(NULL, n, sizeof(*first)), pools = 0;
	double mean, own, all;

	for (size_t i = 0; i < n; i++) {
		first[pools++] = i;
		/* p[first] is the mean of a pool */
		while (pools > 1 && p[first[pools - 2]] > p[first[pools - 1]]) {
			own = (double)(i + 1 - first[pools - 1]);
			all = (double)(i + 1 - first[pools - 2]);
			mean = p[first[pools - 1]] * (own / all) +
			    p[first[pools - 2]] * (1 - own / all);
			p[first[--pools - 1]] = mean;
		}
	}
	for (size_t i = n, pool = pools; i-- > 0;) {
		p[i] = fmax(0, fmin(most, p[first[pool - 1]]));
		pool -= first[pool - 1] == i;
	}
	free(first);
}

/* The table from prefixes that were counted one by one. */
static void
rise(size_t n, const double *noisy, double total, double *y)
{
	double *prefix = err_alloc(NULL, n + 1, sizeof(*prefix));

	for (size_t i = 1; i < n; i++)
		prefix[i] = noisy[i - 1];
	prefix[n] = total;
	ladder_rise(prefix, n + 1, total);
	for (size_t i = 0; i < n; i++)
		y[i] = prefix[i + 1] - prefix[i];
	free(prefix);
}

/* The table from the tree's counts. */
static void
climb(const struct ladder *l, const int64_t *sum, struct rng *r, double *y)
{
	double *noisy = err_alloc(NULL, l->tree.nodes, sizeof(*noisy));

	count_nodes(l, sum, r, noisy);
	if (l->tree.branching > 0)
		ladder_fit(l, noisy, y);
	else
		rise(l->tree.n, noisy, l->total, y);
	free(noisy);
}

void
ladder_release(const struct ladder *l, const int64_t *x, struct rng *r,
    double *y)
{
	size_t n = l->tree.n;
	int64_t *sum;

	if (r == NULL) {
		for (size_t i = 0; i < n; i++)
			y[i] = ldexp((double)x[i], -(int)l->shift);
		return;
	}
	sum = err_alloc(NULL, n + 1, sizeof(*sum));
	for (size_t i = 0; i < n; i++)
		sum[i + 1] = sum[i] + x[i];
	if (descent_wanted(&l->descent, sum, r))
		descent_release(&l->descent, sum, r, y);
	else
		climb(l, sum, r, y);
	free(sum);
}
