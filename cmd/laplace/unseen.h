/*
 * unseen: noise on the counts of a huge public set of keys, most of them 0.
 *
 * Each of `keys` keys gets discrete Laplace noise of its own, and the keys
 * whose noisy count reaches a threshold are printed.  Keys without a record
 * are not visited one by one: which of them reach it is drawn at once, from
 * exactly the law that their independent noises have.
 */
#ifndef UNSEEN_H
#define UNSEEN_H

#include <stdbool.h>
#include <stdint.h>

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
 * The smallest T >= 1 with keys P[X >= T] <= most for noise X of scale t, but
 * for a part of 2^-48 of the scale, where it may be larger: integers only, so
 * the same everywhere.  0 < most <= UNSEEN_MOST; keys <= 2^62.
 */
u128 unseen_threshold(uint64_t keys, struct rational most,
    const struct scale *t);

void unseen_start(struct unseen *u, uint64_t keys, u128 threshold,
    const struct scale *t);

/*
 * The next rank whose noise alone reaches the threshold, each with probability
 * P[X >= threshold], independently; false where no more does.
 */
bool unseen_next(struct unseen *u, struct rng *r, uint64_t *rank);

/* The noise at such a rank, given that it reaches the threshold. */
u128 unseen_noise(const struct unseen *u, struct rng *r);

#endif
