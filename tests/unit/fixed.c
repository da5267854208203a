/* fixed: cells and grid integers, by tables of edges. */
#include "number/fixed.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *text;
	int digits;
	int64_t value;
} good[] = {
	{ "0", 0, 0 }, { "-0", 3, 0 }, { "+5", 0, 5 }, { "5.", 0, 5 },
	{ ".5", 1, 5 }, { " \t7 \t", 0, 7 }, { "007", 1, 70 },
	/* floor(x + 1/2): halves go up on both sides of zero */
	{ "0.5", 0, 1 }, { "-0.5", 0, 0 }, { "1.5", 0, 2 }, { "2.5", 0, 3 },
	{ "-1.5", 0, -1 }, { "-2.5", 0, -2 }, { "-0.51", 0, -1 },
	{ "0.4999999999999999999999999", 0, 0 },
	{ "-0.5000000000000000000000000", 0, 0 },
	{ "-0.5000000000000000000000001", 0, -1 },
	{ "0.125", 2, 13 }, { "-0.125", 2, -12 }, { "-0.135", 2, -13 },
	{ "1e3", 0, 1000 }, { "1E+3", 0, 1000 }, { "12.345e1", 1, 1235 },
	{ "12345e-3", 2, 1235 }, { "-12345e-3", 2, -1234 },
	{ "0.000000000000000001", 18, 1 }, { "4", 18, 4000000000000000000 },
	{ "5", 18, FIXED_MAX }, { "-5", 18, -FIXED_MAX },
	{ "4.611686018427387903", 18, FIXED_MAX - 1 },
	{ "4611686018427387904", 0, FIXED_MAX },
	{ "4611686018427387903.4", 0, FIXED_MAX - 1 },
	{ "-4611686018427387904.6", 0, -FIXED_MAX },
	{ "18446744073709551616", 0, FIXED_MAX },
	{ "99999999999999999999999999", 0, FIXED_MAX },
	{ "999999999999999999", 18, FIXED_MAX },
	{ "1e-999999999999", 18, 0 }, { "-1e-999999999999", 18, 0 },
	{ "1e999999999999999999", 0, FIXED_MAX },
	{ "-1e999999999999999999999999999", 0, -FIXED_MAX },
	{ "1e-99999999999999999999999999999999", 18, 0 },
	{ "0e999999999999999999999", 0, 0 }, { "0.0e-99999999999", 0, 0 },
	{ "0.00000000000000000000000001e26", 0, 1 },
	{ "100000000000000000000000000e-26", 0, 1 },
	{ "1e9223372036854775807", 0, FIXED_MAX },
	{ "1e-9223372036854775808", 0, 0 },
	{ "1e00000000000000000000000000000002", 0, 100 },
};

static const char *const bad[] = {
	"", " ", "\t", ".", "+", "-", "+.", "e5", ".e5", "nan", "NaN", "inf",
	"-inf", "0x1", "0x", "1 2", "--1", "+-1", "- 1", "1e", "1e+", "1e-",
	"1.2.3", "1..2", "..", "1e5.5", "1e 5", "1,5", "1_000", "1'000",
	"1e5e5", "5f", "5L", "\n5", "5\n", "5\xc2\xa0", "\xd9\xa5",
	"1/2", "true", "(5)", "5-", "1d5", "1p3",
};

Test(fixed, cells_round_halves_up_and_saturate)
{
	char room[FIXED_BEFORE + 64] = "";
	size_t i, n;
	int64_t x, y;

	for (i = 0; i < sizeof(good) / sizeof(*good); i++) {
		n = strlen(good[i].text);
		memcpy(room + FIXED_BEFORE, good[i].text, n);
		cr_assert(fixed_cell(good[i].text, n, good[i].digits, &x),
		    "'%s'", good[i].text);
		cr_assert(fixed_cell_behind(room + FIXED_BEFORE, n,
		    good[i].digits, &y));
		cr_assert(x == good[i].value && y == x, "'%s' to %d: %ld",
		    good[i].text, good[i].digits, (long)x);
	}
}

Test(fixed, other_texts_are_no_numbers_and_change_nothing)
{
	size_t i;
	int64_t x;
	int k;

	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		for (k = 0; k <= FIXED_DIGITS; k++) {
			x = 77;
			cr_assert_not(fixed_cell(bad[i], strlen(bad[i]), k,
			    &x), "'%s'", bad[i]);
			cr_assert_eq(x, 77);
		}
}

Test(fixed, a_nul_in_a_cell_makes_it_bad)
{
	int64_t x = 77;

	cr_assert_not(fixed_cell("1\0", 2, 0, &x));
	cr_assert_not(fixed_cell("\0" "1", 2, 0, &x));
	cr_assert_not(fixed_cell("1\0" "2", 3, 0, &x));
	cr_assert_not(fixed_cell("1e\0", 3, 0, &x));
	cr_assert_not(fixed_cell("", 1, 0, &x));
	cr_assert_eq(x, 77);
}

/* The bytes after a cell belong to somebody else: malloc'ed to be watched. */
Test(fixed, cells_end_where_their_length_says)
{
	char *cell = malloc(2);
	int64_t x;

	cr_assert_not_null(cell);
	memcpy(cell, "1e", 2);
	cr_assert(fixed_cell(cell, 1, 0, &x));
	cr_assert_eq(x, 1);
	cr_assert_not(fixed_cell(cell, 2, 0, &x));
	memcpy(cell, "4.", 2);
	cr_assert(fixed_cell(cell, 2, 1, &x));
	cr_assert_eq(x, 40);
	cr_assert_not(fixed_cell(cell, 0, 0, &x));
	free(cell);
}

