/*
 * sums: ends of the ranges, saturation, bins.
 */
#include "laplace/sums.h"

#include <criterion/criterion.h>

static const struct sums_column ends = { -FIXED_MAX, FIXED_MAX, 0, 1 };

/* Adds n records of this value and weight. */
static void
add(struct total *t, const struct sums_column *c, int64_t x, uint64_t w, int n)
{
	while (n-- > 0)
		total_add(t, sums_offset(c, x), w);
}

Test(sums, widest_weights_cancel_exactly)
{
	struct total t = { 0, 0 };

	add(&t, &ends, FIXED_MAX, UINT64_MAX, 1000);
	cr_assert(total_value(&t) == (i128)1 << 126, "saturates");
	add(&t, &ends, -FIXED_MAX, UINT64_MAX, 1000);
	add(&t, &ends, 1, 1, 1);
	cr_assert(total_value(&t) == 1, "and comes back: order is no matter");
	add(&t, &ends, -FIXED_MAX, UINT64_MAX, 5);
	cr_assert(total_value(&t) == -((i128)1 << 126));
}

Test(sums, values_are_clamped_and_centered)
{
	struct sums_column c = { -3, 10, 4, 1 };
	int64_t x[] = { -100, 0, 11, 10 };
	struct total t = { 0, 0 };

	for (int i = 0; i < 4; i++)
		add(&t, &c, x[i], 1, 1);
	cr_assert(total_value(&t) == -7 - 4 + 6 + 6);
}

Test(sums, sensitivities_at_the_ends_do_not_wrap)
{
	struct sums_column c[2] = { { -FIXED_MAX, FIXED_MAX, FIXED_MAX, 1 },
	    { -FIXED_MAX, FIXED_MAX, 0, 1 } };

	for (int a = 0; a < 2; a++) {
		cr_assert(sums_sens_sum(&c[a], NEIGHBORS_SWAP) ==
		    (u128)1 << 63);
		cr_assert(sums_sens_sum(&c[a], NEIGHBORS_ADD_REMOVE) ==
		    (u128)(2 - a) << 62);
	}
}

/* Values in units of 10 steps above the lower end, halves up. */
Test(sums, wide_ranges_are_counted_in_units)
{
	struct sums_column c = { -7, 37, -7, 10 };
	int64_t x[] = { -100, -2, -3, 37, 99 };
	struct total t = { 0, 0 };

	cr_assert(sums_steps(&c) == 4);
	for (int i = 0; i < 5; i++)
		add(&t, &c, x[i], 1, 1);
	cr_assert(total_value(&t) == 0 + 1 + 0 + 4 + 4);
}
