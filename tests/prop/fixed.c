/*
 * fixed: cells against a slow reference that shares nothing with
 * lib/number/decimal.c: a regular expression for the form, big numbers for the
 * value; and the two properties that privacy rests on.
 */
#include "big.h"
#include "random/rng.h"

#include <criterion/criterion.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#define TEXTS 150000

/* 10^n as a natural number, n <= 160. */
static const struct big *
power_of_ten(int n)
{
	static struct big power[161];

	if (power[0].n == 0)
		power[0] = big_of(1);
	for (int i = 1; i <= n; i++)
		if (power[i].n == 0)
			power[i] = big_times(&power[i - 1], 10);
	return &power[n];
}

/*
 * Is x the nearest to a plain decimal text times +-10^shift, halves up, or the
 * end of the grid?  For m = |x|: 2 m - 1 <= 2 v < 2 m + 1, and below 0
 * 2 m - 1 < 2 v <= 2 m + 1.
 */
static bool
is_nearest(const char *p, int shift, bool neg, i128 x, u128 most)
{
	struct big v = big_of(0), den = big_of(1), end;
	u128 m = (u128)(neg ? -x : x);
	bool point = false;

	for (; *p != '\0' && strchr("0123456789.", *p) != NULL; p++)
		if (*p == '.') {
			point = true;
		} else {
			end = big_of((u128)(*p - '0'));
			v = big_times(&v, 10);
			v = big_add(&v, &end);
			shift -= point;
		}
	if (shift < 0)
		den = *power_of_ten(-shift);
	else
		v = big_mul(&v, power_of_ten(shift));
	v = big_add(&v, &v);
	end = big_times(&den, 2 * m + 1);
	if (m > most || (m < most && big_cmp(&v, &end) >= neg))
		return false;
	end = big_times(&den, 2 * m - (m > 0));
	return m == 0 || big_cmp(&v, &end) >= neg;
}

/* Size of the exponent, 0 without one. */
static int
exponent(const char *text)
{
	const char *e = strpbrk(text, "eE");

	return e == NULL ? 0 : abs(atoi(e + 1));
}

/* A number in form, and is x its cell?  Text of another form is no number. */
static bool
slow_cell(const regex_t *form, const char *text, int digits, i128 x, u128 most)
{
	const char *e = strpbrk(text, "eE");

	if (regexec(form, text, 0, NULL, 0) != 0)
		return false;
	text += strspn(text, " \t");
	cr_assert(is_nearest(text + (*text == '-' || *text == '+'), digits +
	    (e == NULL ? 0 : atoi(e + 1)), *text == '-', x, most),
	    "'%s' to %d: not %ld", text, digits, (long)x);
	return true;
}

static char *
add_digits(char *p, struct rng *r, unsigned max)
{
	uint64_t n = rng_below(r, max + 1);
	bool flat = rng_below(r, 4) == 0;	/* runs of 0, 5, 9: ties */

	for (; n > 0; n--)
		*p++ = flat ? "0599"[rng_below(r, 4)] :
		    (char)('0' + rng_below(r, 10));
	return p;
}

/* A number in form, of at most 2 + 48 + 5 + 2 bytes. */
static void
random_number(char *p, struct rng *r)
{
	if (rng_below(r, 8) == 0)
		*p++ = " \t"[rng_below(r, 2)];
	if (rng_below(r, 2) == 0)
		*p++ = "+-"[rng_below(r, 2)];
	p = add_digits(p, r, rng_below(r, 4) == 0 ? 24 : 9);
	if (rng_below(r, 3) != 0) {
		*p++ = '.';
		p = add_digits(p, r, rng_below(r, 4) == 0 ? 24 : 9);
	}
	if (rng_below(r, 3) == 0) {
		*p++ = "eE"[rng_below(r, 2)];
		if (rng_below(r, 2) == 0)
			*p++ = "+-"[rng_below(r, 2)];
		p = add_digits(p, r, 2);
	}
	if (rng_below(r, 8) == 0)
		*p++ = " \t"[rng_below(r, 2)];
	*p = '\0';
}

/* Few characters in any order. */
static void
random_garbage(char *p, struct rng *r)
{
	uint64_t n = rng_below(r, 8);

	for (; n > 0; n--)
		*p++ = "0123456789.+-eE \t5x"[rng_below(r, 19)];
	*p = '\0';
}

/* The reader of words after bytes that must not matter. */
static bool
behind(const char *text, size_t n, char before, int digits, int64_t *x)
{
	char room[FIXED_BEFORE + 80];

	memset(room, before, FIXED_BEFORE);
	memcpy(room + FIXED_BEFORE, text, n);
	return fixed_cell_behind(room + FIXED_BEFORE, n, digits, x);
}

Test(fixed, cells_agree_with_a_slow_reference)
{
	char text[80];
	int64_t words, x;
	i128 wide;
	long i, numbers = 0;
	regex_t form;
	struct rng r;
	bool is;
	int k;

	cr_assert_eq(regcomp(&form, "^[ \t]*[-+]?([0-9]+\\.?[0-9]*|\\.[0-9]+)"
	    "([eE][-+]?[0-9]+)?[ \t]*$", REG_EXTENDED | REG_NOSUB), 0);
	rng_seeded(&r, 1, "fixed");
	for (i = 0; i < TEXTS; i++) {
		if (i % 4 == 0)
			random_garbage(text, &r);
		else
			random_number(text, &r);
		if (exponent(text) > 99)	/* more than it has room for */
			continue;
		k = (int)rng_below(&r, FIXED_DIGITS + 1);
		x = words = wide = 0;
		is = fixed_cell(text, strlen(text), k, &x);
		cr_assert_eq(is, slow_cell(&form, text, k, x,
		    FIXED_MAX), "'%s'", text);
		cr_assert_eq(fixed_cell_wide(text, strlen(text), k, &wide), is);
		slow_cell(&form, text, k, wide, (u128)fixed_wide_most());
		cr_assert_eq(behind(text, strlen(text), "0.-9"[i % 4], k,
		    &words), is, "'%s'", text);
		cr_assert_eq(words, x, "'%s' to %d by words", text, k);
		numbers += is;
	}
	cr_assert(numbers > TEXTS / 2 && numbers < TEXTS);
	regfree(&form);
}
