/* The roundings of plan: what has no room goes up, never down. */
#include <criterion/criterion.h>

#include "dx/plan/upward.h"
#include "number/fixed.h"

static uint64_t
next(uint64_t *s)
{
	*s = *s * 6364136223846793005U + 1442695040888963407U;
	return *s >> 1;
}

static struct wide
product(u128 a, u128 b, uint64_t c)
{
	struct wide ab = wide_mul(a, b), abc = wide_mul(ab.lo, c);

	abc.hi += ab.hi * c;
	return abc;
}

/* Is r at least (a / b) (c / d), in 256 bits? */
static bool
at_least(struct rational r, u128 a, u128 b, uint64_t c, uint64_t d)
{
	return wide_cmp(product((u128)r.num, b, d), product((u128)r.den, a,
	    c)) >= 0;
}

Test(plan_round, products_and_quotients_are_rounded_up)
{
	struct rational x, y, r;
	uint64_t state = 7, c, d;
	u128 a, b;
	int i, rounded = 0;

	for (i = 0; i < 20000; i++) {
		/* 93 and 40 bits, odd: rarely reducible, too long together */
		a = (u128)(next(&state) | (uint64_t)1 << 62) << 30 | 1;
		b = (u128)(next(&state) | (uint64_t)1 << 62) << 30 | 1;
		c = next(&state) >> 23 | (uint64_t)1 << 39 | 1;
		d = next(&state) >> 23 | (uint64_t)1 << 39 | 1;
		cr_assert(rational_make(&x, (i128)a, (i128)b));
		cr_assert(rational_make(&y, (i128)c, (i128)d));
		rounded += !rational_mul(&r, x, y);
		cr_assert(upward_mul(&r, x, y));
		cr_assert(at_least(r, a, b, c, d));
		cr_assert(upward_div(&r, x, y));
		cr_assert(at_least(r, a, b, d, c));
	}
	cr_assert_gt(rounded, 0, "nothing had to be rounded");
}
