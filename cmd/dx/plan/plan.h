/*
 * plan: scales of Laplace noise for linear queries under a metric.
 *
 * A plan answers query k with Laplace noise of scale c_k and is private when
 * sum_k |q_ki - q_kj| / c_k <= eps d(i,j) for all i, j [KPAK20 Theorem 1].
 *
 * Absent records [KPAK20 section 5].  Where n is hidden the universe has one
 * more element 0, at the distance R from all others: a data set is one of any
 * fixed, large number of records, of which most are 0, and a record that comes
 * or goes moves between i and 0.  The coefficients of 0 are 0, so the answers
 * are the same sums, and beside the constraints above sum_k |q_ki| / c_k
 * <= eps R.  Constant queries count n then, and need noise like others.
 *
 * It looks at public things only.  Optimisation runs in doubles; what it
 * returns are rationals for which every constraint holds exactly.  c_k = 0
 * says that the query needs no noise: it is constant, or only differs over
 * infinite distances.
 */
#ifndef PLAN_H
#define PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dx/universe/metric.h"
#include "dx/universe/workload.h"
#include "random/noise.h"
#include "slope.h"

#define PLAN_NEWTON 400		/* queries that strategy opt can take */

/*
 * What a plan makes small, over the queries that need noise: the product of
 * the scales, the sum of their squares, their sum, the largest.
 */
enum plan_loss { PLAN_RELATIVE, PLAN_SQUARED, PLAN_L1, PLAN_MAX };

/* Is the answer public?  That of a constant query is, where n is. */
static inline bool
plan_public(const struct metric *m, const struct workload *w, size_t k)
{
	return workload_constant(w, k) && (m->away == 0 ||
	    workload_at(w, k, 0) == 0);
}

enum plan_result { PLAN_OK, PLAN_INFINITE, PLAN_RANGE };

struct plan {
	const struct metric *m;
	const struct workload *w;
	struct rational eps;
	size_t k;		/* queries that are not constant */
	size_t *query;		/* their numbers in the workload */
	int64_t *q;		/* their coefficients, n x k */
	int *digits;		/* their grids */
	struct slope s;
	struct ratio *single;	/* the exact slope of each alone */
	double *most;		/* the largest rate of each alone */
	struct pair *pool;	/* pairs that have bound some rates */
	size_t pairs, room;
	double *row;		/* scratch, one for each query */
	struct pair worst;	/* PLAN_INFINITE: the two elements */
};

/*
 * Prepares plans for a workload and a metric, both kept.  PLAN_INFINITE:
 * elements worst.i and worst.j have distance 0 but unequal coefficients, so
 * no finite noise is private.
 */
enum plan_result plan_open(struct plan *p, const struct metric *m,
    const struct workload *w, struct rational eps);

/* c has one place for each query of the workload. */

/* Strategy 1: an equal part of the budget for every query. */
enum plan_result plan_split(struct plan *p, struct rational *c);

/* Strategy 2: the same scale for every query. */
enum plan_result plan_equal(struct plan *p, struct rational *c);

/* Strategy 3: [KPAK20 Algorithm 3], PSA. */
enum plan_result plan_share(struct plan *p, struct rational *c);

/*
 * The scales with the least sum ln c_k, sum c_k^2, sum c_k or max c_k; *gap
 * is a bound on how far the sum is above the optimum, relative to it (of the
 * logarithms: how far the geometric mean is); -1: not known.  Never worse than
 * the other three.
 */
enum plan_result plan_best(struct plan *p, enum plan_loss loss,
    struct rational *c, double *gap);

/*
 * Scale of the plain Laplace mechanism that protects all pairs like the
 * closest one: max_ij sum_k |q_ki - q_kj| / (eps min d).  False when it is
 * infinite (a distance of 0) or there is nothing to protect.
 */
bool plan_vanilla(const struct metric *m, const struct workload *w,
    struct rational eps, struct rational *c);

/*
 * A noise scale in steps of 10^-digits that is not below c > 0; false where
 * it does not fit 63 bits.
 */
bool plan_noise(struct rational c, int digits, struct scale *t);

/* c / eps, never below it. */
bool plan_divide(struct rational *c, struct rational eps);

/*
 * The value of the loss for scales; squared: the root of the sum; relative:
 * the geometric mean.  Without noise 0.
 */
double plan_value(const struct plan *p, enum plan_loss loss,
    const struct rational *c);

void plan_close(struct plan *p);

#endif
