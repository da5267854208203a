/*
 * tree_guess: a tree for counts that are drawn to expected counts.
 */
#ifndef TREE_GUESS_H
#define TREE_GUESS_H

#include "dx/universe/metric.h"
#include "plan.h"
#include "tree.h"

/* Known facts about the counts, and the budget; public. */
struct tree_known {
	double total;		/* records */
	double eps;
};

/*
 * As tree_choose, but for estimates that may be biased: where the noise is
 * large beside the counts, coarse intervals get more budget, and fine intervals
 * less or none.
 */
enum plan_result tree_guess(struct tree *t, const struct metric *m,
    enum tree_aim aim, const struct tree_known *known);

#endif
