/* rational: parameters, their arithmetic and their texts, and products. */
#include "number/fixed.h"
#include "random/rng.h"

#include <criterion/criterion.h>
#include <string.h>

#define TOP (((i128)1 << 126) - 1)	/* largest part */

static struct rational
number(const char *text)
{
	struct rational r;

	cr_assert(rational_parse(text, &r), "'%s'", text);
	return r;
}

static void
assert_is(struct rational r, i128 num, i128 den)
{
	cr_assert(r.num == num && r.den == den, "%ld/%ld", (long)r.num,
	    (long)r.den);
}

Test(rational, parameters_are_decimals_or_fractions)
{
	i128 e18 = fixed_pow10(18);

	assert_is(number("0.1"), 1, 10);
	assert_is(number("-0.25"), -1, 4);
	assert_is(number("+5"), 5, 1);
	assert_is(number("5."), 5, 1);
	assert_is(number(".5"), 1, 2);
	assert_is(number("0"), 0, 1);
	assert_is(number("-0.000"), 0, 1);
	assert_is(number("0e400"), 0, 1);
	assert_is(number("2.5e-3"), 1, 400);
	assert_is(number("1e36"), e18 * e18, 1);
	assert_is(number("999999999999999999e19"), (e18 - 1) * e18 * 10, 1);
	assert_is(number("1e-18"), 1, e18);
	assert_is(number("999999999999999999e-18"), e18 - 1, e18);
	assert_is(number("0.000001000000000000000000"), 1, 1000000);
	assert_is(number("100000000000000000000"), e18 * 100, 1);
	assert_is(number("6/4"), 3, 2);
	assert_is(number("-2/6"), -1, 3);
	assert_is(number("+0/7"), 0, 1);
	assert_is(number("007/0010"), 7, 10);
	assert_is(number("999999999999999999/999999999999999998"),
	    e18 - 1, e18 - 2);
}

Test(rational, other_parameters_are_refused_untouched)
{
	static const char *const bad[] = {
		"", " 1", "1 ", "nan", "inf", "-inf", "0x10", ".", "-", "e5",
		"1e", "1e400", "1e37", "1e-19", "1e-400", "1e99999999999999",
		"1e-99999999999999999999", "1e9223372036854775807",
		"1234567890123456789", "1.234567890123456789",
		"10e36", "0.0000000000000000001", "1/0", "0/0", "1/", "/2",
		"/", "1/-2", "1/+2", "--1/2", "1.5/2", "1/2.0", "1e1/2",
		"1/2/3", "1/2 ", " 1/2", "1000000000000000000/3",
		"1/1000000000000000000", "one", "1,5", "1_0", "5f",
		"11e36", "0.1e-18",
	};
	struct rational r = { 7, 3 };
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		cr_assert_not(rational_parse(bad[i], &r), "'%s'", bad[i]);
	assert_is(r, 7, 3);
}

Test(rational, results_are_in_lowest_terms_with_a_positive_denominator)
{
	i128 least = (i128)((u128)1 << 127);
	struct rational r;

	cr_assert(rational_make(&r, 1, -3));
	assert_is(r, -1, 3);
	cr_assert(rational_make(&r, 6, -4));
	assert_is(r, -3, 2);
	cr_assert(rational_make(&r, -6, -4));
	assert_is(r, 3, 2);
	cr_assert(rational_make(&r, 0, -4));
	assert_is(r, 0, 1);
	cr_assert(rational_make(&r, least, least));
	assert_is(r, 1, 1);
	cr_assert_not(rational_make(&r, least, 2));	/* 2^126: no room */
	cr_assert_not(rational_make(&r, 1, least));
	cr_assert_not(rational_make(&r, 1, 0));
	cr_assert_not(rational_make(&r, 0, 0));
	cr_assert(rational_make(&r, least, 4));
	assert_is(r, -((i128)1 << 125), 1);
}

/* All pairs of small fractions, against sums and products in integers. */
Test(rational, arithmetic_is_exact)
{
	struct rational a, b, r = { 7, 3 }, want;

	for (int i = 0; i < 13 * 6 * 13 * 6; i++) {
		int n = i % 13 - 6, d = 1 + i / 13 % 6;
		int m = i / 78 % 13 - 6, e = 1 + i / 1014;

		cr_assert(rational_make(&a, n, d) && rational_make(&b, m, e));
		cr_assert(rational_add(&r, a, b));
		cr_assert(rational_make(&want, n * e + m * d, d * e));
		assert_is(r, want.num, want.den);
		cr_assert(rational_sub(&r, a, b));
		cr_assert(rational_make(&want, n * e - m * d, d * e));
		assert_is(r, want.num, want.den);
		cr_assert(rational_mul(&r, a, b));
		cr_assert(rational_make(&want, n * m, d * e));
		assert_is(r, want.num, want.den);
		cr_assert_eq(rational_div(&r, a, b), m != 0);
		cr_assert(m == 0 || rational_make(&want, n * e, d * m));
		assert_is(r, want.num, want.den);
	}
}

/* The parts before reduction leave 128 bits, the result does not. */
Test(rational, only_results_without_room_are_refused)
{
	struct rational top = { TOP, 1 }, one = { 1, 1 }, tiny = { 1, TOP };
	struct rational a = { TOP, (i128)1 << 100 }, r = { 7, 3 };
	struct rational b = { 1, (i128)1 << 100 };

	cr_assert_not(rational_add(&r, top, one));
	cr_assert_not(rational_add(&r, top, tiny));
	cr_assert_not(rational_sub(&r, tiny, top));
	cr_assert_not(rational_mul(&r, top, top));
	cr_assert_not(rational_mul(&r, tiny, tiny));
	cr_assert_not(rational_div(&r, tiny, top));
	assert_is(r, 7, 3);
	cr_assert(rational_sub(&r, top, one));
	assert_is(r, TOP - 1, 1);
	cr_assert(rational_mul(&r, top, tiny));
	assert_is(r, 1, 1);
	cr_assert(rational_div(&r, tiny, tiny));
	assert_is(r, 1, 1);
	cr_assert(rational_add(&r, a, b));	/* 2^126 / 2^100 */
	assert_is(r, (i128)1 << 26, 1);
	cr_assert(rational_add(&r, a, a));	/* 2 TOP / 2^100 */
	assert_is(r, TOP, (i128)1 << 99);
}

