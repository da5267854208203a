/*
 * fixed: grid integers: decimal text rounded to multiples of 10^-k;
 * fixed_cell.c reads the text.
 *
 * Guarantee: fixed_cell computes h(x) = floor(x / 10^-k + 1/2) for the decimal
 * as written, however many digits and whatever exponent, then clamps to
 * +-FIXED_MAX.  h is monotone and a function from one cell alone, so rounding
 * records before they are summed adds nothing to the sensitivity; and two
 * numbers at distance D end at most ceil(D / 10^-k) steps apart, because
 * floor(a) - floor(b) < a - b + 1.  Rounding halves to even or away from zero
 * would lose this bound.
 *
 * Hazards: every sum and product here is bounded in the comment beside it.
 */
#include "fixed.h"

#include <string.h>

const int64_t fixed_tens[FIXED_DIGITS + 1] = {
	1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000,
	1000000000, 10000000000, 100000000000, 1000000000000, 10000000000000,
	100000000000000, 1000000000000000, 10000000000000000,
	100000000000000000, 1000000000000000000,
};

i128
fixed_div(i128 a, i128 b, enum fixed_mode mode)
{
	i128 low = fixed_floor_div(a, b), rest = a - low * b;

	if (mode == FIXED_CEIL)
		return low + (rest > 0);
	return low + (mode == FIXED_NEAREST && rest >= b - rest);
}

i128
fixed_add_sat(i128 a, i128 b)
{
	i128 max = (i128)1 << 126, sum;

	if (__builtin_add_overflow(a, b, &sum))
		return a < 0 ? -max : max;
	return FIXED_MOST(-max, FIXED_LEAST(sum, max));
}

u128
fixed_root(u128 x)
{
	u128 r = 0, bit = (u128)1 << 126;

	while (bit > x)
		bit >>= 2;
	for (; bit != 0; bit >>= 2) {
		if (x >= r + bit) {
			x -= r + bit;
			r = (r >> 1) + bit;
		} else
			r >>= 1;
	}
	return r;
}

i128
fixed_round(i128 x, int from, int to, enum fixed_mode mode)
{
	const u128 far = (u128)1 << 126;
	i128 fine;

	if (from >= to)
		return fixed_div(x, fixed_pow10(from - to), mode);
	if (__builtin_mul_overflow(x, (i128)fixed_pow10(to - from), &fine))
		fine = fixed_signed(x < 0, far);
	return fixed_add_sat(fine, 0);
}

/* The last decimal digit; nearly all numbers fit 64 bits. */
static inline int
take_digit(u128 *m)
{
	uint64_t low = (uint64_t)*m;
	int digit;

	if (*m >> 64 != 0) {
		digit = (int)(*m % 10);
		*m /= 10;
		return digit;
	}
	*m = low / 10;
	return (int)(low % 10);
}

/*
 * The text is built backwards: at most 39 digits, a point and a sign, or digits
 * + 1 digits if more.
 */
char *
fixed_text(char *buf, i128 x, int digits)
{
	u128 m = fixed_size(x);
	char tmp[FIXED_TEXT], *p = tmp + sizeof(tmp);

	*--p = '\0';
	for (int i = 0; i <= digits || m >> 64 != 0; i++) {
		if (i == digits && i > 0)
			*--p = '.';
		*--p = (char)('0' + take_digit(&m));
	}
	for (uint64_t low = (uint64_t)m; low != 0; low /= 10)
		*--p = (char)('0' + low % 10);
	if (x < 0)
		*--p = '-';
	memcpy(buf, p, (size_t)(tmp + sizeof(tmp) - p));
	return buf;
}
