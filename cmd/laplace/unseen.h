/*
 * unseen: noise on the counts for a huge public set of keys, most counts 0.
 *
 * Each of `keys` keys gets separate discrete Laplace noise, and the keys whose
 * noisy count reaches a threshold are printed.  Keys without a record are not
 * visited one by one: the keys that reach the threshold are drawn at once, from
 * exactly the law of independent noises.
 */
#pragma once

#include "random/noise.h"

#define UNSEEN_MOST 100		/* expected keys without a record at most */

/* On the way through the ranks 0..keys-1, upwards. */
struct unseen {
	uint64_t keys;
	struct scale t;
	u128 threshold;
	unsigned halves;
	u128 next;		/* the first rank not yet looked at */
};

/*
 * The smallest T >= 1 with keys P[X >= T] <= most for noise X with scale t, or
 * larger by at most 2^-48 of the scale: integers only, so equal on every
 * machine.  0 < most <= UNSEEN_MOST; keys <= 2^62.
 */
u128 unseen_threshold(uint64_t keys, struct rational most,
    const struct scale *t);

void unseen_start(struct unseen *u, uint64_t keys, u128 threshold,
    const struct scale *t);

/*
 * The next rank whose noise alone reaches the threshold, each with probability
 * P[X >= threshold], independently; false when no more ranks do.
 */
bool unseen_next(struct unseen *u, struct rng *r, uint64_t *rank);

/* The noise at such a rank, given that the noise reaches the threshold. */
u128 unseen_noise(const struct unseen *u, struct rng *r);
