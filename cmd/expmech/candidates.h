/*
 * candidates: the values of a public grid, or the cuts between records, with
 * their open rank distance from a quantile.
 */
#ifndef CANDIDATES_H
#define CANDIDATES_H

#include "order.h"
#include "random/select_runs.h"

#define CUT_PARTS 65536		/* T: parts that tied records are cut in */

/* What is asked: public but for the records that the question is about. */
struct question {
	u128 from, to;		/* ranks [from, to) of the records asked */
	int64_t lo, hi;		/* of the grid */
	uint32_t p, r;		/* the quantile p/r, 0 < p < r */
	uint32_t parts;		/* T where records are to be cut, else 0 */
	unsigned powers;	/* K + 1 of the log prior; 0: uniform */
	struct scale t;		/* of the loss times r */
};

/*
 * A candidate: a value, and of the records tied with it the part tau / T that
 * counts as left of it.  left is the rank at which the records are cut.
 */
struct cut {
	int64_t value;
	uint32_t tau;
	u128 left;
};

/* Chooses among all candidates, exactly. */
struct cut candidates_ask(struct order *o, const struct question *q,
    bool permute, struct rng *r);

#endif
