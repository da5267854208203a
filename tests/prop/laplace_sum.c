/* laplace_sum: against closed forms and against draws. */
#include <criterion/criterion.h>

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "dx/plan/laplace_sum.h"

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
