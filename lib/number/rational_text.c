/*
 * rational_text: the decimal text of a rational, declared in fixed.h.
 *
 * Guarantee: what is printed is the number itself, or the smallest decimal of
 * 17 significant digits that is not below it; so a printed budget never
 * understates the one in use.  There is never an exponent: parts below 2^126
 * need at most 38 digits before the point, or 37 zeros and 17 digits after.
 */
#include "fixed.h"

#include <string.h>

#define ROUNDED ((u128)10000000000000000)	/* 10^16: 17 digits */

static u128
pow10_wide(int k)
{
	u128 p = 1;

	while (k-- > 0)
		p *= 10;
	return p;
}

/* True, with a = m / 10^k, when that takes at most FIXED_LONG digits. */
static bool
exact_decimal(u128 num, u128 den, u128 *m, int *k)
{
	struct wide w;
	u128 p;

	for (*k = 0; *k < FIXED_LONG; ++*k) {
		p = pow10_wide(*k);
		if (p % den != 0)
			continue;
		w = wide_mul(num, p / den);
		*m = w.lo;
		return w.hi == 0 && w.lo < pow10_wide(FIXED_LONG);
	}
	return false;
}

/*
 * The first 17 digits of num/den, by long division, as m / 10^k; true when
 * something is left behind them.  *k is negative above 10^17.
 */
static bool
first_digits(u128 num, u128 den, u128 *m, int *k)
{
	u128 rem = num % den;
	bool rest = false;

	*m = num / den;
	for (*k = 0; *m >= ROUNDED * 10; --*k) {
		rest = rest || *m % 10 != 0;
		*m /= 10;
	}
	for (; *m < ROUNDED; ++*k)
		*m = *m * 10 + wide_div(wide_mul(rem, 10), den, &rem).lo;
	return rest || rem != 0;
}

char *
rational_text(char *buf, struct rational a)
{
	u128 num = a.num < 0 ? -(u128)a.num : (u128)a.num, m;
	int k;

	if (!exact_decimal(num, (u128)a.den, &m, &k)) {
		/* Up, so below zero the digits are just cut. */
		if (first_digits(num, (u128)a.den, &m, &k) && a.num > 0)
			m++;
		for (; k > 0 && m % 10 == 0; k--)
			m /= 10;
		for (; k < 0; k++)
			m *= 10;
	}
	return fixed_text(buf, a.num < 0 ? -(i128)m : (i128)m, k);
}

char *
rational_fraction(char *buf, struct rational a)
{
	size_t n = strlen(fixed_text(buf, a.num, 0));

	buf[n] = '/';
	fixed_text(buf + n + 1, a.den, 0);
	return buf;
}

char *
rational_exact(char *buf, struct rational a)
{
	return rational_digits(a) >= 0 ? rational_text(buf, a) :
	    rational_fraction(buf, a);
}
