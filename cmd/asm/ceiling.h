/*
 * ceiling: the sum of terms from 0 up, none counted for more than a ceiling
 * that is chosen privately from a public list.
 *
 * One pass and memory that does not grow with the data: terms are gathered by
 * the least ceiling that holds them.
 */
#ifndef CEILING_H
#define CEILING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "number/fixed.h"
#include "random/noise.h"
#include "random/rng.h"

#define CEILINGS 64

/* Public. */
struct ceilings {
	size_t n;
	int64_t at[CEILINGS];		/* rising, in grid steps */
	struct scale noise[CEILINGS];	/* of the sum below each */
	uint64_t each;			/* gap of a term above */
	struct scale choice;		/* of the gaps */
	bool swap;			/* the number of terms is public */
};

/* Terms above one ceiling and up to the next; all zero at first. */
struct under {
	u128 count[CEILINGS];
	i128 sum[CEILINGS];
};

/*
 * a, 2 a, 4 a, ... below b, then b, for the ends a, b; 1 <= a <= b <=
 * FIXED_MAX.  The choice of the ceiling costs eps[0], the sum eps[1].  The list
 * ends early where the scale of the noise would not fit 63 bits.  False when
 * the parts of an epsilon have too many digits.
 */
bool ceilings_make(struct ceilings *c, const int64_t ends[2],
    const struct rational eps[2], bool swap);

/* w < 2^63 terms of the size x, 0 to FIXED_MAX. */
void ceiling_add(const struct ceilings *c, struct under *u, int64_t x,
    uint64_t w);

/* How far each ceiling is behind the best one, in units of c->choice. */
void ceiling_gaps(const struct ceilings *c, const struct under *u,
    u128 *gap);

/* The sum of all terms, none counted for more than ceiling i. */
i128 ceiling_sum(const struct ceilings *c, const struct under *u, size_t i);

/* One release, 0 to FIXED_MAX.  False when memory is short. */
bool ceiling_draw(const struct ceilings *c, const struct under *u,
    struct rng *r, int64_t *value);

#endif
