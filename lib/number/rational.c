/*
 * rational: exact fractions with parts below 2^126, declared in fixed.h.
 *
 * Guarantee: a result is exact, or the function says false.  Intermediate
 * products have 256 bits, so that false means: the reduced result has no room.
 *
 * rational_text prints the number, or rounds up to 17 significant digits; so a
 * printed budget never understates the budget in use.  No exponent is printed:
 * parts below 2^126 need at most 38 digits before the point, or 37 zeros and 17
 * digits after.
 */
#include "fixed.h"

#include <string.h>

#define PART_MAX (((u128)1 << 126) - 1)
#define SIGNIFICANT 18		/* most digits in a parameter */
#define FIRST_PLACE 37		/* 10^36 is the 37th place before the point */
#define ROUNDED ((u128)10000000000000000)	/* 10^16: 17 digits */
#define LONG_END (ROUNDED * 100000)		/* 10^FIXED_LONG */

/* Sets r to +-n/d, in lowest terms already, if both parts fit. */
static bool
store(struct rational *r, bool neg, struct wide n, struct wide d)
{
	if (n.hi != 0 || d.hi != 0 || n.lo > PART_MAX || d.lo > PART_MAX)
		return false;
	r->num = fixed_signed(neg, n.lo);
	r->den = (i128)d.lo;
	return true;
}

bool
rational_make(struct rational *r, i128 num, i128 den)
{
	u128 n = fixed_size(num), d = fixed_size(den), g = wide_gcd(d, n);

	if (d == 0)
		return false;
	return store(r, (num < 0) != (den < 0), (struct wide){ 0, n / g },
	    (struct wide){ 0, d / g });
}

/*
 * a/b + c/d with g = gcd(b, d): the sum n = a (d/g) + c (b/g) over b (d/g)
 * shares only factors of g with the denominator (Knuth, volume 2, 4.5.1). |n| <
 * 2^253.
 */
bool
rational_add(struct rational *r, struct rational a, struct rational b)
{
	u128 g = wide_gcd((u128)a.den, (u128)b.den), rem, h;
	u128 bg = (u128)b.den / g, ag = (u128)a.den / g;
	struct wide x = wide_mul(fixed_size(a.num), bg);
	struct wide y = wide_mul(fixed_size(b.num), ag);
	bool neg = a.num < 0;

	if (neg == (b.num < 0)) {
		x = wide_add(x, y);
	} else if (wide_cmp(x, y) >= 0) {
		x = wide_sub(x, y);
	} else {
		x = wide_sub(y, x);
		neg = !neg;
	}
	if (x.hi == 0 && x.lo == 0)
		return rational_make(r, 0, 1);
	wide_div(x, g, &rem);
	h = wide_gcd(g, rem);
	return store(r, neg, wide_div(x, h, &rem), wide_mul(ag,
	    (u128)b.den / h));
}

bool
rational_sub(struct rational *r, struct rational a, struct rational b)
{
	b.num = -b.num;
	return rational_add(r, a, b);
}

/* Cross reduction leaves a product in lowest terms. */
bool
rational_mul(struct rational *r, struct rational a, struct rational b)
{
	u128 an = fixed_size(a.num), ad = (u128)a.den;
	u128 bn = fixed_size(b.num), bd = (u128)b.den;
	u128 g = wide_gcd(an, bd), h = wide_gcd(bn, ad);

	return store(r, (a.num < 0) != (b.num < 0) && an != 0 && bn != 0,
	    wide_mul(an / g, bn / h), wide_mul(ad / h, bd / g));
}

bool
rational_div(struct rational *r, struct rational a, struct rational b)
{
	struct rational inverse = { b.den, b.num };

	if (b.num < 0)
		inverse = (struct rational){ -b.den, -b.num };
	return b.num != 0 && rational_mul(r, a, inverse);
}

int
rational_sign(struct rational a)
{
	return (a.num > 0) - (a.num < 0);
}

int
rational_cmp(struct rational a, struct rational b)
{
	int sa = rational_sign(a), sb = rational_sign(b);

	if (sa != sb)
		return (sa > sb) - (sa < sb);
	return sa * wide_cmp(wide_mul(fixed_size(a.num), (u128)b.den),
	    wide_mul(fixed_size(b.num), (u128)a.den));
}

int
rational_digits(struct rational a)
{
	for (int k = 0; k <= FIXED_DIGITS; k++)
		if (fixed_pow10(k) % a.den == 0)
			return k;
	return -1;
}

