/* spread: against draws; closed forms stand in tests/cli/dx-numbers.cases. */
#include <criterion/criterion.h>

#include <math.h>

#include "random/rng.h"
#include "random/answer/spread.h"

#define DRAWS 10000
#define LAPLACE(x, n) { { x }, 1, 2, n }

/* On 0..1, above 0. */
static double
part(struct rng *r)
{
	return (1 + (double)rng_below(r, (uint64_t)1 << 52)) * 0x1p-52;
}

static double
drawn(struct rng *r, const struct spread *s)
{
	double sum = s->normal * sqrt(-2 * log(part(r))) * cos(6.283185307 *
	    part(r));

	for (size_t i = 0; i < s->n; i++)
		for (double k = 0; k < s->part[i].times; k++) {
			const struct spread_part *b = &s->part[i];
			double radius = 0;

			for (double g = 0; g < b->shape; g++)
				radius -= log(part(r));
			for (size_t j = 0; j < b->n; j++)
				sum += radius * b->a[j] * (2 * part(r) - 1);
		}
	return sum;
}

/* Laplace, normal and K-norm noise, alone and together. */
Test(spread, quantiles_are_those_of_draws)
{
	static const struct {
		struct spread_part part[4];
		size_t n;
		double normal;
	} sums[] = {
		{ { LAPLACE(1, 1) }, 1, 0 },
		{ { LAPLACE(1, 5), LAPLACE(2, 9) }, 2, 0 },
		{ { LAPLACE(4, 1), LAPLACE(2, 2), LAPLACE(1, 1) }, 3, 0 },
		{ { LAPLACE(100, 1), LAPLACE(1, 1), LAPLACE(0.01, 1) }, 3, 0 },
		{ { LAPLACE(1, 1), LAPLACE(2, 1) }, 2, 3 },
		{ { { { 1 }, 1, 3, 1 } }, 1, 0 },
		{ { { { 0.5, 0.5 }, 2, 4, 1 } }, 1, 0 },
		{ { { { 1, 1, 1 }, 3, 10, 1 } }, 1, 0 },
		{ { { { 1, 0.5, SPREAD_LEAST }, 3, 60, 1 } }, 1, 9 },
		{ { { { 0.5, 2 }, 2, 9, 1 }, LAPLACE(2, 1) }, 2, 0 },
		{ { { { 1 }, 1, 7, 1 }, { { 2, 1 }, 2, 5, 1 }, LAPLACE(2, 1) },
		    3, 1 } };
	static const double alpha[] = { 0.5, 0.1, 0.01 };

	for (size_t i = 0; i < sizeof(sums) / sizeof(sums[0]); i++) {
		struct spread s = { sums[i].part, sums[i].n, sums[i].normal };
		double x[3], beyond[3] = { 0 };
		struct rng r;

		for (size_t k = 0; k < 3; k++)
			x[k] = spread_reach(s, alpha[k]);
		rng_seeded(&r, i, "spread");
		for (int d = 0; d < DRAWS; d++) {
			double sum = fabs(drawn(&r, &s));

			for (size_t k = 0; k < 3; k++)
				beyond[k] += (sum > x[k]) / (double)DRAWS;
		}
		for (size_t k = 0; k < 3; k++)
			cr_assert(fabs(beyond[k] - alpha[k]) < 5 *
			    sqrt(alpha[k] / DRAWS), "%zu: %g for %g", i,
			    beyond[k], alpha[k]);
	}
}
