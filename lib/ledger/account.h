/*
 * account: exact budget arithmetic.
 *
 * [DMNS06 Theorem 1] releases of eps_1, eps_2, ... on the same data, each
 * chosen in view of the earlier ones, cost eps_1 + eps_2 + ... together.
 */
#ifndef ACCOUNT_H
#define ACCOUNT_H

#include "number/fixed.h"

/* A budget: spent <= total always; both exact. */
struct account {
	struct rational total;
	struct rational spent;
};

/*
 * Adds charge > 0 to what is spent; false, and nothing changed, where that
 * would exceed the total.  Exact while numerators and denominators stay below
 * 2^126; beyond, the sum is rounded up to a multiple of 10^-18, so that no
 * budget is ever overspent.
 */
bool account_charge(struct account *a, struct rational charge);

/* What is left, rounded down to 10^-18 where it is no 126-bit fraction. */
struct rational account_left(const struct account *a);

/* n times eps; false when it leaves 126 bits. */
bool account_times(struct rational *r, struct rational eps, uint64_t n);

#endif
