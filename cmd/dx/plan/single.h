/*
 * single: strategy cells: noise on every element's count.
 *
 * Element counts are queries, so the scales are private by [KPAK20 Theorem 1],
 * with the least sum of squares, each count weighted by its use in the asked
 * queries; any query is then a sum of noisy counts.  With a public n the
 * counts' difference to n is shared out by variances: least squares over a tree
 * with a single level, whose leaves have scales of their own.
 */
#ifndef SINGLE_H
#define SINGLE_H

#include "dx/universe/metric.h"
#include "plan.h"
#include "tree.h"

/*
 * importance: each element's sum of squared coefficients.  To be freed,
 * whatever the result.
 */
enum plan_result single_choose(struct tree *t, const struct metric *m,
    const double *importance);

#endif
