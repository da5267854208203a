/*
 * parts: partitions of a universe that are counted with noise.
 *
 * A marginal's cells part the elements, so that a record is in one cell of each
 * marginal: counting every cell costs as much as counting one.
 */
#pragma once

#include "dx/plan/normal.h"
#include "number/fixed.h"
#include "random/noise.h"
#include "random/rng.h"

#define PARTS_WHOLE ((uint64_t)1 << 20)	/* the budget, in shares */

struct partition {
	const uint32_t *cell;	/* of each element, 0..cells-1 */
	size_t cells;
	const struct rational *c;	/* of each cell, as in struct normal */
	uint64_t share;		/* of PARTS_WHOLE; 0: not counted */
	unsigned shift;		/* a record counts as 2^shift */
	bool held;		/* the table is to fit the counts */
	double *count;		/* released, then with the sum of all */
	double *variance;	/* of each, from the law of its noise */
	double *now;		/* scratch */
	double *slope;		/* scratch */
};

struct parts {
	size_t n;		/* elements */
	double total;		/* records, or the best guess */
	double variance;	/* of total; 0: public */
	unsigned shift;		/* of each part */
	struct partition *part;
	size_t parts;
};

/* Adds the marginals of q, which is kept; the share is 0. */
void parts_add(struct parts *p, const struct normal *q);
void parts_close(struct parts *p);

/*
 * The noise scale for a cell's count, in parts of a record, never below the
 * private scale for the budget share.  False where no scale fits; s = 0: the
 * count is public.
 */
bool part_scale(const struct partition *p, size_t cell, struct scale *t);

/* Exact counts of histogram x of n elements, to be freed. */
int64_t *part_counts(const struct partition *p, const int64_t *x, size_t n);

/* Counts a part with noise; without r exactly. */
void parts_measure(struct parts *p, size_t which, const int64_t *x,
    struct rng *r);

/*
 * The best guess of the total from the total and the counted parts; every part
 * then adds up to the guess.
 */
void parts_level(struct parts *p);

/*
 * The cell of `coarse` that holds each cell of `fine`, of n elements; false
 * where a fine cell is in several.
 */
bool part_inside(const struct partition *coarse, const struct partition *fine,
    size_t n, int64_t *in);

/*
 * Makes the counts of a part and of the finer measured parts agree, by least
 * squares: each finer part has evidence on the coarse cells.  An unmeasured
 * part is held, too, if a finer part was measured.
 */
void parts_pool(struct parts *p, size_t which);

/* Moves a table y to fit the held parts: post-processing. */
void parts_fit(struct parts *p, double *y);

/* Sums of y over the cells. */
void part_sums(const struct partition *p, const double *y, size_t n,
    double *to);
