/* Losses of single records: known values, extremes, bad labels. */
#include <criterion/criterion.h>
#include <math.h>

#include "asm/loss.h"

#define ONE 1000000000	/* 1 on the grid of 9 decimals */

/* The loss with a single logit. */
static bool
binary(int64_t label, int64_t z, int digits, int64_t *loss)
{
	return loss_classes(label, &z, 1, 9, digits, loss);
}

/* [D24 Definition E.2] */
Test(loss, squares_and_differences_are_exact)
{
	cr_expect_eq(loss_square(7, 3, 1), 16);
	cr_expect_eq(loss_square(-7, 3, 1), 100);
	cr_expect_eq(loss_square(7, 0, 10), 5);
	cr_expect_eq(loss_square(5, 0, 10), 3);	/* 2.5, halves up */
	cr_expect_eq(loss_absolute(-4, 10, 4), 4);	/* 3.5 */
	cr_expect_eq(loss_absolute(-4, 9, 4), 3);
	cr_expect_eq(loss_square(FIXED_MAX, -FIXED_MAX, 1), FIXED_MAX);
	cr_expect_eq(loss_absolute(FIXED_MAX, -FIXED_MAX, 2), FIXED_MAX);
	cr_expect_eq(loss_square(FIXED_MAX, FIXED_MAX, 1), 0);
}

/* [D24 Definition E.1] ln 2 at 0; linear far out; no overflow. */
Test(loss, binary_cross_entropy_of_any_logit)
{
	int64_t loss;

	cr_assert(binary(0, 0, 6, &loss));
	cr_expect_eq(loss, 693147);
	cr_assert(binary(ONE, (int64_t)2 * ONE, 6, &loss));
	cr_expect_eq(loss, 126928);
	cr_assert(binary(ONE, (int64_t)-800 * ONE, 6, &loss));
	cr_expect_eq(loss, 800000000);
	cr_assert(binary(0, (int64_t)-800 * ONE, 6, &loss));
	cr_expect_eq(loss, 0);
	cr_assert(binary(0, FIXED_MAX, 18, &loss));
	cr_expect_eq(loss, FIXED_MAX);
}

/* [D24 Lemma E.9] */
Test(loss, greatest_losses_are_reached_at_the_corners)
{
	int64_t lo = -3 * (int64_t)ONE, hi = 5 * (int64_t)ONE, z[4], loss;

	z[0] = lo;
	z[1] = z[2] = z[3] = hi;
	cr_assert(loss_classes(0, z, 4, 9, 6, &loss));
	cr_expect_leq(llabs(loss - loss_classes_most(lo, hi, 4, 9, 6)), 1);
	cr_assert(binary(0, hi, 6, &loss));
	cr_expect_eq(loss, loss_classes_most(lo, hi, 1, 9, 6));
	cr_assert(binary(ONE, -9 * (int64_t)ONE, 6, &loss));
	cr_expect_eq(loss, loss_classes_most(-9 * (int64_t)ONE, hi, 1, 9, 6));
}
