/*
 * ceiling: the sum of terms, each cut at a ceiling that is chosen privately
 * from a public list.
 *
 * One pass and constant memory: terms are gathered by the least ceiling above.
 */
#pragma once

#include "number/fixed.h"
#include "random/noise.h"
#include "random/rng.h"

#define CEILINGS 128

/* The purpose of each part of epsilon. */
enum { CEILING_CHOICE, CEILING_NOISE, CEILING_FLOOR, CEILING_PARTS };

/* Public; the first seven are the caller's. */
struct ceilings {
	bool coded;			/* ceilings and terms, from 0 up, are
					   codes */
	int64_t first;			/* the list's first ceiling, from 1 */
	int64_t least, most;		/* for a term: least <= 0 <= most */
	bool swap;			/* the number of terms is public */
	bool fine;			/* under swap: below first, too, with
					   terms enough */
	bool ask;			/* whether terms are below 0 */
	size_t n, down;			/* ceilings, and ceilings below first */
	int64_t at[CEILINGS];		/* rising, in grid steps or codes */
	/* binary digits left out: of terms below each, of the sum and noise */
	int terms[CEILINGS], shift[CEILINGS];
	struct scale noise[2][CEILINGS]; /* for the sum below each; with terms
					   below 0, too */
	uint64_t each, below;		/* gap for a term above, below 0 */
	struct scale choice, floor;	/* of these gaps */
};

/*
 * Terms whose size is above a ceiling and up to the next: from 0 up, and below
 * 0; zeros at first.
 */
struct under {
	u128 count[2][CEILINGS];
	i128 sum[2][CEILINGS];
};

/*
 * a, 2 a, 4 a, ... below b, then b, for a = first and b the largest size of a
 * term, 1 <= a <= b <= FIXED_MAX; with fine a/2, a/4, ... rounded down, too.
 * Costs the sum of eps[], the last only where c->ask.  The list ends early
 * where the noise scale would not fit 63 bits.  False if the parts of epsilon
 * have too many digits.
 */
bool ceilings_make(struct ceilings *c,
    const struct rational eps[CEILING_PARTS]);

/* w < 2^63 terms x, |x| <= FIXED_MAX. */
void ceiling_add(const struct ceilings *c, struct under *u, int64_t x,
    uint64_t w);

/* The number of terms. */
u128 ceiling_terms(const struct ceilings *c, const struct under *u);

/* The lowest possible choice, by public facts alone. */
size_t ceiling_lowest(const struct ceilings *c, const struct under *u);

/* How far each from the lowest on is behind the best, in c->choice. */
void ceiling_gaps(const struct ceilings *c, const struct under *u,
    u128 *gap);

/*
 * The gaps of the two choices, counting terms below 0 as 0 and summing the
 * terms, the lesser gap being 0; units of c->floor.
 */
void ceiling_floor_gaps(const struct ceilings *c, const struct under *u,
    u128 gap[2]);

/* The release: the sum, and the noise's scale among the public scales. */
struct ceiling_draw {
	size_t at;		/* the ceiling's */
	bool minus;		/* terms below 0 count, too */
	i128 sum;		/* without the ceiling's last digits */
};

/*
 * The sizes of terms above 0 (side 0) or below (1), each cut at a ceiling,
 * without the ceiling's last digits, rounded down.
 */
i128 ceiling_side(const struct ceilings *c, const struct under *u, size_t at,
    size_t side);

/*
 * The noise for a sum that moves by sens; false where no scale fits.  The parts
 * of eps are below 2^63, see asym_split.
 */
bool ceiling_noise(struct scale *s, u128 sens, struct rational eps);

/* Chooses among n gaps by permute-and-flip; returns the place. */
size_t ceiling_flip(const u128 *gap, size_t n, struct scale t, struct rng *r);

struct ceiling_draw ceiling_draw(const struct ceilings *c,
    const struct under *u, struct rng *r);
