/*
 * personal: one privacy parameter for each record under a public noise scale,
 * by record by record sensitivities or by sampling.
 *
 * [CD20 Definition 7.1] A mechanism is personally private when for every
 * record i no probability changes by more than e^(eps_i) as record i comes or
 * goes.  Two ways to it from a tool whose -e is E:
 *
 * - [CD20 Proposition 7.3] noise of the public scale S / E on a function
 *   that record i moves by at most S_i <= S eps_i / E (personal_sens);
 * - [JYC15] record sampling: record i is kept with probability at most
 *   (e^(eps_i) - 1) / (e^E - 1) (personal_keep, personal_thin), and what is
 *   kept goes through any E-private mechanism under add-remove, once.
 */
#ifndef PERSONAL_H
#define PERSONAL_H

#include <stdint.h>

#include "number/fixed.h"
#include "random/rng.h"

/* Denominator of the probabilities of record sampling. */
#define PERSONAL_ONE ((uint64_t)1 << 62)

/*
 * floor(sens * min(1, eps / total)) in grid steps, and 0 for eps <= 0;
 * 0 <= sens <= FIXED_MAX, total = E > 0.  Where the fraction leaves 126 bits
 * the result is 0, which is always safe (it is right for parameters of a
 * command line and cells of 18 decimals).
 */
int64_t personal_sens(int64_t sens, struct rational eps,
    struct rational total);

/*
 * A p with p / PERSONAL_ONE <= (e^eps - 1) / (e^total - 1), at most one below
 * the largest for eps >= 10^-6 and 20 below it for eps >= 10^-18;
 * PERSONAL_ONE for eps >= total and 0 for eps <= 0.
 */
uint64_t personal_keep(struct rational eps, struct rational total);

/*
 * How many of w equal records with the keeping probability p / PERSONAL_ONE
 * are kept: w p / PERSONAL_ONE, rounded up or down at random so that this is
 * the mean.  Every single one of the w has its own epsilon, see personal.c.
 */
uint64_t personal_thin(struct rng *r, uint64_t w, uint64_t p);

#endif
