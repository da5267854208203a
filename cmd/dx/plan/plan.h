/*
 * plan: Laplace noise scales for linear queries under a metric.
 *
 * A plan answers query k with Laplace noise, scale c_k, and is private when
 * sum_k |q_ki - q_kj| / c_k <= d(i,j) for all i, j [KPAK20 Theorem 1].  That is
 * for epsilon 1: scales for another epsilon are these over epsilon.
 *
 * Absent records [KPAK20 section 5].  Where n is hidden the universe has
 * another element 0, at the distance R from every element: a data set has any
 * fixed, large number of records, most of them 0, and a record that comes or
 * goes moves between i and 0.  The coefficients of 0 are 0, so the sums stay,
 * and beside the constraints above sum_k |q_ki| / c_k <= R.  Constant
 * queries count n then, and need noise, too.
 *
 * A plan looks at public things only.  Optimisation runs in doubles, and
 * returns rationals that keep every constraint exactly.  c_k = 0 says that the
 * query needs no noise: the query is constant, or only differs over infinite
 * distances.
 */
#pragma once

#include "metric.h"
#include "workload.h"
#include "number/fixed.h"
#include "random/noise.h"
#include "slope.h"
#include "upward.h"

#define PLAN_NEWTON 400		/* rates that strategy opt can find */

/*
 * The loss that a plan makes small, over the queries that need noise: the
 * product of the scales, the sum of squares, the sum, the largest.
 */
enum plan_loss { PLAN_RELATIVE, PLAN_SQUARED, PLAN_L1, PLAN_MAX };

/* Is the answer public?  With a public n a constant query's is. */
static inline bool
plan_public(const struct metric *m, const struct workload *w, size_t k)
{
	return workload_constant(w, k) && (m->away == 0 ||
	    workload_at(w, k, 0) == 0);
}

enum plan_result { PLAN_OK, PLAN_INFINITE, PLAN_RANGE };

/* A query that needs noise. */
struct planned {
	size_t number;		/* in the workload */
	int digits;		/* the grid */
	struct ratio alone;	/* the exact slope of this query alone, */
	double most;		/* and the largest rate */
};

struct plan {
	const struct metric *m;
	const struct workload *w;
	size_t k;
	struct planned *query;
	int64_t *q;		/* their coefficients, n x k */
	struct slope s;
	struct pair *pool;	/* pairs that have bound some rates */
	size_t pairs, room;
	double *row;		/* scratch, an entry for each query */
	struct pair worst;	/* PLAN_INFINITE: the two elements */
};

/*
 * Is query k like the one before, so that both may have one rate?  In an even
 * workload the cells of a marginal are alike, but for the last if that has the
 * records outside.  Permutations of the values of attributes keep all
 * distances, bring any cell to any other's place, and make every marginal
 * itself.
 */
bool plan_alike(const struct plan *p, size_t k);

/*
 * Prepares plans for a workload and a metric, which the plan keeps.
 * PLAN_INFINITE: elements worst.i and worst.j have distance 0 but unequal
 * coefficients, so no finite noise is private.  To be closed, whatever the
 * result.
 */
enum plan_result plan_open(struct plan *p, const struct metric *m,
    const struct workload *w);

/* The scale of a workload's only query; worst: as above. */
enum plan_result plan_alone(const struct metric *m, const struct workload *w,
    struct rational *c, struct pair *worst);

/* c has a place for each workload query. */

/* Strategy 1: an equal part of the budget for every query. */
enum plan_result plan_split(struct plan *p, struct rational *c);

/* Strategy 2: one scale for every query. */
enum plan_result plan_equal(struct plan *p, struct rational *c);

/* Strategy 3: [KPAK20 Algorithm 3], PSA. */
enum plan_result plan_share(struct plan *p, struct rational *c);

/*
 * The scales with the least sum ln c_k, sum c_k^2, sum c_k or max c_k; *gap
 * bounds how far the sum is above the optimum, relative to the optimum (for
 * logarithms: how far the geometric mean is); -1: not known.  Never worse than
 * the other three.
 */
enum plan_result plan_best(struct plan *p, enum plan_loss loss,
    struct rational *c, double *gap);

/*
 * The plain Laplace mechanism's scale, which protects every pair like the
 * closest: max_ij sum_k |q_ki - q_kj| / min d.  False when infinite (a
 * distance of 0) or with nothing to protect.
 */
bool plan_vanilla(const struct metric *m, const struct workload *w,
    struct rational *c);

/*
 * A noise scale in steps of 10^-digits, not below c > 0; false where 63 bits
 * are too few.
 */
bool plan_noise(struct rational c, int digits, struct scale *t);

/*
 * The loss for scales; squared: the root of the sum; relative: the geometric
 * mean.  Without noise 0.
 */
double plan_value(const struct plan *p, enum plan_loss loss,
    const struct rational *c);

void plan_close(struct plan *p);
