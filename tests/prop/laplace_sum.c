/* laplace_sum: against closed forms and against draws. */
#include <criterion/criterion.h>

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "dx/plan/laplace_sum.h"

static double
uniform(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return ((double)(*state >> 11) + 0.5) * 0x1p-53;
}

static double
laplace(uint64_t *state)
{
	double u = uniform(state) - 0.5;

	return u < 0 ? log(1 + 2 * u) : -log(1 - 2 * u);
}

/* One: e^-x; two equal ones: e^-x (1 + x / 2). */
Test(laplace_sum, one_and_two_have_their_closed_forms)
{
	static const double tails[] = { 0.5, 0.1, 0.05, 0.001, 1e-5, 1e-9 };

	for (size_t i = 0; i < 6; i++) {
		double b[3] = { 3, 0, 0 }, x, tail;

		x = laplace_sum_reach(b, 3, tails[i]) / 3;
		cr_assert_float_eq(x, -log(tails[i]), 1e-9 * x);
		b[0] = b[2] = 3;
		b[1] = 0;
		x = laplace_sum_reach(b, 3, tails[i]) / 3;
		tail = exp(-x) * (1 + x / 2);
		cr_assert_leq(tail, tails[i]);
		if (tails[i] > 1e-4)
			cr_assert_float_eq(tail, tails[i], 2e-8 + 1e-6 *
			    tails[i]);
	}
}

Test(laplace_sum, many_are_normal)
{
	double b[1000], x;

	for (size_t i = 0; i < 1000; i++)
		b[i] = 0.1;
	x = laplace_sum_reach(b, 1000, 0.05);
	cr_assert_float_eq(x, 1.959964 * 0.1 * sqrt(2000), 0.005 * x);
	cr_assert_eq(laplace_sum_reach(b, 0, 0.05), 0);
}

/* How often draws are beyond the reach of the first k of their scales. */
static double
beyond(const double *b, size_t n, size_t k, double tail)
{
	uint64_t state = 9;
	double copy[32], x;
	int out = 0, draws = 40000;

	for (size_t i = 0; i < k; i++)
		copy[i] = b[i];
	x = laplace_sum_reach(copy, k, tail);
	for (int d = 0; d < draws; d++) {
		double sum = 0;

		for (size_t i = 0; i < n; i++)
			sum += b[i] * laplace(&state);
		out += fabs(sum) > x;
	}
	return (double)out / draws;
}

/* The twin forgets a third of the scales. */
Test(laplace_sum, draws_are_beyond_as_often_as_is_said)
{
	uint64_t state = 3;

	for (int run = 0; run < 12; run++) {
		double b[32], tail = run % 2 ? 0.05 : 0.3;
		size_t n = 3 + (size_t)(uniform(&state) * 20);
		double off = 5 * sqrt(tail * (1 - tail) / 40000);

		for (size_t i = 0; i < n; i++)
			b[i] = exp(3 * uniform(&state));
		cr_assert_float_eq(beyond(b, n, n, tail), tail, off);
		for (size_t i = 0; i < n; i++)
			b[i] = 1;
		cr_assert_gt(beyond(b, n, 2 * n / 3, tail), tail + off);
	}
}