bool
rational_grid(struct rational a, int digits, enum fixed_mode mode, int64_t *x)
{
	u128 den = (u128)a.den, rem;
	struct wide q = wide_div(wide_mul(fixed_size(a.num),
	    (u128)fixed_pow10(digits)), den, &rem);
	bool neg = a.num < 0, away;

	if (mode == FIXED_NEAREST)	/* halves up: away from 0 above it */
		away = neg ? 2 * rem > den : 2 * rem >= den;
	else
		away = rem > 0 && neg == (mode == FIXED_FLOOR);
	if (q.hi != 0 || q.lo + away > (u128)FIXED_MAX)
		return false;
	q.lo += away;
	*x = (int64_t)fixed_signed(neg, q.lo);
	return true;
}

/* Digits up to `end`, and nothing else, of a number up to `most`. */
static bool
parse_integer(const char *p, const char *end, i128 most, i128 *x)
{
	bool any = p < end;

	for (*x = 0; p < end; p++) {
		if (*p < '0' || *p > '9' || *x > most / 10)
			return false;
		*x = *x * 10 + (*p - '0');
	}
	return any && *x <= most;
}

static bool
parse_fraction(const char *text, i128 most, struct rational *r)
{
	const char *slash = strchr(text, '/');
	bool neg = *text == '-';
	i128 num, den;

	text += neg || *text == '+';
	return slash != NULL && parse_integer(text, slash, most, &num) &&
	    parse_integer(slash + 1, slash + strlen(slash), most, &den) &&
	    rational_make(r, fixed_signed(neg, (u128)num), den);
}

bool
rational_read(const char *text, struct rational *r)
{
	return parse_fraction(text, (i128)PART_MAX, r);
}

/*
 * n digits, the first at place, the last at place - n: an integer times or over
 * a power of ten, m 10^(place - n), 10^37 < 2^126 at most.
 */
bool
rational_parse(const char *text, struct rational *r)
{
	const char *end = text + strlen(text), *p;
	struct decimal d;
	i128 num = 0, den = 1;
	int n = 0;

	if (strchr(text, '/') != NULL)
		return parse_fraction(text, fixed_pow10(SIGNIFICANT) - 1, r);
	if (decimal_scan(text, end, &d) != end)
		return false;
	for (p = d.first; p < d.last; p++) {
		if (*p == '.')
			continue;
		if (++n > SIGNIFICANT)
			return false;
		num = num * 10 + (*p - '0');
	}
	if (n == 0)
		return rational_make(r, 0, 1);
	if (d.place > FIRST_PLACE || d.place - n < -FIXED_DIGITS)
		return false;
	for (; d.place > n; n++)
		num *= 10;
	for (; d.place < n; n--)
		den *= 10;
	return rational_make(r, fixed_signed(d.neg, (u128)num), den);
}

/* --- text ---------------------------------------------------------------- */

/* True, with a = m / 10^k, if m has at most FIXED_LONG digits. */
static bool
exact_decimal(u128 num, u128 den, u128 *m, int *k)
{
	struct wide w;
	u128 p = 1;

	for (*k = 0; *k < FIXED_LONG && p % den != 0; ++*k)
		p *= 10;
	if (*k == FIXED_LONG)
		return false;
	w = wide_mul(num, p / den);
	*m = w.lo;
	return w.hi == 0 && w.lo < LONG_END;
}

/*
 * The first 17 digits of num/den, by long division, as m / 10^k; true when a
 * remainder is left. *k is negative above 10^17.
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
	u128 num = fixed_size(a.num), m;
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
	return fixed_text(buf, fixed_signed(a.num < 0, m), k);
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
	if (rational_digits(a) >= 0)
		return rational_text(buf, a);
	return rational_fraction(buf, a);
}

/* A release's public decimal grid, from public parameters alone. */
static void
at_least(int *digits, int k)
{
	if (*digits >= 0 && k > FIXED_DIGITS)
		*digits = -1;
	else if (*digits >= 0)
		*digits = FIXED_MOST(*digits, k);
}

void
grid_limit(int *digits, struct rational limit, uint64_t parts)
{
	struct rational step;
	int k = 0;

	/* 10^-k <= limit / parts, as parts 10^-k <= limit */
	while (k <= FIXED_DIGITS && !(rational_make(&step, (i128)parts,
	    fixed_pow10(k)) && rational_cmp(step, limit) <= 0))
		k++;
	at_least(digits, k);
}

void
grid_hold(int *digits, struct rational x)
{
	at_least(digits, rational_digits(x));
}
