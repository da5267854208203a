/* Codes of large sizes: their order, and rounding down and up. */
#include <criterion/criterion.h>

#include "asm/size/code.h"
#include "random/rng.h"

static u128
draw(struct rng *r)
{
	u128 x = (u128)rng_below(r, UINT64_MAX >> 1) << 63 | rng_below(r,
	    UINT64_MAX >> 1);

	return x >> rng_below(r, 126);
}

Test(code, numbers_below_2_to_54_are_their_own_codes)
{
	for (u128 x = 0; x < (u128)1 << 54; x += 1 + x / 3) {
		cr_expect(code_of(x, false) == (int64_t)x);
		cr_expect(code_of(x, true) == (int64_t)x);
		cr_expect(code_size((int64_t)x) == x);
	}
}

Test(code, sizes_are_rounded_to_the_nearest_code_on_each_side)
{
	struct rng r;

	rng_seeded(&r, 1, "code");
	for (int i = 0; i < 100000; i++) {
		u128 x = draw(&r), down, up;
		int64_t low = code_of(x, false), high = code_of(x, true);

		down = code_size(low);
		up = code_size(high);
		cr_assert(down <= x && x <= up);
		cr_assert(high - low == (down != x));
		cr_assert(up - down <= x >> 53);
		cr_assert(code_of(down, true) == low);
		cr_assert(code_of(up, false) == high);
		cr_assert(code_size(low + 1) > down);
	}
	cr_expect(code_of(CODE_MOST, false) < FIXED_MAX);
	cr_expect(code_size(code_of(CODE_MOST, true)) == CODE_MOST);
}
