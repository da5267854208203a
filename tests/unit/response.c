/*
 * response: the estimate.
 */
#include "laplace/response.h"

#include <criterion/criterion.h>
#include <math.h>

/* The mean of the estimate over the exact law of the reports is the truth. */
Test(response, estimate_is_unbiased)
{
	struct rational eps = { 3, 4 };
	double f = 1 / (1 + exp(0.75)), mean = 0, square = 0;
	const int n = 9, truth = 4;

	for (int bits = 0; bits < 1 << n; bits++) {
		double p = 1, e;
		int ones = 0;

		for (int i = 0; i < n; i++) {
			bool bit = bits >> i & 1;

			p *= bit == (i < truth) ? 1 - f : f;
			ones += bit;
		}
		e = (double)response_estimate((u128)ones, (u128)n, eps,
		    12) / 1e12;
		mean += p * e;
		square += p * e * e;
	}
	cr_assert(fabs(mean - truth) < 1e-10, "%f", mean);
	cr_assert(fabs(sqrt(square - mean * mean) -
	    sqrt(n * exp(0.75)) / (exp(0.75) - 1)) < 1e-9);
}

Test(response, estimate_with_a_large_budget_is_the_count)
{
	struct rational eps = { 20000, 1 };

	cr_assert(response_estimate(12345, 20000, eps, 3) == 12345000);
}

Test(response, estimate_with_a_tiny_budget_saturates)
{
	struct rational eps = { 1, (i128)1 << 62 };

	cr_assert(response_estimate((u128)1 << 62, (u128)1 << 62, eps, 18) ==
	    (i128)1 << 126);
	cr_assert(response_estimate(0, (u128)1 << 62, eps, 18) ==
	    -((i128)1 << 126));
}

Test(response, estimate_of_nothing_is_zero)
{
	cr_assert(response_estimate(0, 0, (struct rational){ 1, 10 }, 2) == 0);
}