Test(rational, order_is_exact_for_the_largest_parts)
{
	struct rational a = { TOP, TOP - 1 }, b = { TOP - 1, TOP - 2 };
	struct rational c = { -TOP, TOP - 1 }, zero = { 0, 1 };

	cr_assert_eq(rational_cmp(a, b), -1);
	cr_assert_eq(rational_cmp(b, a), 1);
	cr_assert_eq(rational_cmp(a, a), 0);
	cr_assert_eq(rational_cmp(c, a), -1);
	cr_assert_eq(rational_cmp(zero, c), 1);
	cr_assert_eq(rational_cmp(zero, zero), 0);
	b.num = -b.num;
	cr_assert_eq(rational_cmp(c, b), 1);
	cr_assert_eq(rational_cmp(number("1/3"),
	    number("0.333333333333333333")), 1);
	cr_assert_eq(rational_sign(c), -1);
	cr_assert_eq(rational_sign(zero), 0);
}

Test(rational, the_grid_of_a_number_is_the_coarsest_that_holds_it)
{
	cr_assert_eq(rational_digits(number("100")), 0);
	cr_assert_eq(rational_digits(number("0.5")), 1);
	cr_assert_eq(rational_digits(number("1/8")), 3);
	cr_assert_eq(rational_digits(number("0.1250")), 3);
	cr_assert_eq(rational_digits(number("1e-18")), 18);
	cr_assert_eq(rational_digits(number("1/3")), -1);
	cr_assert_eq(rational_digits(number("1/524288")), -1);	/* 2^19 */
	cr_assert_eq(rational_digits((struct rational){ 1, TOP }), -1);
}

Test(rational, a_grid_that_18_decimals_do_not_hold_is_none)
{
	int digits = 0;

	grid_limit(&digits, number("1e-12"), 1000000);
	cr_assert_eq(digits, 18);
	grid_limit(&digits, number("1e-13"), 1000000);
	cr_assert_eq(digits, -1);
	grid_hold(&digits, number("0.5"));
	cr_assert_eq(digits, -1);
}

Test(rational, grid_rounding_goes_down_up_or_to_the_nearest)
{
	static const struct {
		const char *a;
		int digits;
		int64_t floor, nearest, ceil;
	} known[] = {
		{ "1/3", 2, 33, 33, 34 }, { "-1/3", 2, -34, -33, -33 },
		{ "1/2", 0, 0, 1, 1 }, { "-1/2", 0, -1, 0, 0 },
		{ "-3/2", 0, -2, -1, -1 }, { "2/3", 0, 0, 1, 1 },
		{ "-2/3", 0, -1, -1, 0 }, { "5", 0, 5, 5, 5 },
		{ "-5", 1, -50, -50, -50 }, { "0", 18, 0, 0, 0 },
		{ "1e-18", 0, 0, 0, 1 }, { "-1e-18", 0, -1, 0, 0 },
	};
	size_t i;
	int64_t x;

	for (i = 0; i < sizeof(known) / sizeof(*known); i++) {
		struct rational a = number(known[i].a);
		int k = known[i].digits;

		cr_assert(rational_grid(a, k, FIXED_FLOOR, &x));
		cr_assert_eq(x, known[i].floor, "%s", known[i].a);
		cr_assert(rational_grid(a, k, FIXED_NEAREST, &x));
		cr_assert_eq(x, known[i].nearest, "%s", known[i].a);
		cr_assert(rational_grid(a, k, FIXED_CEIL, &x));
		cr_assert_eq(x, known[i].ceil, "%s", known[i].a);
	}
}

Test(rational, grid_values_end_at_the_limit)
{
	struct rational max = { FIXED_MAX, 1 }, over = { FIXED_MAX + 1, 1 };
	struct rational half = { 2 * (i128)FIXED_MAX + 1, 2 };
	struct rational top = { TOP, 1 };
	int64_t x = 77;

	cr_assert_not(rational_grid(over, 0, FIXED_FLOOR, &x));
	cr_assert_not(rational_grid(half, 0, FIXED_NEAREST, &x));
	cr_assert_not(rational_grid(top, 18, FIXED_FLOOR, &x));
	top.num = (i128)1 << 120;	/* a multiple of 2^128 on the grid */
	cr_assert_not(rational_grid(top, 18, FIXED_FLOOR, &x));
	over.num = -over.num;
	cr_assert_not(rational_grid(over, 0, FIXED_CEIL, &x));
	cr_assert_not(rational_grid(max, 1, FIXED_FLOOR, &x));
	cr_assert_eq(x, 77);
	cr_assert(rational_grid(half, 0, FIXED_FLOOR, &x));
	cr_assert_eq(x, FIXED_MAX);
	half.num = -half.num;
	cr_assert(rational_grid(half, 0, FIXED_NEAREST, &x));
	cr_assert_eq(x, -FIXED_MAX);
	cr_assert_not(rational_grid(half, 0, FIXED_FLOOR, &x));
	max.num = -max.num;
	cr_assert(rational_grid(max, 0, FIXED_FLOOR, &x));
	cr_assert_eq(x, -FIXED_MAX);
}

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
