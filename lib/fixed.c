/*
 * fixed: grid integers, that is decimal text rounded to multiples of 10^-k.
 *
 * Guarantee: fixed_cell computes h(x) = floor(x / 10^-k + 1/2) of the decimal
 * as written, for any number of digits and any exponent, then clamps it to
 * +-FIXED_MAX.  h is monotone and a function of the one cell alone, so
 * rounding records before they are summed adds nothing to the sensitivity;
 * and for two numbers at distance D it moves them at most ceil(D / 10^-k)
 * steps apart, because floor(a) - floor(b) < a - b + 1.  Rounding halves to
 * even or away from zero would lose that.
 *
 * Hazards: every sum and product here is bounded in the comment beside it.
 */
#include "fixed.h"

#include "decimal.h"

#include <string.h>

#define FAST_DIGITS 18	/* 10^18 < 2^60: sums and halves stay in 64 bits */

int64_t
fixed_pow10(int k)
{
	static const int64_t pow10[] = {
		1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000,
		1000000000, 10000000000, 100000000000, 1000000000000,
		10000000000000, 100000000000000, 1000000000000000,
		10000000000000000, 100000000000000000, 1000000000000000000,
	};

	return pow10[k];
}

/* Sign and saturation of a rounded magnitude. */
static int64_t
saturate(bool neg, uint64_t m)
{
	int64_t x = m > (uint64_t)FIXED_MAX ? FIXED_MAX : (int64_t)m;

	return neg ? -x : x;
}

/*
 * Magnitude of floor(+-m / p + 1/2) for an even p: (m + p/2) div p above
 * zero; below, ceil(m/p - 1/2) = (m + p/2 - 1) div p.  m, p <= 10^18.
 */
static uint64_t
round_div(bool neg, uint64_t m, uint64_t p)
{
	return (m + p / 2 - neg) / p;
}

/*
 * Plain [+-]digits[.digits] of at most FAST_DIGITS digits; false when the
 * text is anything else, also when it is no number at all.
 */
static bool
cell_fast(const char *p, const char *end, int digits, int64_t *x)
{
	const char *start, *point = NULL;
	uint64_t m = 0, p10;
	int frac;
	bool neg = false;

	if (p < end && (*p == '+' || *p == '-'))
		neg = *p++ == '-';
	if (end - p > FAST_DIGITS + 1)
		return false;
	for (start = p; p < end; p++) {
		unsigned c = (unsigned)(unsigned char)*p - '0';

		if (c < 10)
			m = m * 10 + c;
		else if (*p == '.' && point == NULL)
			point = p;
		else
			return false;
	}
	frac = point == NULL ? 0 : (int)(end - point - 1);
	if (end - start - (point != NULL) < 1 ||
	    end - start - (point != NULL) > FAST_DIGITS)
		return false;
	if (frac > digits) {
		p10 = (uint64_t)fixed_pow10(frac - digits);
		*x = saturate(neg, round_div(neg, m, p10));
	} else {
		p10 = (uint64_t)fixed_pow10(digits - frac);
		if (__builtin_mul_overflow(m, p10, &m))
			m = UINT64_MAX;
		*x = saturate(neg, m);
	}
	return true;
}

/* Next digit of d at *p, 0 behind the last one. */
static unsigned
next_digit(const struct decimal *d, const char **p)
{
	if (*p < d->last && **p == '.')
		++*p;
	return *p < d->last ? (unsigned)(*(*p)++ - '0') : 0;
}

/*
 * Rounds a scanned number.  In grid steps it has n = place + digits digits
 * before the point; with n <= 19 they stay below 10^19 < 2^64, with more the
 * first, which is not 0, carries it above FIXED_MAX.  The digit behind them
 * decides, and below zero an exact half goes up, towards zero.
 */
static int64_t
round_decimal(const struct decimal *d, int digits)
{
	int64_t n = d->place + digits;
	const char *p = d->first;
	uint64_t m = 0;
	unsigned c;

	if (d->first == d->last || n < 0)
		return 0;
	if (n > 19)
		return saturate(d->neg, UINT64_MAX);
	while (n-- > 0)
		m = m * 10 + next_digit(d, &p);
	c = next_digit(d, &p);
	m += c > 5 || (c == 5 && (!d->neg || p < d->last));
	return saturate(d->neg, m);
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Takes the blanks off both ends. */
static void
trim(const char **p, const char **end)
{
	while (*p < *end && is_blank(**p))
		++*p;
	while (*p < *end && is_blank((*end)[-1]))
		--*end;
}

bool
fixed_cell(const char *cell, size_t n, int digits, int64_t *x)
{
	const char *p = cell, *end = cell + n;
	struct decimal d;

	trim(&p, &end);
	if (cell_fast(p, end, digits, x))
		return true;
	if (decimal_scan(p, end, &d) != end)
		return false;
	*x = round_decimal(&d, digits);
	return true;
}

/* Whole: the last digit that is not 0 stands before the point. */
bool
fixed_whole(const char *cell, size_t n, int64_t *x)
{
	const char *p = cell, *end = cell + n;
	struct decimal d;
	int64_t count;

	trim(&p, &end);
	if (decimal_scan(p, end, &d) != end)
		return false;
	count = d.last - d.first;
	if (count > 0 && memchr(d.first, '.', (size_t)count) != NULL)
		count--;
	if (count > 0 && count > d.place)
		return false;
	*x = round_decimal(&d, 0);
	return true;
}

int64_t
fixed_clamp(int64_t x, int64_t lo, int64_t hi)
{
	return x < lo ? lo : x > hi ? hi : x;
}

/* C's division truncates towards zero: correct the remainder's sign. */
i128
fixed_floor_div(i128 a, i128 b)
{
	return a / b - (a % b < 0);
}

i128
fixed_ceil_div(i128 a, i128 b)
{
	return a / b + (a % b > 0);
}

i128
fixed_add_sat(i128 a, i128 b)
{
	i128 max = (i128)1 << 126, sum;

	if (__builtin_add_overflow(a, b, &sum))
		return a < 0 ? -max : max;
	return sum > max ? max : sum < -max ? -max : sum;
}

/*
 * The text is built backwards: at most 39 digits, a point and a sign, or
 * digits + 1 digits where that is more.
 */
char *
fixed_text(char *buf, i128 x, int digits)
{
	u128 m = x < 0 ? -(u128)x : (u128)x;
	char tmp[FIXED_TEXT], *p = tmp + sizeof(tmp);
	int i;

	*--p = '\0';
	for (i = 0; i <= digits || m != 0; i++) {
		if (i == digits && i > 0)
			*--p = '.';
		*--p = (char)('0' + (int)(m % 10));
		m /= 10;
	}
	if (x < 0)
		*--p = '-';
	memcpy(buf, p, (size_t)(tmp + sizeof(tmp) - p));
	return buf;
}
