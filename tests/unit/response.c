/*
 * response: the estimate.
 */
#include "laplace/response.h"

#include <criterion/criterion.h>
#include <math.h>

/*
 * The mean of the estimate over the exact law of the reports is the truth, the
 * variance that of the report; k values, of which four cells of nine have one.
 */
static void
moments(size_t k)
{
	struct rational eps = { 3, 4 };
	double x = exp(0.75), f = 1 / (x + (double)k - 1), mean = 0, square = 0;
	const int n = 9, truth = 4;

	for (int cells = 0; cells < 1 << n; cells++) {
		double p = 1, e, chance;
		int told = 0;

		for (int i = 0; i < n; i++) {
			chance = i < truth ? x * f : f;
			p *= cells >> i & 1 ? chance : 1 - chance;
			told += cells >> i & 1;
		}
		e = (double)response_estimate((u128)told, (u128)n, k, eps,
		    12) / 1e12;
		mean += p * e;
		square += p * e * e;
	}
	cr_assert(fabs(mean - truth) < 1e-10, "%f", mean);
	cr_assert(fabs(square - mean * mean - (n * (x + (double)k - 2) +
	    truth * ((double)k - 2) * (x - 1)) / (x - 1) / (x - 1)) < 1e-8);
}

Test(response, estimate_is_unbiased)
{
	moments(2);
	moments(3);
	moments(5);
}

Test(response, estimate_with_a_tiny_budget_saturates)
{
	struct rational eps = { 1, (i128)1 << 62 };

	cr_assert(response_estimate((u128)1 << 62, (u128)1 << 62, 2, eps, 18) ==
	    (i128)1 << 126);
	cr_assert(response_estimate(0, (u128)1 << 62, 2, eps, 18) ==
	    -((i128)1 << 126));
}
