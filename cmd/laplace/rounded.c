/*
 * rounded: the sensitivity of many numbers that are rounded one by one.
 *
 * Numbers x_i, i = 1..n, in steps of their grid; neighbours change x_i by d_i
 * with sum |d_i| <= S, S a whole number of steps.  Each is rounded by
 * floor(x + 1/2), so it changes by a whole number c_i with |c_i| < |d_i| + 1,
 * by 0 where d_i is 0.
 *
 * [DMNS06 Proposition 1] Noise of scale S'/E on each number costs at most
 * E sum |c_i| / S', and so E, where that sum is at most S'.
 *
 * One number: |c| < S + 1 and hence |c| <= S.  S' = S.
 *
 * n numbers: sum |c_i| < S + n, and as it is whole, at most S + n - 1; that is
 * reached, by one number that moves by S - n e and n - 1 that move by e > 0
 * across the middle between two steps, where the first goes S steps.  S' = S +
 * n - 1.  Without these steps the loss of n numbers of S = 1 step would be n E.
 */
#include "rounded.h"

u128
rounded_sens(u128 n, int64_t sens)
{
	return (u128)sens + (n > 0 ? n - 1 : 0);
}
