/* Budget arithmetic: exact, and never in the spender's favour. */
#include <criterion/criterion.h>

#include <string.h>

#include "budget/change.h"
#include "budget/state.h"
#include "random/rng.h"

static struct rational
ratio(long long num, long long den)
{
	struct rational r;

	cr_assert(rational_make(&r, num, den));
	return r;
}

/* How many charges of eps fit in total. */
static int
fit(struct rational total, struct rational eps, int most)
{
	struct account a = { total, { 0, 1 }, { 0, 1 } };
	int n = 0;

	while (n < most && account_charge(&a, NULL, eps))
		n++;
	return n;
}

/* [DMNS06 Theorem 1]; in doubles ten times 0.1 is not 1 */
Test(account, ten_tenths_fit_in_one_and_no_eleventh)
{
	double spent = 0;
	int i;

	cr_assert_eq(fit(ratio(1, 1), ratio(1, 10), 20), 10);
	cr_assert_eq(fit(ratio(1, 1), ratio(1, 3), 20), 3);
	for (i = 0; i < 10; i++)
		spent += 0.1;
	cr_assert(spent != 1.0, "the broken twin in doubles goes wrong");
}

/*
 * Many different denominators leave 126 bits: the sum is then rounded up.
 * The floor of the true sum is known here, since each charge is above 1/2^31.
 */
Test(account, rounding_never_overspends)
{
	struct account a = { ratio(1, 1000), { 0, 1 }, { 0, 1 } };
	struct rational before;
	long double sum = 0;
	struct rng rng;
	int n;

	rng_seeded(&rng, 1, "account");
	for (n = 0; n < 1000; n++) {
		long long den = (1LL << 31) - 1 -
		    (long long)rng_below(&rng, 1000000);

		before = a.whole;
		cr_assert(account_charge(&a, NULL, ratio(1000, den)));
		sum += 1000.0L / (long double)den;
		cr_assert_gt(rational_cmp(a.whole, before), 0);
		cr_assert_geq((long double)a.whole.num /
		    (long double)a.whole.den, sum * (1 - 1e-15L));
	}
	cr_assert_leq((long double)a.whole.num / (long double)a.whole.den,
	    sum + 1e-14L, "and rounds by no more than 10^-18 a charge");
}

/* Fractions whose difference has no room are rounded against the spender. */
Test(account, what_is_left_is_never_said_to_be_more)
{
	const i128 big = (i128)1 << 90;
	struct account a = { .top = { 0, 1 } };
	struct rational left;

	cr_assert(rational_make(&a.total, 2 * big + 1, big - 1));
	cr_assert(rational_make(&a.whole, 1, big + 1));
	cr_assert_not(rational_sub(&left, a.total, a.whole));
	left = account_left(&a, NULL);
	cr_assert_lt(rational_cmp(left, a.total), 0);
	cr_assert_gt(rational_cmp(left, ratio(199, 100)), 0);
	cr_assert_leq(rational_cmp(left, ratio(2, 1)), 0);
}

/*
 * Ten slices of 0.3 and 0.5 for all: the largest slice counts, and only it;
 * a twin that adds slices up would be full after the second.
 */
Test(account, slices_cost_as_much_as_the_largest)
{
	struct account a = { ratio(1, 1), { 0, 1 }, { 0, 1 } };
	struct rational slice[10];
	int i;

	for (i = 0; i < 10; i++) {
		slice[i] = ratio(0, 1);
		cr_assert(account_charge(&a, &slice[i], ratio(3, 10)));
	}
	cr_assert(account_charge(&a, NULL, ratio(1, 2)));
	cr_assert_eq(rational_cmp(state_spent(&a), ratio(4, 5)), 0);
	cr_assert_not(account_charge(&a, &slice[4], ratio(3, 10)));
	cr_assert_eq(rational_cmp(slice[4], ratio(3, 10)), 0);
	cr_assert(account_charge(&a, &slice[4], ratio(1, 5)));
	cr_assert_eq(rational_sign(account_left(&a, NULL)), 0);
	cr_assert_eq(rational_cmp(account_left(&a, &slice[3]), ratio(1, 5)),
	    0);
	cr_assert_not(account_charge(&a, NULL, ratio(1, 1000000)));
	cr_assert_not(account_charge(&a, NULL, ratio(0, 1)));
	cr_assert_not(account_charge(&a, NULL, ratio(-1, 2)));
}

/* What was allotted is no longer there, and never more than there was. */
Test(account, what_is_moved_adds_up_to_what_there_was)
{
	struct account from = { ratio(1, 1), ratio(1, 3), ratio(1, 6) };
	struct account to = { ratio(0, 1), { 0, 1 }, { 0, 1 } };
	struct rational sum;

	cr_assert_not(change_move(&from, &to, ratio(51, 100)));
	cr_assert_not(change_move(&from, &to, ratio(0, 1)));
	cr_assert(change_move(&from, &to, ratio(1, 2)));
	cr_assert_eq(rational_sign(account_left(&from, NULL)), 0);
	cr_assert(rational_add(&sum, from.total, to.total));
	cr_assert_eq(rational_cmp(sum, ratio(1, 1)), 0);
	cr_assert(account_charge(&to, NULL, ratio(1, 2)));
	cr_assert_not(account_charge(&to, NULL, ratio(1, 100)));
}

