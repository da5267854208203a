/*
 * response: randomised response with an exact coin.
 *
 * [DMNS06 Section 3.3] The paper says "probability roughly 1/2 - eps/2S"; the
 * exact probability, from Theorem 2 on the Hamming cube without the factor 2
 * (Remark 1: every point has one normalisation), is f = 1/(1 + e^eps).  Then
 * P[y | 1]/P[y | 0] is e^eps for y = 1 and e^-eps for y = 0: the bound is
 * reached, and no smaller f would do.
 *
 * The coin.  Let x = e^-eps.  Toss a fair coin; tails ends with "keep"; heads
 * ends with "invert" with probability x, or the round is void and another
 * starts.  A round ends with keep : invert in the ratio 1/2 : x/2, so P[invert]
 * = x/(1 + x) = f, exactly; 2/(1 + x) <= 2 rounds are expected, however small
 * eps is (the parity of successes of e^-eps before the first failure has this
 * law too but takes 1/eps draws).
 *
 * The estimate.  E[ones] = T (1 - f) + (n - T) f, hence T^ = (ones - n f) / (1
 * - 2f) = ones + (2 ones - n)/(e^eps - 1) is unbiased, with variance n f (1 -
 * f)/(1 - 2f)^2 = n e^eps/(e^eps - 1)^2.
 */
#include "response.h"

#include <math.h>

#include "random/noise.h"
#include "sums.h"

bool
response_inverts(struct rng *r, struct rational eps)
{
	for (;;) {
		if ((rng_byte(r) & 1) == 0)
			return false;
		if (noise_bern_exp(r, (u128)eps.num, (uint64_t)eps.den))
			return true;
	}
}

long double
response_growth(struct rational eps)
{
	return expm1l((long double)eps.num / (long double)eps.den);
}

i128
response_estimate(u128 ones, u128 n, struct rational eps, int digits)
{
	long double bias = (2 * (long double)ones - (long double)n) *
	    (long double)fixed_pow10(digits) / response_growth(eps);

	return fixed_add_sat(fixed_round((i128)ones, 0, digits, FIXED_NEAREST),
	    (i128)sums_within(floorl(bias + 0.5L), -0x1p126L, 0x1p126L));
}
