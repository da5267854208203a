/*
 * sums: ends of the ranges, saturation, bins.
 */
#include "laplace/sums.h"

#include <criterion/criterion.h>

static const struct sums_column ends = { -FIXED_MAX, FIXED_MAX, 0, 1 };

Test(sums, totals_near_the_ends_of_64_bits_do_not_wrap)
{
	int64_t top = INT64_MAX, low = INT64_MIN;
	struct sums s;

	cr_assert(sums_init(&s, &ends, 1, SUMS_ALONE));
	for (int i = 0; i < 1000; i++)
		sums_add(&s, &top, 1);
	cr_assert(sums_sum(&s, 0) == (i128)1000 * FIXED_MAX);
	for (int i = 0; i < 2000; i++)
		sums_add(&s, &low, 1);
	cr_assert(sums_sum(&s, 0) == (i128)-1000 * FIXED_MAX);
	cr_assert(s.count == 3000);
	free(s.total);
}

Test(sums, widest_weights_cancel_exactly)
{
	int64_t top = FIXED_MAX, low = -FIXED_MAX, one = 1;
	struct sums s;

	cr_assert(sums_init(&s, &ends, 1, SUMS_ALONE));
	for (int i = 0; i < 1000; i++)
		sums_add(&s, &top, UINT64_MAX);
	cr_assert(sums_sum(&s, 0) == (i128)1 << 126, "saturates");
	for (int i = 0; i < 1000; i++)
		sums_add(&s, &low, UINT64_MAX);
	sums_add(&s, &one, 1);
	cr_assert(sums_sum(&s, 0) == 1, "and comes back: order is no matter");
	for (int i = 0; i < 5; i++)
		sums_add(&s, &low, UINT64_MAX);
	cr_assert(sums_sum(&s, 0) == -((i128)1 << 126));
	free(s.total);
}

Test(sums, negative_totals_carry_across_the_halves)
{
	struct total t = { 0, 0 }, u = { 0, 0 };

	for (int i = 0; i < 7; i++) {
		total_add(&t, -1, 1);
		total_add(&u, -((i128)1 << 63), 3);
	}
	cr_assert(total_value(&t) == -7);
	cr_assert(total_value(&u) == -21 * ((i128)1 << 63));
}

Test(sums, values_are_clamped_and_centered)
{
	struct sums_column c = { -3, 10, 4, 1 };
	int64_t x[] = { -100, 0, 11, 10 };
	struct sums s;

	cr_assert(sums_init(&s, &c, 1, SUMS_PRODUCTS));
	for (int i = 0; i < 4; i++)
		sums_add(&s, &x[i], 1);
	cr_assert(sums_sum(&s, 0) == -7 - 4 + 6 + 6);
	cr_assert(sums_product(&s, 0, 0) == 49 + 16 + 36 + 36);
	free(s.total);
}

Test(sums, covariance_of_few_records_is_zero)
{
	struct sums_column c[2] = { { 0, 9, 0, 1 }, { 0, 9, 4, 1 } };
	int64_t x[] = { 3, 8 };
	struct sums s;
	i128 v = 5;

	cr_assert(sums_init(&s, c, 2, SUMS_PRODUCTS));
	for (int n = 0; n < 2; n++) {
		for (size_t a = 0; a < 2; a++) {
			cr_assert(sums_covariance(&s, a, 1, 1, &v));
			cr_assert(v == 0);
		}
		cr_assert(sums_sens_covariance(&c[0], &c[1], (u128)n, 1) ==
		    0);
		sums_add(&s, x, 1);
	}
	free(s.total);
}

Test(sums, covariance_at_full_width_and_count_is_exact)
{
	struct sums_column c[2] = { { 0, SUMS_WIDTH, 0, 1 },
	    { -SUMS_WIDTH, 0, 0, 1 } };
	int64_t low[] = { 0, 0 }, high[] = { SUMS_WIDTH, -SUMS_WIDTH };
	struct sums s;
	i128 v;

	cr_assert(sums_init(&s, c, 2, SUMS_PRODUCTS));
	sums_add(&s, low, (uint64_t)1 << 61);
	sums_add(&s, high, (uint64_t)1 << 61);
	cr_assert(sums_covariance(&s, 0, 1, 1, &v));
	cr_assert(v == -((i128)1 << 60));
	cr_assert(sums_covariance(&s, 1, 1, 100, &v));
	cr_assert(v == (((i128)1 << 60) + 50) / 100);
	for (size_t a = 0; a < 2; a++)
		cr_assert(sums_sens_covariance(&c[a], &c[1], (u128)1 << 62,
		    1) == 1);
	sums_add(&s, low, 1);
	cr_assert_not(sums_covariance(&s, 0, 0, 1, &v));
	free(s.total);
}

Test(sums, sensitivities_at_the_ends_do_not_wrap)
{
	struct sums_column c[2] = { { -FIXED_MAX, FIXED_MAX, FIXED_MAX, 1 },
	    { -FIXED_MAX, FIXED_MAX, 0, 1 } };

	cr_assert(sums_sens_sum(c, 2, NEIGHBORS_SWAP) == (u128)1 << 64);
	cr_assert(sums_sens_sum(c, 2, NEIGHBORS_ADD_REMOVE) == (u128)3 << 62);
}

Test(sums, counts_and_histograms_have_the_stated_constants)
{
	cr_assert(sums_sens_hist(1, NEIGHBORS_SWAP) == 1);
	for (size_t bins = 2; bins < 100000; bins *= 3)
		cr_assert(sums_sens_hist(bins, NEIGHBORS_SWAP) == 2 &&
		    sums_sens_hist(bins, NEIGHBORS_ADD_REMOVE) == 1);
}

Test(sums, bins_are_half_open_but_the_last_which_may_be_short)
{
	static const int64_t edge[] = { 0, 5, 10, 11 };
	static const int64_t ends[] = { -FIXED_MAX, 3, FIXED_MAX };

	cr_assert_eq(sums_bin(edge, 3, 0), 0);
	cr_assert_eq(sums_bin(edge, 3, 4), 0);
	cr_assert_eq(sums_bin(edge, 3, 5), 1);
	cr_assert_eq(sums_bin(edge, 3, 10), 2);
	cr_assert_eq(sums_bin(edge, 3, 11), 2, "the end is in the last");
	cr_assert_eq(sums_bin(edge, 2, 10), 1, "the end is in the last");
	cr_assert_eq(sums_bin(edge, 1, 5), 0, "the end is in the last");
	cr_assert_eq(sums_bin(edge, 3, 12), 3, "outside");
	cr_assert_eq(sums_bin(edge, 3, -1), 3, "outside");
	cr_assert_eq(sums_bin(ends, 2, -FIXED_MAX), 0);
	cr_assert_eq(sums_bin(ends, 2, 2), 0);
	cr_assert_eq(sums_bin(ends, 2, FIXED_MAX), 1);
}

/* Values in units of 10 steps above the lower end, halves up. */
Test(sums, wide_ranges_are_counted_in_units)
{
	struct sums_column c = { -7, 37, -7, 10 };
	int64_t x[] = { -100, -2, -3, 37, 99 };
	struct sums s;

	cr_assert(sums_steps(&c) == 4);
	cr_assert(sums_init(&s, &c, 1, SUMS_PRODUCTS));
	for (int i = 0; i < 5; i++)
		sums_add(&s, &x[i], 1);
	cr_assert(sums_sum(&s, 0) == 0 + 1 + 0 + 4 + 4);
	cr_assert(sums_product(&s, 0, 0) == 1 + 16 + 16);
	free(s.total);
}
