/* rational_text: exact where short, else rounded up; and products. */
#include "number/fixed.h"
#include "random/rng.h"

#include <criterion/criterion.h>
#include <string.h>

#define TOP (((i128)1 << 126) - 1)	/* largest part */

static const char *
text_of(i128 num, i128 den)
{
	static char buf[FIXED_TEXT];
	struct rational r;

	cr_assert(rational_make(&r, num, den));
	return rational_text(buf, r);
}

Test(rational_text, short_decimals_are_exact)
{
	cr_assert_str_eq(text_of(0, 1), "0");
	cr_assert_str_eq(text_of(1, 10), "0.1");
	cr_assert_str_eq(text_of(-5, 2), "-2.5");
	cr_assert_str_eq(text_of(1, fixed_pow10(18)), "0.000000000000000001");
	cr_assert_str_eq(text_of(999999999999999999, 1),
	    "999999999999999999");
	cr_assert_str_eq(text_of((i128)999 * fixed_pow10(18), 1),
	    "999000000000000000000");
	cr_assert_str_eq(text_of(1, 1 << 20), "0.00000095367431640625");
}

Test(rational_text, others_are_rounded_up_to_17_digits)
{
	cr_assert_str_eq(text_of(1, 3), "0.33333333333333334");
	cr_assert_str_eq(text_of(-1, 3), "-0.33333333333333333");
	cr_assert_str_eq(text_of(2, 3), "0.66666666666666667");
	cr_assert_str_eq(text_of(100, 3), "33.333333333333334");
	cr_assert_str_eq(text_of(1, 3000), "0.00033333333333333334");
	cr_assert_str_eq(text_of(1, 1 << 21), "0.000000476837158203125");
}

Test(rational_text, the_largest_and_smallest_numbers_fit)
{
	cr_assert_str_eq(text_of(TOP, 1),
	    "85070591730234616000000000000000000000");
	cr_assert_str_eq(text_of(-TOP, 1),
	    "-85070591730234615000000000000000000000");
	cr_assert_str_eq(text_of(1, TOP),
	    "0.000000000000000000000000000000000000011754943508222876");
	cr_assert_str_eq(text_of(-1, TOP),
	    "-0.000000000000000000000000000000000000011754943508222875");
	cr_assert_str_eq(text_of(TOP - 1, TOP), "1");
	/* num 5^20 is 35 mod 2^128 */
	cr_assert_str_eq(text_of((i128)UINT64_C(550120053101738301) << 64 |
	    UINT64_C(1070203263887123091), 1 << 20),
	    "9677814320929789400000000000000");
	cr_assert_str_eq(text_of(1 - TOP, TOP), "-0.99999999999999999");
}

/* Printed budgets do not understate: text >= value, by less than 10^-16. */
Test(rational_text, texts_are_never_below_the_number)
{
	struct rational a, b, diff, bound = { 1, 10000000000000000 };
	char buf[FIXED_TEXT];
	struct rng r;
	int i, more = 0;

	rng_seeded(&r, 1, "rational_text");
	for (i = 0; i < 5000; i++) {
		i128 den = (i128)rng_below(&r, 1000000) + 1;
		i128 num = (i128)rng_below(&r, (uint64_t)den) - den / 2;

		cr_assert(rational_make(&a, num, den));
		rational_text(buf, a);
		if (strlen(buf) > 20)	/* 0.0000ddd, too fine to parse */
			continue;
		cr_assert(rational_parse(buf, &b), "%s", buf);
		cr_assert(rational_cmp(b, a) >= 0);
		cr_assert(rational_sub(&diff, b, a));
		cr_assert(rational_cmp(diff, bound) < 0);
		more += rational_cmp(b, a) > 0;
	}
	cr_assert(more > 1000);
}

Test(wide, products_are_those_of_long_multiplication)
{
	u128 max = ~(u128)0;
	struct wide w = wide_mul(max, max);

	cr_assert(w.hi == max - 1 && w.lo == 1);
	w = wide_mul(max, 2);
	cr_assert(w.hi == 1 && w.lo == max - 1);
	w = wide_mul((u128)1 << 64, (u128)1 << 64);
	cr_assert(w.hi == 1 && w.lo == 0);
	w = wide_mul(0, max);
	cr_assert(w.hi == 0 && w.lo == 0);
	w = wide_mul(UINT64_MAX, UINT64_MAX);
	cr_assert(w.hi == 0 && w.lo == (u128)UINT64_MAX * UINT64_MAX);
}

Test(wide, sums_carry_and_differences_borrow)
{
	struct wide one = { 0, 1 }, max = { 0, ~(u128)0 }, next = { 1, 0 };

	cr_assert_eq(wide_cmp(wide_add(max, one), next), 0);
	cr_assert_eq(wide_cmp(wide_sub(next, one), max), 0);
}

Test(wide, order_looks_at_the_high_part_first)
{
	struct wide a = { 1, 0 }, b = { 0, ~(u128)0 }, c = { 1, 1 };

	cr_assert_eq(wide_cmp(a, b), 1);
	cr_assert_eq(wide_cmp(b, a), -1);
	cr_assert_eq(wide_cmp(a, c), -1);
	cr_assert_eq(wide_cmp(c, c), 0);
}

Test(wide, quotient_and_remainder_give_the_number_back)
{
	struct rng r;
	int i;

	rng_seeded(&r, 1, "wide");
	for (i = 0; i < 3000; i++) {
		u128 a = (u128)rng_below(&r, UINT64_MAX) << 64 |
		    rng_below(&r, UINT64_MAX);
		u128 b = a * 3 >> rng_below(&r, 128);
		u128 d = (a >> (1 + rng_below(&r, 126))) + 1, rem;
		struct wide n = wide_mul(a, b), q = wide_div(n, d, &rem);
		struct wide back = wide_mul(q.lo, d);

		back.hi += q.hi * d;
		back = wide_add(back, (struct wide){ 0, rem });
		cr_assert(rem < d && wide_cmp(back, n) == 0);
		cr_assert(wide_cmp(wide_sub(n, back),
		    (struct wide){ 0, 0 }) == 0);
	}
}
