/*
 * outputs: the public list of potential outputs of a search, rising, on the
 * grid.  The last one is what a search that finds nothing returns.
 */
#ifndef OUTPUTS_H
#define OUTPUTS_H

#include <stddef.h>
#include <stdint.h>

#include "number/fixed.h"

struct outputs {
	int64_t *t;		/* strictly rising */
	size_t n;		/* at least 1 */
};

/* Where a list lies: all in grid steps, lo <= hi, sizes up to FIXED_MAX. */
struct output_span {
	int64_t lo;
	int64_t hi;
	size_t most;		/* list no more than this, at least 2 */
};

/* How they are spaced, on either side of an origin. */
struct output_steps {
	struct rational beta;	/* 1 < beta = p/q with p, q < 2^62; num 0: no
				   powers, and gap alone */
	int digits;		/* the unit of powers: 10^digits steps */
	int64_t origin;		/* up to span.hi */
	int64_t gap;		/* never further apart; 0: no such bound */
};

/*
 * [D24 Appendix B.2] lo and hi, and between them the origin +- (beta^i - 1) in
 * units; from where these would be further apart than the gap, equal steps.
 * When a side of the origin would have more than `most`, its end comes early.
 */
void outputs_make(struct outputs *o, const struct output_steps *steps,
    const struct output_span *span);

void outputs_free(struct outputs *o);

#endif