Test(fixed, cells_of_thousands_of_digits_are_exact)
{
	enum { LONG = 5000 };
	char cell[LONG + 1];
	int64_t x;

	memset(cell, '0', LONG);
	cell[0] = '-';
	cell[1] = '.';
	cell[2] = '5';
	cr_assert(fixed_cell(cell, LONG, 0, &x));
	cr_assert_eq(x, 0);
	cell[LONG - 1] = '1';
	cr_assert(fixed_cell(cell, LONG, 0, &x));
	cr_assert_eq(x, -1);
	cell[0] = '+';
	cr_assert(fixed_cell(cell, LONG, 0, &x));
	cr_assert_eq(x, 1);
	memset(cell, '9', LONG);
	cr_assert(fixed_cell(cell, LONG, 0, &x));
	cr_assert_eq(x, FIXED_MAX);
	memset(cell, '0', LONG);
	memcpy(cell + LONG - 6, "3e4990", 6);	/* leading zeros, then 3 */
	cr_assert(fixed_cell(cell, LONG, 0, &x));
	cr_assert_eq(x, FIXED_MAX);
	cell[0] = '.';				/* 3e-4994, times 1e4990 */
	cr_assert(fixed_cell(cell, LONG, 18, &x));
	cr_assert_eq(x, 300000000000000);
}

Test(fixed, texts_have_just_the_decimals_asked_for)
{
	i128 least = (i128)((u128)1 << 127);
	char b[FIXED_TEXT];

	cr_assert_str_eq(fixed_text(b, 0, 0), "0");
	cr_assert_str_eq(fixed_text(b, 0, 3), "0.000");
	cr_assert_str_eq(fixed_text(b, -5, 0), "-5");
	cr_assert_str_eq(fixed_text(b, -5, 3), "-0.005");
	cr_assert_str_eq(fixed_text(b, 12345, 2), "123.45");
	cr_assert_str_eq(fixed_text(b, -100, 2), "-1.00");
	cr_assert_str_eq(fixed_text(b, 1, 18), "0.000000000000000001");
	cr_assert_str_eq(fixed_text(b, least, 0),
	    "-170141183460469231731687303715884105728");
	cr_assert_str_eq(fixed_text(b, ~least, 18),
	    "170141183460469231731.687303715884105727");
}

Test(fixed, integer_helpers_hold_at_their_limits)
{
	i128 big = (i128)1 << 126, least = (i128)((u128)1 << 127);
	int a, b, k;

	for (a = -30; a <= 30; a++)
		for (b = 1; b <= 7; b++) {
			i128 q = fixed_floor_div(a, b);

			cr_assert(q * b <= a && a < (q + 1) * b);
			q = fixed_ceil_div(a, b);
			cr_assert((q - 1) * b < a && a <= q * b);
		}
	cr_assert(fixed_floor_div(least, 1) == least);
	cr_assert(fixed_ceil_div(~least, ~least) == 1);
	cr_assert(fixed_floor_div(-1, ~least) == -1);
	cr_assert(fixed_add_sat(big, 1) == big);
	cr_assert(fixed_add_sat(big, -1) == big - 1);
	cr_assert(fixed_add_sat(~least, ~least) == big);
	cr_assert(fixed_add_sat(least, least) == -big);
	cr_assert(fixed_add_sat(least, ~least) == -1);
	cr_assert_eq(fixed_clamp(5, 1, 3), 3);
	cr_assert_eq(fixed_clamp(-5, 1, 3), 1);
	cr_assert_eq(fixed_clamp(2, 1, 3), 2);
	for (k = 1; k <= FIXED_DIGITS; k++)
		cr_assert_eq(fixed_pow10(k), 10 * fixed_pow10(k - 1));
	cr_assert_eq(fixed_pow10(0), 1);
}

/* Against the definition, floor(x / unit + 1/2) and its like, by search. */
Test(fixed, round_goes_down_up_or_to_the_nearest_with_halves_up)
{
	for (int x = -250; x <= 250; x++)
		for (int k = 0; k <= 2; k++) {
			int unit = (int)fixed_pow10(k), low = -300, near = -300;

			while ((low + 1) * unit <= x)
				low++;
			while (2 * (near + 1) * unit <= 2 * x + unit)
				near++;
			cr_assert(fixed_round(x, 3 + k, 3, FIXED_FLOOR) == low);
			cr_assert(fixed_round(x, 3 + k, 3, FIXED_CEIL) ==
			    low + (low * unit < x));
			cr_assert(fixed_round(x, 3 + k, 3, FIXED_NEAREST) ==
			    near);
			cr_assert(fixed_round(x, 3, 3 + k, FIXED_CEIL) ==
			    x * unit);
		}
	cr_assert(fixed_round((i128)1 << 100, 0, 18, FIXED_FLOOR) ==
	    (i128)1 << 126);
	cr_assert(fixed_round(-((i128)1 << 100), 0, 18, FIXED_NEAREST) ==
	    -((i128)1 << 126));
	cr_assert(fixed_round((i128)1 << 126, 1, 0, FIXED_FLOOR) ==
	    ((i128)1 << 126) / 10);
}

Test(fixed, a_root_is_the_largest_whole_number_whose_square_is_no_larger)
{
	const u128 most = ~(u128)0, last = ~(uint64_t)0;

	for (u128 x = 0, r = 0; x <= 10000; x++) {
		r += (r + 1) * (r + 1) <= x;
		cr_assert(fixed_root(x) == r, "%u", (unsigned)x);
	}
	cr_assert(fixed_root(most) == last && fixed_root(last * last) == last);
	cr_assert(fixed_root(last * last - 1) == last - 1);
}
