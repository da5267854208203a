/*
 * rng: a source of random bytes as a record, chosen once, in main.
 *
 * rng_kernel draws from getrandom(2) and nothing else; rng_seeded is the
 * PCG64-DXSM generator of --seed, reproducible and therefore not private.
 */
#ifndef RNG_H
#define RNG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fixed.h"

#define RNG_BUFFER 1024

/* Permuted congruential generator: state and odd increment, mod 2^128. */
struct pcg {
	u128 state;
	u128 inc;
};

struct rng {
	void (*refill)(struct rng *);	/* fills buf whole or does not return */
	void (*fail)(void);		/* no entropy; must not return */
	struct pcg pcg;
	size_t next;			/* first unused byte of buf */
	unsigned char buf[RNG_BUFFER];
};

/* Kernel entropy; fail is called, and must not return, when there is none. */
void rng_kernel(struct rng *r, void (*fail)(void));

/* PCG64-DXSM stream of a seed; the stream is chosen by the name's hash. */
void rng_seeded(struct rng *r, uint64_t seed, const char *name);

/* Forgets all buffered bytes and the generator's state. */
void rng_wipe(struct rng *r);

/* Seeds a generator as the PCG reference does; next 64-bit DXSM output. */
void pcg_seed(struct pcg *p, u128 state, u128 stream);
uint64_t pcg_next(struct pcg *p);

static inline unsigned
rng_byte(struct rng *r)
{
	if (r->next == RNG_BUFFER) {
		r->refill(r);
		r->next = 0;
	}
	return r->buf[r->next++];
}

/* Uniform on 0..n-1, exactly; n >= 1. */
uint64_t rng_below(struct rng *r, uint64_t n);

/* True with probability exactly n/d; d in 1..2^63-1; n >= d is certain. */
bool rng_bernoulli(struct rng *r, uint64_t n, uint64_t d);

#endif
