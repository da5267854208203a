/* account: exact budget arithmetic. */
#include "account.h"

#define PARTS 1000000000000000000	/* 10^18 */

/* a rounded to a multiple of 10^-18; false above 2^62 * 10^-18 or so. */
static bool
rounded(struct rational *r, struct rational a, enum fixed_mode mode)
{
	const int digits = FIXED_DIGITS;
	i128 whole = fixed_floor_div(a.num, a.den);
	struct rational part = { a.num - whole * a.den, a.den };
	int64_t steps;

	if (whole > (i128)1 << 60 || !rational_grid(part, digits, mode, &steps))
		return false;
	return rational_make(r, whole * PARTS + steps, PARTS);
}

static bool
add_up(struct rational *sum, struct rational a, struct rational b)
{
	struct rational ra, rb;

	return rational_add(sum, a, b) ||
	    (rounded(&ra, a, FIXED_CEIL) && rounded(&rb, b, FIXED_CEIL) &&
	    rational_add(sum, ra, rb));
}

/* [DMNS06 Theorem 1] */
bool
account_charge(struct account *a, struct rational charge)
{
	struct rational sum;

	if (rational_sign(charge) <= 0 || !add_up(&sum, a->spent, charge) ||
	    rational_cmp(sum, a->total) > 0)
		return false;
	a->spent = sum;
	return true;
}

struct rational
account_left(const struct account *a)
{
	struct rational left, total, spent;

	if (rational_sub(&left, a->total, a->spent))
		return left;
	if (rounded(&total, a->total, FIXED_FLOOR) &&
	    rounded(&spent, a->spent, FIXED_CEIL) &&
	    rational_sub(&left, total, spent) && rational_sign(left) > 0)
		return left;
	return (struct rational){ 0, 1 };
}

bool
account_times(struct rational *r, struct rational eps, uint64_t n)
{
	struct rational factor = { (i128)n, 1 };

	return rational_mul(r, eps, factor);
}
