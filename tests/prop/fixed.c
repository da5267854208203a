/*
 * fixed: cells against a slow reference that shares nothing with
 * lib/number/decimal.c: a regular expression for the form, an array of decimal
 * digits for the value; and the two properties that privacy rests on.
 */
#include "number/fixed.h"
#include "random/rng.h"

#include <criterion/criterion.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#define TEXTS 150000
#define PLACES 160	/* digits of the reference on each side of the point */

/* digit[PLACES + i] stands for 10^-(i + 1), digit[PLACES - 1] for ones. */
struct big {
	int digit[2 * PLACES];
};

static void
big_carry(struct big *b)
{
	int i;

	for (i = 2 * PLACES - 1; i > 0; i--)
		while (b->digit[i] > 9) {
			b->digit[i] -= 10;
			b->digit[i - 1]++;
		}
}

/* Moves the point of a plain decimal text by shift places. */
static void
big_read(struct big *b, const char *p, int shift)
{
	size_t whole = strspn(p, "0123456789");
	int at = PLACES - (int)whole + -shift;

	memset(b, 0, sizeof(*b));
	for (; *p != '\0' && strchr("0123456789.", *p) != NULL; p++)
		if (*p != '.') {
			cr_assert(at >= 0 && at < 2 * PLACES);
			b->digit[at++] = *p - '0';
		}
}

/* floor(+-b + 1/2) clamped, from digits alone. */
static int64_t
big_round(struct big *b, bool neg)
{
	i128 m = 0;
	bool half = b->digit[PLACES] >= 5, rest = false;
	int i;

	if (neg) {		/* -ceil(b - 1/2), where b < 1/2 gives -0 */
		for (i = PLACES + 1; i < 2 * PLACES; i++)
			rest = rest || b->digit[i] != 0;
		rest = half && (rest || b->digit[PLACES] > 5);
		b->digit[PLACES - 1] += rest;
	} else {
		b->digit[PLACES] += 5;
	}
	big_carry(b);
	for (i = 0; i < PLACES; i++) {
		m = m * 10 + b->digit[i];
		if (m > FIXED_MAX)
			m = FIXED_MAX;
	}
	return neg ? -(int64_t)m : (int64_t)m;
}

/* Size of the exponent, 0 without one. */
static int
exponent(const char *text)
{
	const char *e = strpbrk(text, "eE");

	return e == NULL ? 0 : abs(atoi(e + 1));
}

static bool
slow_cell(const regex_t *form, const char *text, int digits, int64_t *x)
{
	struct big b;
	const char *e;
	bool neg;

	if (regexec(form, text, 0, NULL, 0) != 0)
		return false;
	text += strspn(text, " \t");
	neg = *text == '-';
	text += *text == '-' || *text == '+';
	e = strpbrk(text, "eE");
	big_read(&b, text, digits + (e == NULL ? 0 : atoi(e + 1)));
	*x = big_round(&b, neg);
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
	int64_t words;
	int64_t fast, slow;
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
		fast = slow = 0;
		is = fixed_cell(text, strlen(text), k, &fast);
		cr_assert_eq(is, slow_cell(&form, text, k, &slow),
		    "'%s'", text);
		cr_assert_eq(fast, slow, "'%s' to %d: %ld, not %ld", text, k,
		    (long)fast, (long)slow);
		words = 0;
		cr_assert_eq(behind(text, strlen(text), "0.-9"[i % 4], k,
		    &words), is, "'%s'", text);
		cr_assert_eq(words, slow, "'%s' to %d by words", text, k);
		numbers += is;
	}
	cr_assert(numbers > TEXTS / 2 && numbers < TEXTS);
	regfree(&form);
}

/*
 * Every byte in every place of digits with a point anywhere or nowhere: the
 * words may not take for a digit what is none.
 */
Test(fixed, words_take_no_other_byte_for_a_digit)
{
	const char *digit = "90285051970364182735";
	char text[] = "90285051970364182735";

	for (size_t n = 0; n <= 18; n++)
		for (size_t i = 0; i < (n + 1) * n * 256; i++) {
			size_t point = i / 256 / n, at = i / 256 % n;
			int c = (int)(i % 256);
			int64_t x = 7, y = 7;

			memcpy(text, digit, n);
			if (point < n)
				text[point] = '.';
			text[at] = (char)c;
			cr_assert(behind(text, n, '3', c % 7, &x) ==
			    fixed_cell(text, n, c % 7, &y) && x == y,
			    "'%.*s' to %d: %ld and %ld", (int)n, text, c % 7,
			    (long)x, (long)y);
		}
}

/*
 * |h(x) - h(y)| <= ceil(|x - y| / step): all pairs of quarters around zero,
 * steps of one.  Half to even and half away from zero both break it.
 */
Test(fixed, rounding_stretches_no_distance_beyond_the_next_integer)
{
	char text[FIXED_TEXT];
	int64_t h[81];
	int i, j, even = 0, away = 0;

	for (i = 0; i <= 80; i++) {
		fixed_text(text, 25 * (i - 40), 2);
		cr_assert(fixed_cell(text, strlen(text), 0, &h[i]));
	}
	for (i = 0; i <= 80; i++)
		for (j = 0; j <= i; j++) {
			double x = (i - 40) / 4.0, y = (j - 40) / 4.0;
			int most = (i - j + 3) / 4;

			cr_assert(h[i] - h[j] <= most && h[i] >= h[j]);
			even += __builtin_rint(x) - __builtin_rint(y) > most;
			away += __builtin_round(x) - __builtin_round(y) > most;
		}
	cr_assert(even > 0 && away > 0);
}

Test(fixed, texts_read_back_as_the_same_cell)
{
	char text[FIXED_TEXT];
	struct rng r;
	int64_t x, y;
	int i, k;

	rng_seeded(&r, 2, "fixed");
	for (i = 0; i < 20000; i++) {
		x = (int64_t)(rng_below(&r, (uint64_t)1 << 63) >>
		    rng_below(&r, 63)) - FIXED_MAX;
		k = (int)rng_below(&r, FIXED_DIGITS + 1);
		fixed_text(text, x, k);
		cr_assert(fixed_cell(text, strlen(text), k, &y));
		cr_assert_eq(x, y, "%s", text);
	}
}
