/*
 * ceiling: the sum of terms, none counted for more than a ceiling that is
 * chosen privately from a public list.
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

/* What a part of epsilon pays for. */
enum { CEILING_CHOICE, CEILING_NOISE, CEILING_FLOOR, CEILING_PARTS };

/* Public; the first six are the caller's. */
struct ceilings {
	int64_t first;			/* what the list begins with, from 1 */
	int64_t least, most;		/* of a term: least <= 0 <= most */
	bool swap;			/* the number of terms is public */
	bool fine;			/* under swap: below first, too, where
					   there are terms enough */
	bool ask;			/* whether terms are below 0 */
	size_t n, down;			/* ceilings, and those below first */
	int64_t at[CEILINGS];		/* rising, in grid steps */
	struct scale noise[2][CEILINGS]; /* of the sum below each; with terms
					   below 0, too */
	uint64_t each, below;		/* gap of a term above, below 0 */
	struct scale choice, floor;	/* of these gaps */
};

/*
 * Terms whose size is above one ceiling and up to the next: those from 0 up,
 * and those below; all zero at first.
 */
struct under {
	u128 count[2][CEILINGS];
	i128 sum[2][CEILINGS];
};

/*
 * a, 2 a, 4 a, ... below b, then b, for a = first and b the largest size of a
 * term, 1 <= a <= b <= FIXED_MAX; with fine a/2, a/4, ... rounded down, too.
 * Costs the sum of eps[], the last of them only where c->ask.  The list ends
 * early where the scale of the noise would not fit 63 bits.  False when the
 * parts of an epsilon have too many digits.
 */
bool ceilings_make(struct ceilings *c,
    const struct rational eps[CEILING_PARTS]);

/* w < 2^63 terms x of a size up to FIXED_MAX. */
void ceiling_add(const struct ceilings *c, struct under *u, int64_t x,
    uint64_t w);

/* How many terms there are. */
u128 ceiling_terms(const struct ceilings *c, const struct under *u);

/* The lowest ceiling that may be chosen: by public facts alone. */
size_t ceiling_lowest(const struct ceilings *c, const struct under *u);

/* How far each from the lowest on is behind the best, in c->choice. */
void ceiling_gaps(const struct ceilings *c, const struct under *u,
    u128 *gap);

/* How far counting terms below 0 as 0 is behind, and counting them; as far
   as they are, the least of both being 0; in c->floor. */
void ceiling_floor_gaps(const struct ceilings *c, const struct under *u,
    u128 gap[2]);

/* What is released: the sum, and which of the public scales its noise has. */
struct ceiling_draw {
	size_t at;		/* of the ceiling */
	bool minus;		/* terms below 0 count, too */
	i128 sum;
};

/* The sum of all terms, none counted for more than a ceiling. */
i128 ceiling_sum(const struct ceilings *c, const struct under *u, size_t at,
    bool minus);

struct ceiling_draw ceiling_draw(const struct ceilings *c,
    const struct under *u, struct rng *r);

#endif
