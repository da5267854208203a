/*
 * tree_guess: a tree for counts that are drawn to expected counts.
 */
#ifndef TREE_GUESS_H
#define TREE_GUESS_H

#include "metric.h"
#include "plan.h"
#include "tree.h"

/*
 * As tree_choose, but for estimates that may be biased: where the noise is
 * large beside the total, a public number of records, coarse intervals get more
 * budget, and fine intervals less or none.
 */
enum plan_result tree_guess(struct tree *t, const struct metric *m,
    enum tree_aim aim, double total, double eps);

#endif
