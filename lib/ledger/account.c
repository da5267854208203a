/* account: exact budget arithmetic. */
#include "account.h"

#include "tool/err.h"

#define TEXT_DIGITS 9
#define PARTS fixed_pow10(FIXED_DIGITS)

/* a 10^k rounded; a >= 0 is below 10^18, or k is 0. */
static i128
steps(struct rational a, int k, enum fixed_mode mode)
{
	int64_t n;

	rational_grid((struct rational){ a.num % a.den, a.den }, k, mode, &n);
	return a.num / a.den * fixed_pow10(k) + n;
}

/* a rounded to a multiple of 10^-18; false from 10^18. */
static bool
rounded(struct rational *r, struct rational a, enum fixed_mode mode)
{
	return a.num / a.den < PARTS &&
	    rational_make(r, steps(a, FIXED_DIGITS, mode), PARTS);
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

/* [DMNS06 Theorem 1] */
bool
account_charge(struct account *a, struct rational *slice,
    struct rational charge)
{
	struct rational *part = slice != NULL ? slice : &a->whole, sum, all;

	if (rational_sign(charge) <= 0 || !account_sum(&sum, *part, charge) ||
	    !account_sum(&all, sum, slice != NULL ? a->whole : a->top) ||
	    rational_cmp(all, a->total) > 0)
		return false;
	*part = sum;
	if (slice != NULL && rational_cmp(sum, a->top) > 0)
		a->top = sum;
	return true;
}

struct rational
account_left(const struct account *a, const struct rational *slice)
{
	struct rational rest = difference(a->total, a->whole);

	return difference(rest, slice != NULL ? *slice : a->top);
}

struct rational
account_times(struct rational eps, uint64_t n)
{
	struct rational r;

	if (!rational_mul(&r, eps, (struct rational){ (i128)n, 1 }))
		err_die(STATUS_USAGE, "the charge has too many digits");
	return r;
}

char *
account_text(char *buf, struct rational sum, enum fixed_mode round)
{
	int k = sum.num / sum.den < PARTS ? rational_digits(sum) : 0;

	k = k < 0 ? TEXT_DIGITS : k;
	return fixed_text(buf, steps(sum, k, round), k);
}
