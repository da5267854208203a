/* rational: parameters and their arithmetic, by tables of edges. */
#include "number/fixed.h"

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

Test(rational, arithmetic_is_exact)
{
	struct rational r;

	cr_assert(rational_add(&r, number("1/6"), number("1/10")));
	assert_is(r, 4, 15);
	cr_assert(rational_sub(&r, number("0.3"), number("0.1")));
	assert_is(r, 1, 5);
	cr_assert(rational_sub(&r, number("1/3"), number("1/3")));
	assert_is(r, 0, 1);
	cr_assert(rational_add(&r, number("-1/2"), number("1/3")));
	assert_is(r, -1, 6);
	cr_assert(rational_add(&r, number("1/3"), number("-1/2")));
	assert_is(r, -1, 6);
	cr_assert(rational_sub(&r, number("1/3"), number("1/2")));
	assert_is(r, -1, 6);
	cr_assert(rational_mul(&r, number("-2/3"), number("3/4")));
	assert_is(r, -1, 2);
	cr_assert(rational_mul(&r, number("-2/3"), number("0")));
	assert_is(r, 0, 1);
	cr_assert(rational_div(&r, number("1"), number("-3/7")));
	assert_is(r, -7, 3);
	cr_assert(rational_div(&r, number("0"), number("-3/7")));
	assert_is(r, 0, 1);
	r = number("7/3");
	cr_assert_not(rational_div(&r, number("1"), number("0")));
	assert_is(r, 7, 3);
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
