/*
 * account: exact budget arithmetic.
 *
 * [DMNS06 Theorem 1] releases of eps_1, eps_2, ... on the same data, each
 * chosen in view of the earlier ones, cost eps_1 + eps_2 + ... together: a
 * transcript's probability is a product with a factor for each release, a
 * neighbor changes the factor of release k by exp(eps_k) at most, and along
 * every transcript the sum of charges stays below the total.
 *
 * A slice is a part of the records, and slices are disjoint.  A release on
 * slice v has one factor for neighbors that differ by a record outside v, so
 * that a record in v changes the product by the charges for the whole data and
 * the charges for v: whole + slice(v) <= whole + top.
 *
 * Accounts split a budget: a record pays in each account whole + slice(v), at
 * most the account's total, and the accounts' totals add up to at most the
 * budget's.
 */
#pragma once

#include "number/fixed.h"

#define ACCOUNT_TEXT FIXED_TEXT

/* whole + top <= total, unless an old log disagrees; exact. */
struct account {
	struct rational total;
	struct rational whole;	/* charged for the whole data */
	struct rational top;	/* charged for the costliest slice */
};

/*
 * Adds charge > 0 for the whole data (slice NULL), or for a slice with charges
 * *slice <= top so far; false, and nothing changed, where the sum would exceed
 * the total.  Exact while numerators and denominators stay below 2^126; beyond,
 * the sum is rounded up to a multiple of 10^-18, so no budget is overspent.
 */
bool account_charge(struct account *a, struct rational *slice,
    struct rational charge);

/*
 * The largest charge that fits, for the whole data (slice NULL) or for the
 * slice with charges *slice; rounded down likewise, never below 0.
 */
struct rational account_left(const struct account *a,
    const struct rational *slice);

/* n times eps; beyond 126 bits status 2. */
struct rational account_times(struct rational eps, uint64_t n);

/* a + b, rounded up as above; false from 10^18 on. */
bool account_sum(struct rational *sum, struct rational a, struct rational b);

/*
 * A sum of epsilons >= 0 in words; a sum that is no decimal is rounded to nine
 * decimals, so that nobody hopes for more than is left; from 10^18 on to whole
 * numbers, in one direction.  buf holds ACCOUNT_TEXT.
 */
char *account_text(char *buf, struct rational sum, enum fixed_mode round);
