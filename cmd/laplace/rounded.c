/*
 * rounded: the sensitivity of many numbers that are rounded one by one.
 *
 * Numbers x_i, i = 1..n, in steps of their grid; neighbours change x_i by d_i
 * with sum |d_i| / S_i <= 1, S_i a whole number of steps.  Each is rounded by
 * floor(x + 1/2), so it changes by a whole number c_i with |c_i| < |d_i| + 1,
 * by 0 where d_i is 0.
 *
 * [DMNS06 Proposition 1] Noise of scale S'_i/E on number i costs at most
 * E sum |c_i| / S'_i, and so E, where that sum is at most 1.
 *
 * One number: |c| < S + 1 and hence |c| <= S.  S' = S.
 *
 * n numbers of one S: sum |c_i| < S + n, and as it is whole, at most
 * S + n - 1; that is reached, by one number that moves by S - n e and n - 1
 * that move by e > 0 across the middle between two steps, where the first goes
 * S steps.  S' = S + n - 1.
 *
 * Any S_i: with S'_i >= (1 + p) S_i, p = sum 1/S_i,
 *
 *	sum |c_i|/S'_i <= (sum |d_i|/S_i + sum 1/S_i) / (1 + p) <= 1.
 *
 * Without these steps the loss of n numbers of S = 1 step would be n E.
 */
#include "rounded.h"

#define BITS 60

void
rounded_add(struct rounded *r, int64_t sens)
{
	u128 one = (u128)1 << BITS, s = (u128)sens;

	r->parts += one / s + (one % s != 0);
	r->least = r->n == 0 || sens < r->least ? sens : r->least;
	r->most = r->n == 0 || sens > r->most ? sens : r->most;
	r->n++;
}

u128
rounded_sens(const struct rounded *r, int64_t sens)
{
	u128 more, s = (u128)sens;

	if (r->n <= 1)
		return s;
	if (r->least == r->most)
		return s + r->n - 1;
	if (__builtin_mul_overflow(s, r->parts, &more))
		return 0;
	more = (more >> BITS) + 1;
	return more >> 125 != 0 ? 0 : s + more;
}
