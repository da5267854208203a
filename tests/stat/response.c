/*
 * response: the coin has probability 1 / (1 + e^eps), within five sigma.
 */
#include "laplace/response.h"

#include <criterion/criterion.h>
#include <math.h>

#define DRAWS 1000000

static double
sigmas(struct rational eps, struct rational meant, uint64_t seed)
{
	double p = 1 / (1 + exp((double)meant.num / (double)meant.den));
	long heads = 0;
	struct rng r;

	rng_seeded(&r, seed, "flip");
	for (long i = 0; i < DRAWS; i++)
		heads += response_inverts(&r, eps);
	return fabs((double)heads - DRAWS * p) / sqrt(DRAWS * p * (1 - p));
}

/* [DMNS06 Section 3.3, Remark 1] */
Test(response, coin_has_the_exact_probability)
{
	struct rational budgets[] = { { 1, 1000 }, { 1, 10 }, { 1, 1 },
	    { 5, 2 }, { 8, 1 } };

	for (size_t i = 0; i < 5; i++)
		cr_assert_lt(sigmas(budgets[i], budgets[i], i + 1), 5);
}

/* Broken twins: eps/2 in place of eps, and the paper's 1/2 - eps/2. */
Test(response, other_probabilities_are_caught)
{
	cr_assert_gt(sigmas((struct rational){ 1, 2 },
	    (struct rational){ 1, 1 }, 9), 5);
	/* 1/2 - 0.1/2 = 1/(1 + e^x) with x = log(0.55/0.45) = 0.20067 */
	cr_assert_gt(sigmas((struct rational){ 1, 10 },
	    (struct rational){ 20067, 100000 }, 9), 5);
}

Test(response, a_large_budget_keeps_the_bit)
{
	struct rng r;

	rng_seeded(&r, 4, "flip");
	for (int i = 0; i < 10000; i++)
		cr_assert_not(response_inverts(&r,
		    (struct rational){ 1000, 1 }));
}