/* floor(10^36 x) for x below 1. */
static u128
parts_of(struct rational x)
{
	u128 all = (u128)fixed_pow10(18) * (u128)fixed_pow10(18), rem;

	return wide_div(wide_mul((u128)x.num, all), (u128)x.den, &rem).lo;
}

/* Of 10^-18 too, and of parts whose sum 126 bits do not hold. */
Test(account, allotments_of_any_size_add_up_to_what_there_was)
{
	const struct rational atom = ratio(1, fixed_pow10(18));
	struct account from = { ratio(1, 2), { 0, 1 }, { 0, 1 } }, to = from;
	u128 given = 0, half = parts_of(from.total), rest;
	struct rng rng;

	to.total = ratio(0, 1);
	for (int i = 1; i <= 3; i++) {
		cr_assert(change_move(&from, &to, atom));
		given += parts_of(atom);
		cr_assert_eq(parts_of(to.total), given);
		cr_assert_eq(parts_of(from.total), half - given);
	}
	for (int i = 0; i < 4; i++)
		cr_assert_eq(account_charge(&to, NULL, atom), i < 3);
	rng_seeded(&rng, 1, "allotments");
	for (int i = 1; i <= 400; i++) {
		struct rational x = ratio(1 + (long long)rng_below(&rng,
		    1000000), (1LL << 31) - 1 - (long long)rng_below(&rng,
		    1000000));

		to.total = ratio(0, 1);
		cr_assert(change_move(&from, &to, x));
		cr_assert_eq(rational_cmp(to.total, x), 0);
		given += parts_of(x);
		rest = parts_of(from.total);
		cr_assert(rest <= half - given);
		cr_assert(half - given - rest <= (u128)(3 * i) *
		    (u128)fixed_pow10(18), "%d", i);
	}
}

Test(account, the_largest_slice_is_remembered)
{
	struct account a = { ratio(1, 1), { 0, 1 }, { 0, 1 } };
	struct rational big = { 0, 1 }, small = { 0, 1 };

	cr_assert(account_charge(&a, &big, ratio(1, 2)));
	cr_assert(account_charge(&a, &small, ratio(1, 10)));
	cr_assert_eq(rational_cmp(state_spent(&a), ratio(1, 2)), 0);
	cr_assert_not(account_charge(&a, NULL, ratio(3, 5)));
}

/* The digits of a text as an integer, and how many stand behind the point. */
static u128
digits_of(const char *text, int *decimals)
{
	const char *point = strchr(text, '.');
	u128 m = 0;

	*decimals = point == NULL ? 0 : (int)strlen(point + 1);
	for (; *text != '\0'; text++)
		if (*text != '.')
			m = m * 10 + (u128)(*text - '0');
	return m;
}

/* A sum in words is on the side that was asked for, by less than one step. */
static void
check_text(struct rational sum)
{
	char down[ACCOUNT_TEXT], up[ACCOUNT_TEXT];
	struct wide low, high, exact, step = { 0, (u128)sum.den };
	int k, other;
	bool equal;

	low = wide_mul(digits_of(account_text(down, sum, FIXED_FLOOR), &k),
	    (u128)sum.den);
	high = wide_mul(digits_of(account_text(up, sum, FIXED_CEIL), &other),
	    (u128)sum.den);
	exact = wide_mul((u128)sum.num, (u128)fixed_pow10(k));
	equal = wide_cmp(low, exact) == 0;
	cr_assert_eq(k, other);
	cr_assert(k >= 9 || equal || sum.num / sum.den >= fixed_pow10(18));
	cr_assert_leq(wide_cmp(low, exact), 0, "%s: too much", down);
	cr_assert_geq(wide_cmp(high, exact), 0, "%s: too little", up);
	cr_assert_eq(wide_cmp(high, equal ? low : wide_add(low, step)), 0,
	    "%s to %s", down, up);
}

/*
 * What is left is never said to be more, nor what was spent less: thirds above
 * 2^62 / 10^9, decimals of 22 digits and more, and numbers of any size.
 */
Test(account, texts_round_as_they_are_asked_at_any_size)
{
	const i128 most = ((i128)1 << 126) - 1;
	struct rational sum;
	struct rng rng;
	char buf[ACCOUNT_TEXT];

	check_text(ratio(29999999999, 3));
	check_text((struct rational){ most, 1 });
	check_text((struct rational){ most, 2 });
	check_text((struct rational){ 1, most });
	check_text((struct rational){ most, most - 1 });
	check_text(ratio(0, 1));
	cr_assert(rational_make(&sum, (i128)10000 * fixed_pow10(18) - 1,
	    fixed_pow10(18)));
	check_text(sum);
	cr_assert_str_eq(account_text(buf, sum, FIXED_FLOOR),
	    "9999.999999999999999999");
	cr_assert_str_eq(account_text(buf, ratio(29999999999, 3), FIXED_FLOOR),
	    "9999999999.666666666");
	rng_seeded(&rng, 1, "texts");
	for (int i = 0; i < 20000; i++) {
		i128 num = (i128)rng_below(&rng, UINT64_MAX) << 62 |
		    (i128)rng_below(&rng, (uint64_t)1 << 62);
		i128 den = i % 2 == 0 ? (i128)fixed_pow10(i % 19) :
		    (i128)rng_below(&rng, INT64_MAX) << (i % 62);

		num >>= rng_below(&rng, 120);
		if (den > 0 && rational_make(&sum, num, den))
			check_text(sum);
	}
}
