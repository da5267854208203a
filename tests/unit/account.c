/* Budget arithmetic: exact, and never in the spender's favour. */
#include <criterion/criterion.h>

#include "ledger/account.h"
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
	struct account a = { total, { 0, 1 } };
	int n = 0;

	while (n < most && account_charge(&a, eps))
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

Test(account, a_refused_charge_changes_nothing)
{
	struct account a = { ratio(1, 1), ratio(1, 2) };

	cr_assert_not(account_charge(&a, ratio(2, 3)));
	cr_assert_eq(rational_cmp(a.spent, ratio(1, 2)), 0);
	cr_assert_not(account_charge(&a, ratio(0, 1)));
	cr_assert_not(account_charge(&a, ratio(-1, 2)));
	cr_assert(account_charge(&a, ratio(1, 2)));
	cr_assert_eq(rational_sign(account_left(&a)), 0);
}

/*
 * Many different denominators leave 126 bits: the sum is then rounded up.
 * The floor of the true sum is known here, since each charge is above 1/2^31.
 */
Test(account, rounding_never_overspends)
{
	struct account a = { ratio(1, 1000), { 0, 1 } };
	struct rational before;
	long double sum = 0;
	struct rng rng;
	int n;

	rng_seeded(&rng, 1, "account");
	for (n = 0; n < 1000; n++) {
		long long den = (1LL << 31) - 1 -
		    (long long)rng_below(&rng, 1000000);

		before = a.spent;
		cr_assert(account_charge(&a, ratio(1000, den)));
		sum += 1000.0L / (long double)den;
		cr_assert_gt(rational_cmp(a.spent, before), 0);
		cr_assert_geq((long double)a.spent.num /
		    (long double)a.spent.den, sum * (1 - 1e-15L));
	}
	cr_assert_leq((long double)a.spent.num / (long double)a.spent.den,
	    sum + 1e-14L, "and rounds by no more than 10^-18 a charge");
}

Test(account, n_releases_cost_n_times_epsilon)
{
	struct rational r;

	cr_assert(account_times(&r, ratio(1, 3), 6));
	cr_assert_eq(rational_cmp(r, ratio(2, 1)), 0);
}

/* Fractions whose difference has no room are rounded against the spender. */
Test(account, what_is_left_is_never_said_to_be_more)
{
	const i128 big = (i128)1 << 90;
	struct account a;
	struct rational left;

	cr_assert(rational_make(&a.total, 2 * big + 1, big - 1));
	cr_assert(rational_make(&a.spent, 1, big + 1));
	cr_assert_not(rational_sub(&left, a.total, a.spent));
	left = account_left(&a);
	cr_assert_lt(rational_cmp(left, a.total), 0);
	cr_assert_gt(rational_cmp(left, ratio(199, 100)), 0);
	cr_assert_leq(rational_cmp(left, ratio(2, 1)), 0);
}
