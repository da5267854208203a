/* The parts of a budget in the asymmetric sensitivity mechanism. */
#include <criterion/criterion.h>

#include "asm/asym.h"

/* [D24 Proposition 2.5] eps1 + eps2, or eps1 + 2 eps2, is all there is. */
Test(asym_split, the_parts_cost_the_whole_budget)
{
	static const struct rational eps[] = { { 1, 1 }, { 1, 10 }, { 3, 1 } };
	static const struct rational share[] = { { 1, 2 }, { 1, 3 },
	    { 9, 20 } };
	struct rational cost, two = { 2, 1 };
	struct asym a;
	unsigned times;
	int i, j;

	for (i = 0; i < 3; i++)
		for (j = 0; j < 3; j++)
			for (times = 1; times <= 2; times++) {
				cr_assert(asym_split(&a, eps[i], share[j],
				    times));
				cost = a.eps2;
				if (times == 2)
					cr_assert(rational_mul(&cost, cost,
					    two));
				cr_assert(rational_add(&cost, cost, a.eps1));
				cr_assert_eq(rational_cmp(cost, eps[i]), 0);
				cr_assert(rational_mul(&cost, eps[i],
				    share[j]));
				cr_assert_eq(rational_cmp(cost, a.eps1), 0);
				cr_assert_eq(a.threshold.s, a.eps1.den);
				cr_assert_eq(a.threshold.r, a.eps1.num);
			}
}
