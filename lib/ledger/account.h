/*
 * account: exact budget arithmetic.
 *
 * [DMNS06 Theorem 1] releases of eps_1, eps_2, ... on the same data, each
 * chosen in view of the earlier ones, cost eps_1 + eps_2 + ... together: the
 * probability of a transcript is a product with a factor for each release, a
 * neighbor changes the factor of release k by exp(eps_k) at most, and along
 * every transcript the sum of what was charged stays below the total.
 *
 * A slice is a part of the records that no other slice shares.  A release on
 * slice v has the same factor for neighbors that differ by a record of another
 * slice, so that a record of v changes the product by the charges for all
 * records and those of v: whole + slice(v) <= whole + top.
 *
 * Accounts split a budget: a record pays in each of them, whole + slice(v)
 * there, which is at most that account's total, and these add up to at most
 * the budget's.
 */
#ifndef ACCOUNT_H
#define ACCOUNT_H

#include "number/fixed.h"

#define ACCOUNT_TEXT FIXED_TEXT

/* whole + top <= total, unless an old log says otherwise; all exact. */
struct account {
	struct rational total;
	struct rational whole;	/* charged for all records */
	struct rational top;	/* charged for the slice that cost most */
};

/*
 * Adds charge > 0 for all records (slice NULL), or for a slice that was charged
 * *slice <= top so far; false, and nothing changed, where the sum would exceed
 * the total.  Exact while numerators and denominators stay below 2^126; beyond,
 * the sum is rounded up to a multiple of 10^-18, so no budget is overspent.
 */
bool account_charge(struct account *a, struct rational *slice,
    struct rational charge);

/*
 * The largest charge that fits, for all records or for the slice that was
 * charged *slice (NULL: for all); rounded down in the same way, never below 0.
 */
struct rational account_left(const struct account *a,
    const struct rational *slice);

/* n times eps; false when it leaves 126 bits. */
bool account_times(struct rational *r, struct rational eps, uint64_t n);

/* a + b, rounded up as above; false when it is 10^18 or more. */
bool account_sum(struct rational *sum, struct rational a, struct rational b);

/*
 * A sum of epsilons >= 0 in words; one that is no decimal is rounded to nine of
 * them, so that nobody hopes for more than there is; from 10^18 to none, in the
 * same direction.  buf holds ACCOUNT_TEXT.
 */
char *account_text(char *buf, struct rational sum, enum fixed_mode round);

#endif
