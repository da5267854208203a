/*
 * personal: sampling records by epsilons, a private epsilon for each record.
 *
 * [CD20 Definition 7.1] A mechanism is personally private when for every record
 * i no probability changes by more than e^(eps_i) as record i comes or goes.
 * [JYC15] Where record i is kept with probability at most (e^(eps_i) - 1) /
 * (e^E - 1), the kept records may go through any E-private mechanism under
 * add-remove, once.
 */
#pragma once

#include "number/fixed.h"
#include "rng.h"

/* Denominator of the probabilities that a record is kept. */
#define PERSONAL_ONE ((uint64_t)1 << 62)

/*
 * A p with p / PERSONAL_ONE <= (e^eps - 1) / (e^total - 1), at most 1 below the
 * largest for eps >= 10^-6 and 20 below for eps >= 10^-18; PERSONAL_ONE for eps
 * >= total and 0 for eps <= 0.
 */
uint64_t personal_keep(struct rational eps, struct rational total);

/*
 * A bound of e^-x for x >= 0, in units of 1 / PERSONAL_ONE, within two of it:
 * FIXED_CEIL from above; FIXED_FLOOR from below, and below PERSONAL_ONE for x >
 * 0.
 */
uint64_t personal_fade(struct rational x, enum fixed_mode mode);

/*
 * How many among w equal records are kept with probability p / PERSONAL_ONE: w
 * p / PERSONAL_ONE, rounded up or down at random, so that the mean is exact.
 * personal.c proves the bound for each record.
 */
uint64_t personal_thin(struct rng *r, uint64_t w, uint64_t p);
