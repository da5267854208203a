/*
 * single: strategy cells: noise on every element's count.
 *
 * Any query is a sum of noisy counts.  With a public n the counts' difference
 * to n is shared out by variances: least squares over a tree with a single
 * level, whose leaves have scales of their own.
 */
#ifndef SINGLE_H
#define SINGLE_H

#include "metric.h"
#include "plan.h"
#include "tree.h"

/* To be freed, whatever the result. */
enum plan_result single_choose(struct tree *t, const struct metric *m);

#endif
