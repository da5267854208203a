/* response: values are told with the odds e^eps : 1. */
#include "laplace/response.h"

#include <criterion/criterion.h>
#include <math.h>

#include "law.h"

#define DRAWS 1000000
#define SIGMAS 5
#define MOST 5

/*
 * How far draws with eps for a value are from the law with `meant'.  The law is
 * told by the definition: e^eps : 1 for the value, against each other.
 */
static double
z_of(struct rational eps, double meant, size_t value, size_t k, uint64_t seed)
{
	uint64_t told[MOST] = { 0 };
	double law[MOST], sum = 0;
	struct rng r;

	rng_seeded(&r, seed, "flip");
	for (long i = 0; i < DRAWS; i++)
		told[response_draw(&r, eps, value, k)]++;
	for (size_t i = 0; i < k; i++)
		sum += law[i] = i == value ? exp(meant) : 1;
	for (size_t i = 0; i < k; i++)
		law[i] /= sum;
	return fabs(law_chi2(law, told, k, DRAWS));
}

/*
 * [DMNS06 Section 3.3, Remark 1] The twins: eps/2 in place of eps, the paper's
 * 1/2 - eps/2, and 2 in a hundred more.
 */
Test(response, values_have_the_exact_odds)
{
	static const struct rational budgets[] = { { 1, 1000 }, { 1, 10 },
	    { 1, 1 }, { 5, 2 }, { 8, 1 } };
	static const size_t values[] = { 2, 3, 5 };

	for (size_t i = 0; i < 15; i++)
		for (size_t value = 0; value <= values[i / 5];
		    value += values[i / 5] - 1)
			cr_assert_lt(z_of(budgets[i % 5], rational_real(
			    budgets[i % 5]), value, values[i / 5], i + 1),
			    SIGMAS, "%zu", i);
	for (size_t i = 0; i < 3; i++)
		cr_assert_gt(z_of((struct rational){ 51, 50 }, 1, 0, values[i],
		    9), SIGMAS);
	cr_assert_gt(z_of((struct rational){ 1, 2 }, 1, 1, 2, 9), SIGMAS);
	cr_assert_gt(z_of((struct rational){ 1, 10 }, log(0.55 / 0.45), 1, 2,
	    9), SIGMAS);
}

/* A cell without a value says nothing, and a large budget the value. */
Test(response, no_value_and_a_large_budget_take_no_time)
{
	struct rational eps = { 1000, 1 };
	struct rng r;

	rng_seeded(&r, 1, "flip");
	cr_assert_lt(z_of(eps, 0, 4, 4, 2), SIGMAS);
	for (size_t i = 0; i < 100; i++)
		cr_assert_eq(response_draw(&r, eps, i, 100), i);
}
