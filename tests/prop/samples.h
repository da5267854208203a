/* samples: small helpers of several property tests. */
#ifndef SAMPLES_H
#define SAMPLES_H

#include <stdlib.h>

#include "random/rng.h"

static inline int
ascending(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* Below n, from a state that is not 0: xorshift, quick and even enough. */
static inline uint64_t
draw(uint64_t *state, uint64_t n)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return (*state >> 11) % n;
}

/* All 64 bits, evenly: the same state, multiplied. */
static inline uint64_t
random_word(uint64_t *state)
{
	draw(state, 1);
	return *state * 0x2545f4914f6cdd1du;
}

static inline int64_t
between(struct rng *r, int64_t lo, int64_t hi)
{
	uint64_t span = (uint64_t)hi - (uint64_t)lo;

	return (int64_t)((uint64_t)lo + rng_below(r, span + 1));
}

/* A width that spans all sizes up to 2^bits. */
static inline int64_t
width(struct rng *r, int bits)
{
	return (int64_t)1 << rng_below(r, (uint64_t)bits + 1);
}

#endif
