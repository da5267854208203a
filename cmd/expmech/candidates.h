/*
 * candidates: the values of a public grid, or the cuts between records, with
 * their open rank distance from a quantile.
 */
#pragma once

#include "order.h"
#include "random/select.h"
#include "random/select_runs.h"

#define CUT_PARTS 65536		/* T: the parts to cut tied records in */
#define CUT_ROUGH 4		/* a rough run's losses are within t / 4 */
#define CANDIDATES_FINE 32	/* powers of two with a mass each, of the log
				   prior; beyond, eight have that of two */

/* A question: public but for the question's records. */
struct question {
	u128 from, to;		/* ranks [from, to): the question's records */
	int64_t lo, hi;		/* the grid's ends */
	uint32_t p, r;		/* the quantile p/r, 0 < p < r */
	uint32_t parts;		/* T to cut records, or 0 */
	unsigned powers;	/* K + 1 for the log prior; 0: uniform */
	uint32_t anchor;	/* W of a tail's loss; 0: no tail */
	struct scale t;		/* for the loss times r */
};

/*
 * A candidate: a value, and the part tau / T of the tied records that counts as
 * left.  left is the rank where the records are cut.
 */
struct cut {
	int64_t value;
	uint32_t tau;
	u128 left;
};

/* Run i of a choice begins at this candidate. */
struct start {
	int64_t value;
	uint32_t tau;
};

#define TAIL_BITS 3		/* a power of two has 2^3 places */
#define TAIL_PLACES ((62 << TAIL_BITS) + 1)
#define TAIL_PRICE 32		/* bits that a distance costs at most */

/* A question's candidates; the room serves one question after another. */
struct candidates {
	const struct order *order;
	const struct question *q;
	struct select_runs runs;
	struct select_run *run;
	struct start *start;
	size_t room;
	i128 best;		/* the least loss */
	i128 anchor[TAIL_PLACES], price[TAIL_PLACES];	/* M, f of a tail */
	unsigned first[TAIL_PLACES];	/* from there to the place M is one */
	struct scale priced;	/* what the price was made for */
	u128 near_from, near_to;	/* cuts beyond may be far candidates */
};

/* Chooses among the candidates, exactly; c is 0 before the first question. */
struct cut candidates_ask(struct candidates *c, const struct order *o,
    const struct question *q, enum select_kind kind, struct rng *r);
void candidates_free(struct candidates *c);
