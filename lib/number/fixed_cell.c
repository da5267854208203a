/*
 * fixed_cell: decimal text of cells to grid integers; see fixed.c for what
 * is computed and why.
 *
 * Three readers: one of up to 16 bytes of [+-]digits[.digits] at once
 * (fixed_words.c), which is what most cells are; one byte by byte; and one of
 * decimals of any length and exponent.  Each of the first two refuses what it
 * does not understand, and the next decides; tests/prop/fixed.c holds all
 * against one reference.
 *
 * Hazards: every sum and product here is bounded in the comment beside it.
 */
#include "fixed.h"

#include <string.h>

#include "decimal.h"
#include "fixed_impl.h"

#define FAST_DIGITS 18	/* 10^18 < 2^60: sums and halves stay in 64 bits */

/*
 * Plain [+-]digits[.digits] of at most FAST_DIGITS digits; false when the
 * text is anything else, also when it is no number at all.
 */
static bool
cell_fast(const char *p, const char *end, int digits, int64_t *x)
{
	const char *start, *point = NULL;
	uint64_t m = 0;
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
	*x = fixed_to_grid(neg, m, frac, digits);
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
		return fixed_saturate(d->neg, UINT64_MAX);
	while (n-- > 0)
		m = m * 10 + next_digit(d, &p);
	c = next_digit(d, &p);
	m += c > 5 || (c == 5 && (!d->neg || p < d->last));
	return fixed_saturate(d->neg, m);
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
