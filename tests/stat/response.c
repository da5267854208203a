/* response: the coin has probability 1 / (1 + e^eps). */
#include "laplace/response.h"

#include <criterion/criterion.h>
#include <math.h>

#include "law.h"

#define DRAWS 1000000
#define SIGMAS 5

/* Of draws with eps, from the chance with `meant'. */
static double
z_of(struct rational eps, double meant, uint64_t seed)
{
	uint64_t heads = 0;
	struct rng r;

	rng_seeded(&r, seed, "flip");
	for (long i = 0; i < DRAWS; i++)
		heads += response_inverts(&r, eps);
	return fabs(law_binomial(heads, DRAWS, 1 / (1 + exp(meant))));
}

/*
 * [DMNS06 Section 3.3, Remark 1] The twins: eps/2 in place of eps, and the
 * paper's 1/2 - eps/2.
 */
Test(response, coin_has_the_exact_probability)
{
	static const struct rational budgets[] = { { 1, 1000 }, { 1, 10 },
	    { 1, 1 }, { 5, 2 }, { 8, 1 } };

	for (size_t i = 0; i < 5; i++)
		cr_assert_lt(z_of(budgets[i], rational_real(budgets[i]), i + 1),
		    SIGMAS, "%zu", i);
	cr_assert_gt(z_of((struct rational){ 1, 2 }, 1, 9), SIGMAS);
	cr_assert_gt(z_of((struct rational){ 1, 10 }, log(0.55 / 0.45), 9),
	    SIGMAS);
	/* a large budget keeps the bit */
	cr_assert_lt(z_of((struct rational){ 100, 1 }, 100, 4), 1e-9);
}
