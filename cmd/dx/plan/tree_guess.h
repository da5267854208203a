/*
 * tree_guess: a tree for counts that are drawn to what one expects of them.
 */
#ifndef TREE_GUESS_H
#define TREE_GUESS_H

#include "tree.h"

/* What is known of the counts, and the budget; both are public. */
struct tree_known {
	double total;		/* records */
	double eps;
};

/*
 * As tree_choose, but for estimates that may be biased: where the noise is
 * large beside the counts, coarse intervals get more of the budget, and fine
 * ones less or none.
 */
enum plan_result tree_guess(struct tree *t, const struct metric *m,
    enum tree_aim aim, const struct tree_known *known);

#endif
