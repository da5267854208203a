/* own_sens: the sensitivity of a record with a private epsilon. */
#pragma once

#include "number/fixed.h"

/*
 * [CD20 Proposition 7.3] [CD20 Proposition 7.5] floor(sens min(1, eps / total))
 * in grid steps, and 0 for eps <= 0; 0 <= sens <= FIXED_MAX, total = E > 0.
 * Where the fraction leaves 126 bits the result is 0, always safe (the fraction
 * fits for command line parameters and cells with 18 decimals).
 *
 * Why the scale is public: Proposition 7.3 has max_j S_j / eps_j, but a maximum
 * over the present records would change with one record.  E and S are options;
 * S_i = S min(1, eps_i / E) rounded down keeps S_i E / S <= eps_i, and Laplace
 * noise, scale S / E, on a function that record i moves by at most S_i changes
 * no probability by more than e^(S_i E / S).
 */
static inline int64_t
own_sens(int64_t sens, struct rational eps, struct rational total)
{
	struct rational part;
	u128 rest;

	if (rational_sign(eps) <= 0)
		return 0;
	if (rational_cmp(eps, total) >= 0)
		return sens;
	if (!rational_div(&part, eps, total))
		return 0;
	return (int64_t)wide_div(wide_mul((u128)sens, (u128)part.num),
	    (u128)part.den, &rest).lo;
}
