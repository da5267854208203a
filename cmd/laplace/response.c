/*
 * response: randomised response with exact coins.
 *
 * [DMNS06 Section 3.3] The paper says of bits "probability roughly 1/2 -
 * eps/2S"; the exact probability, from Theorem 2 on the Hamming cube without
 * the factor 2 (Remark 1: every point has one normalisation), is f = 1/(1 +
 * e^eps).  For k values let f = 1/(k - 1 + e^eps) be the probability of each
 * value but the true one.  Then P[y | y]/P[y | z] is e^eps, and of other values
 * 1: the bound is reached, and no smaller f would do.  A cell without a value
 * has the probability 1/k for each, which lies between f and f e^eps.
 *
 * The draw.  Any value, each with 1/k; the true one is told, another with
 * probability x = e^-eps, and else the round is void.  So a round ends with the
 * odds 1 : x for the true one against each other, exactly; k/(1 + (k - 1) x)
 * rounds are expected, at most k, and at most e^eps.
 *
 * The estimate.  Of T cells with a value E[told] = T f e^eps + (n - T) f, hence
 * T^ = (told - n f)/(f (e^eps - 1)) = told + (k told - n)/(e^eps - 1) is
 * unbiased, with variance (n (e^eps + k - 2) + T (k - 2) (e^eps - 1)) /
 * (e^eps - 1)^2.
 */
#include "response.h"

#include <math.h>

#include "random/noise.h"
#include "sums.h"

size_t
response_draw(struct rng *r, struct rational eps, size_t value, size_t k)
{
	size_t told;

	do
		told = (size_t)rng_below(r, k);
	while (value < k && told != value &&
	    !noise_bern_exp(r, (u128)eps.num, (uint64_t)eps.den));
	return told;
}

long double
response_growth(struct rational eps)
{
	return expm1l((long double)eps.num / (long double)eps.den);
}

i128
response_estimate(u128 told, u128 n, size_t k, struct rational eps, int digits)
{
	long double bias = ((long double)k * (long double)told -
	    (long double)n) * (long double)fixed_pow10(digits) /
	    response_growth(eps);

	return fixed_add_sat(fixed_round((i128)told, 0, digits, FIXED_NEAREST),
	    (i128)sums_within(floorl(bias + 0.5L), -0x1p126L, 0x1p126L));
}
