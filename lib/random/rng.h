/*
 * rng: a source of random bytes, chosen once, in main.
 *
 * rng_from hands out a source's bytes and nothing else, the kernel's where
 * a release is to be private; rng_seeded is the PCG64-DXSM generator for
 * --seed, reproducible and therefore not private.
 */
#pragma once

#include <string.h>

#include "number/fixed.h"
#include "number/taint.h"
#include "meter.h"

#define RNG_BUFFER 1024

/* Permuted congruential generator: state and odd increment, mod 2^128. */
struct pcg {
	u128 state;
	u128 inc;
};

struct rng {
	void (*refill)(struct rng *);	/* fills buf whole or does not return */
	void (*fill)(void *, size_t);	/* the source, where it is another's */
	struct pcg pcg;
	size_t next;			/* first unused byte of buf */
	unsigned char buf[RNG_BUFFER];
};

/* A source's bytes: fill gives all that it is asked for or does not return. */
void rng_from(struct rng *r, void (*fill)(void *buf, size_t n));

/* The PCG64-DXSM stream for a seed; the name's hash chooses the stream. */
void rng_seeded(struct rng *r, uint64_t seed, const char *name);

/* Takes a block of bytes now, for the draws to come. */
void rng_ready(struct rng *r);

/* Forgets the buffered bytes and the generator's state. */
void rng_wipe(struct rng *r);

/* Seeds a generator as the PCG reference does; next 64-bit DXSM output. */
void pcg_seed(struct pcg *p, u128 state, u128 stream);
uint64_t pcg_next(struct pcg *p);

static inline unsigned
rng_byte(struct rng *r)
{
	if (METER_ON)
		return meter_byte();
	if (r->next == RNG_BUFFER) {
		r->refill(r);
		r->next = 0;
	}
	return r->buf[r->next++];
}

/*
 * The next eight bytes, the first byte lowest, but not taken: the caller adds
 * to next the number of bytes used.  False where the buffer has fewer.
 */
static inline bool
rng_peek(const struct rng *r, uint64_t *bytes)
{
	if (METER_ON || r->next > RNG_BUFFER - sizeof(*bytes))
		return false;
	memcpy(bytes, r->buf + r->next, sizeof(*bytes));
	*bytes = fixed_low_first(*bytes);
	return true;
}

/*
 * A coin whose chance is private takes a private number of bytes.  The bytes
 * after them are as random as any, so it does not matter where they begin.
 */
static inline void
rng_taken(struct rng *r)
{
	taint_public(&r->next, sizeof(r->next));
}

/* Uniform on 0..n-1, exactly; n >= 1. */
uint64_t rng_below(struct rng *r, uint64_t n);
u128 rng_below_wide(struct rng *r, u128 n);	/* n < 2^126 */

/* True with probability exactly n/d; d in 1..2^63-1; n >= d is certain. */
bool rng_bernoulli(struct rng *r, uint64_t n, uint64_t d);
