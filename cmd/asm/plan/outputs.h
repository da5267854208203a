/*
 * outputs: a search's public list of potential outputs, rising, on the grid.  A
 * search that finds nothing returns the last output.
 */
#pragma once

#include "number/fixed.h"

struct outputs {
	int64_t *t;		/* strictly rising */
	size_t n;		/* at least 1 */
};

/* A list's place: grid steps, lo <= hi, sizes up to FIXED_MAX. */
struct output_span {
	int64_t lo;
	int64_t hi;
	size_t most;		/* list no more than this, at least 2 */
};

/* The spacing of outputs, on either side of an origin. */
struct output_steps {
	struct rational beta;	/* 1 < beta = p/q with p, q < 2^62; num 0: no
				   powers, and gap alone */
	int digits;		/* the powers' unit: 10^digits steps */
	int64_t origin;		/* up to span.hi */
	int64_t gap;		/* never further apart; 0: no such bound */
	bool coded;		/* outputs and ends are codes, from origin 0 on,
				   without a gap */
};

/*
 * [D24 Appendix B.2] lo and hi, and between lo and hi the origin +- (beta^i -
 * 1) in units; equal steps from where the powers would be further apart than
 * the gap.  When a side of the origin would have more than `most`, the end
 * comes early.
 */
void outputs_make(struct outputs *o, const struct output_steps *steps,
    const struct output_span *span);

void outputs_free(struct outputs *o);
