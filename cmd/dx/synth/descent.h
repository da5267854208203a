/*
 * descent: a table from a few counts, for columns that are mostly one value.
 *
 * A look asks whether more than half of the records are in a sixteenth of the
 * universe.  If so, halves are halved again where records are.
 */
#pragma once

#include "number/fixed.h"
#include "random/noise.h"
#include "random/rng.h"

struct descent {
	size_t n;		/* cells, set by the caller */
	unsigned shift;		/* a record is 2^shift steps; likewise */
	double total, variance;	/* records, likewise; 0: public */
	unsigned part;		/* of DESCENT_PARTS: the look's; 0: no look */
	struct scale look;	/* of its noise */
	struct scale halve;	/* of the noise of a choice to halve */
	struct scale leaf;	/* of a count's noise */
};

enum { DESCENT_PARTS = 1024 };

/*
 * Plans a look, and what follows, from public numbers, where a record that
 * comes or goes has the budget 1 / c; false: the look is not worth it.
 */
bool descent_open(struct descent *d, struct rational c);

/* Did the look find most records in a sixteenth?  sum: of the first k cells. */
bool descent_wanted(const struct descent *d, const int64_t *sum,
    struct rng *r);

/*
 * The scale of noise, in steps of 2^-shift of a record, for something that a
 * record changes by `thirds' / 3, or that costs so much over the scale, and
 * that has this part of the budget 1 / c.  false: too many digits.
 */
bool descent_scale(struct rational c, unsigned shift, unsigned thirds,
    struct rational part, struct scale *t);

/* b of a node at this depth: it is halved if b plus noise of scale t is > 0. */
i128 descent_lead(const struct scale *t, int64_t count, unsigned depth);
bool descent_halves(const struct scale *t, int64_t count, unsigned depth,
    struct rng *r);

/* The table. */
void descent_release(const struct descent *d, const int64_t *sum,
    struct rng *r, double *y);
