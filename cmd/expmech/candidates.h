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

/*
 * The prior, a public base measure: a value counts as 2^c copies of it.  c is
 * 0 in the uniform one; in the log prior all |v| from 2^k to 2^(k + 1) - 1
 * have c = K - k, 2^K being at most the largest |v|, and zero has that of 1.
 */
unsigned candidate_powers(int64_t lo, int64_t hi);	/* K + 1 */
unsigned candidate_copies(const struct question *q, int64_t v);

/* r times the loss L of a candidate of the question. */
i128 candidate_loss(struct order *o, const struct question *q,
    struct cut *cut);

/* Run number i of the choice begins at this candidate. */
struct start {
	int64_t value;
	uint32_t tau;
};

struct candidates {
	struct order *order;
	const struct question *q;
	struct select_runs runs;
	struct select_run *run;
	struct start *start;
	size_t room;
	i128 best;		/* the least loss */
	u128 near_from, near_to;	/* cuts beyond may be far candidates */
	bool failed;		/* memory was short */
};

/*
 * All candidates of a question in runs of equal loss.  q, and the order, must
 * outlive them.  False when memory is short.
 */
bool candidates_init(struct candidates *c, struct order *o,
    const struct question *q);
void candidates_free(struct candidates *c);

/* The candidate that stands at this place. */
struct cut candidates_at(const struct candidates *c, struct select_place at);

/* Chooses one, exactly; false when memory is short. */
bool candidates_draw(const struct candidates *c, bool permute,
    struct rng *r, struct cut *cut);

#endif
