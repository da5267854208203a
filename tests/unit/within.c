/* within: the smallest epsilon of three digits, in every decade. */
#include "release/plan/within.h"

#include <criterion/criterion.h>

/* An error that is 1 over epsilon. */
static bool
inverse(void *arg, struct rational eps, struct rational *error)
{
	(void)arg;
	return rational_make(error, eps.den, eps.num);
}

/* m 10^e */
static struct rational
power(int m, int e)
{
	struct rational x = { 0, 1 };
	i128 num = m, den = 1;

	for (; e > 0; e--)
		num *= 10;
	for (; e < 0; e++)
		den *= 10;
	cr_assert(rational_make(&x, num, den));
	return x;
}

static void
expect(struct rational bound, struct rational want)
{
	struct rational got = within_epsilon(bound, inverse, NULL);

	cr_expect_eq(rational_cmp(got, want), 0, "%lld/%lld",
	    (long long)got.num, (long long)got.den);
}

/* What it gives is enough, and the number before it is not. */
Test(within, the_smallest_number_of_three_digits_in_every_decade)
{
	static const int m[] = { 100, 101, 550, 998, 999 };
	const struct rational less = { 999999999, 1000000000 };
	struct rational eps, bound;

	for (int e = -9; e <= 5; e++)
		for (size_t i = 0; i < 5; i++) {
			if (e == 5 && m[i] == 999)
				continue;
			eps = power(m[i], e);
			cr_assert(inverse(NULL, eps, &bound));
			expect(bound, eps);
			cr_assert(rational_mul(&bound, bound, less));
			expect(bound, power(m[i] + 1, e));
		}
	expect(power(1, 30), power(100, -9));
	cr_assert(inverse(NULL, power(999, 5), &bound));
	expect(bound, power(999, 5));
}

static bool
never(void *arg, struct rational eps, struct rational *error)
{
	(void)arg;
	(void)eps;
	(void)error;
	return false;
}

Test(within, no_epsilon_is_a_mistake_in_use, .exit_code = 2)
{
	within_epsilon(power(1, 0), never, NULL);
}
