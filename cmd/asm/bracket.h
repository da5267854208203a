/*
 * bracket: the mean of terms, each cut to an interval that is chosen privately
 * from a public list; bracket.c has the proof.
 */
#pragma once

#include "number/fixed.h"
#include "random/noise.h"
#include "random/rng.h"

#define BRACKET_EDGES 944	/* above 0, at most */

/*
 * An interval between two edges; its noise; its gap without terms outside, and
 * how much of the gap of these is left out.
 */
struct bracket {
	size_t lo, hi;
	struct scale noise;
	u128 gap, free;
};

/* Public; the first three are the caller's. */
struct brackets {
	int64_t first;		/* a usual size of values, from 1 */
	int64_t most;		/* a term's size at most, from first */
	bool swap;		/* the number of terms is public */
	int64_t least;		/* width in the list */
	size_t n;		/* edges above 0 */
	int64_t at[2 * BRACKET_EDGES + 1];	/* edges, rising */
	struct bracket *list;
	size_t listed;
	u128 each, part;	/* gap of a term outside, of a part of a step */
	struct scale choice;	/* of the gaps */
};

/* At an edge; above it, below the next; and how far these are above it. */
struct bracket_cell {
	u128 edge, count;
	struct wide above;
};

/* 16 cells, those of a power of two, once there is a term in one of them. */
struct bracket_terms {
	struct bracket_cell *cell;
};

/* A release; without an interval its ends are the mean. */
struct bracket_mean {
	long double mean, lower, upper;
	bool last;		/* the interval ends where the list does */
};

/* The list for the choice and the noise; false where epsilon has no room. */
bool brackets_make(struct brackets *b, struct rational choice,
    struct rational noise);

/* No terms. */
struct bracket_terms *bracket_none(const struct brackets *b);

/* w < 2^63 terms x. */
void bracket_add(const struct brackets *b, struct bracket_terms *t, int64_t x,
    uint64_t w);

/* How far each interval is behind the best, in b->choice. */
void bracket_gaps(const struct brackets *b, const struct bracket_terms *t,
    u128 *gap);

/* How far the terms are above lo together, and below hi, each cut to these. */
void bracket_sums(const struct brackets *b, const struct bracket_terms *t,
    const struct bracket *at, i128 sum[2]);

/*
 * A mean with an interval of probability p, den 0: without.  For r NULL the
 * exact mean.
 */
struct bracket_mean bracket_draw(const struct brackets *b,
    const struct bracket_terms *t, struct rational p, struct rng *r);
