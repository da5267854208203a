/*
 * pcg: PCG64-DXSM, for --seed alone; declared in rng.h.
 *
 * [ONe14] O'Neill: PCG, a family of simple fast space-efficient statistically
 * good algorithms for random number generation; the DXSM output function and
 * the 64-bit multiplier are the author's, from the later C++ release, and
 * tests/unit/pcg.c checks the vectors of the release.  The output gives away
 * the state, and trials the seed: a stream for repeatable runs, never for
 * privacy.
 */
#include "rng.h"

#define MULTIPLIER 0xda942042e4dd58b5u

/* Arithmetic is mod 2^128. */
static void
pcg_step(struct pcg *p)
{
	p->state = p->state * MULTIPLIER + p->inc;
}

void
pcg_seed(struct pcg *p, u128 state, u128 stream)
{
	p->state = 0;
	p->inc = stream << 1 | 1;
	pcg_step(p);
	p->state += state;
	pcg_step(p);
}

/* Double xorshift multiply, on the state before the step. */
uint64_t
pcg_next(struct pcg *p)
{
	uint64_t hi = (uint64_t)(p->state >> 64);
	uint64_t lo = (uint64_t)p->state | 1;

	pcg_step(p);
	hi ^= hi >> 32;
	hi *= MULTIPLIER;
	hi ^= hi >> 48;
	return hi * lo;
}
