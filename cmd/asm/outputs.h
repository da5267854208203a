/*
 * outputs: the public list of potential outputs of a search, rising, on the
 * grid.  The last one is what a search that finds nothing returns.
 */
#ifndef OUTPUTS_H
#define OUTPUTS_H

#include <stdbool.h>
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

/*
 * [D24 Appendix B.2] lo, then the origin + beta^i - 1 (in units of 10^digits
 * steps) that are above lo and below hi, then hi.  1 < beta = p/q with
 * p, q < 2^62.  When the list would be longer than `most`, hi comes early.
 * False when memory is short.
 */
bool outputs_geometric(struct outputs *o, struct rational beta, int digits,
    int64_t origin, const struct output_span *span);

/* The geometric list, mirrored for negative outputs; lo <= 0 <= hi. */
bool outputs_signed(struct outputs *o, struct rational beta, int digits,
    const struct output_span *span);

/* Equally spaced from lo to hi. */
bool outputs_uniform(struct outputs *o, const struct output_span *span);

void outputs_free(struct outputs *o);

#endif
