/*
 * decimal: the one scanner of decimal text, shared by cells and parameters.
 * The scanner finds the significant digits and their place, and converts
 * nothing, so that numbers, however long, can be rounded exactly later.
 *
 * Hazard: long exponents.  Their digits are dropped once 10^17 is passed, so
 * they stay below 10^18 + 10.  A text cannot hold 10^17 digits, so the place
 * and the true place stand on one side, for every grid and every limit.
 */
#include "fixed.h"

#define EXPONENT_ENOUGH 100000000000000000	/* 10^17 */

/* Adds a whole exponent at p, if any; returns the end. */
static const char *
scan_exponent(const char *p, const char *end, int64_t *place)
{
	const char *q = p;
	int64_t e = 0;
	bool neg = false;

	if (q == end || (*q != 'e' && *q != 'E'))
		return p;
	q++;
	if (q < end && (*q == '+' || *q == '-'))
		neg = *q++ == '-';
	if (q == end || !decimal_digit(*q))
		return p;
	for (; q < end && decimal_digit(*q); q++)
		if (e < EXPONENT_ENOUGH)
			e = e * 10 + (*q - '0');
	if (neg)
		e = -e;
	*place += e;
	return q;
}

const char *
decimal_scan(const char *p, const char *end, struct decimal *d)
{
	bool point = false, seen = false;

	*d = (struct decimal){ NULL, NULL, 0, false };
	if (p < end && (*p == '+' || *p == '-'))
		d->neg = *p++ == '-';
	for (; p < end; p++) {
		if (*p == '.' && !point) {
			point = true;
			continue;
		}
		if (!decimal_digit(*p))
			break;
		seen = true;
		if (d->first == NULL && *p == '0') {
			d->place -= point;
			continue;
		}
		if (d->first == NULL)
			d->first = p;
		if (*p != '0')
			d->last = p + 1;
		d->place += !point;
	}
	if (!seen)
		return NULL;
	return scan_exponent(p, end, &d->place);
}
