/* account: exact budget arithmetic. */
#include "account.h"

#define TEXT_DIGITS 9
#define PARTS 1000000000000000000	/* 10^18 */

/* a rounded to a multiple of 10^-18; false above 2^60 or so. */
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

bool
account_sum(struct rational *sum, struct rational a, struct rational b)
{
	struct rational ra, rb;

	return rational_add(sum, a, b) ||
	    (rounded(&ra, a, FIXED_CEIL) && rounded(&rb, b, FIXED_CEIL) &&
	    rational_add(sum, ra, rb));
}

/* a - b rounded down, 0 where b is more. */
static struct rational
difference(struct rational a, struct rational b)
{
	struct rational d, ra, rb;

	if (rational_cmp(a, b) > 0 && (rational_sub(&d, a, b) ||
	    (rounded(&ra, a, FIXED_FLOOR) && rounded(&rb, b, FIXED_CEIL) &&
	    rational_sub(&d, ra, rb) && rational_sign(d) > 0)))
		return d;
	return (struct rational){ 0, 1 };
}

/* Are all records and a slice of this cost covered? */
static bool
covered(const struct account *a, struct rational whole, struct rational slice)
{
	struct rational sum;

	return account_sum(&sum, whole, slice) &&
	    rational_cmp(sum, a->total) <= 0;
}

/* [DMNS06 Theorem 1] */
bool
account_charge(struct account *a, struct rational charge)
{
	struct rational sum;

	if (rational_sign(charge) <= 0 ||
	    !account_sum(&sum, a->whole, charge) ||
	    !covered(a, sum, a->top))
		return false;
	a->whole = sum;
	return true;
}

bool
account_charge_slice(struct account *a, struct rational *slice,
    struct rational charge)
{
	struct rational sum;

	if (rational_sign(charge) <= 0 ||
	    !account_sum(&sum, *slice, charge) ||
	    !covered(a, a->whole, sum))
		return false;
	*slice = sum;
	if (rational_cmp(sum, a->top) > 0)
		a->top = sum;
	return true;
}

struct rational
account_left(const struct account *a, const struct rational *slice)
{
	struct rational rest = difference(a->total, a->whole);

	return difference(rest, slice != NULL ? *slice : a->top);
}

bool
account_times(struct rational *r, struct rational eps, uint64_t n)
{
	return rational_mul(r, eps, (struct rational){ (i128)n, 1 });
}

char *
account_text(char *buf, struct rational sum, enum fixed_mode round)
{
	int64_t steps;

	if (rational_digits(sum) < 0 &&
	    rational_grid(sum, TEXT_DIGITS, round, &steps))
		return fixed_text(buf, steps, TEXT_DIGITS);
	return rational_text(buf, sum);
}
