/*
 * decimal: the one scanner of decimal text, shared by cells and parameters.
 */
#ifndef DECIMAL_H
#define DECIMAL_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A scanned number: +-0.d1d2d3... * 10^place, where d1 is the digit at first
 * and the last digit that is not zero stands just before last.  A '.' may lie
 * between them.  first == last means zero.
 */
struct decimal {
	const char *first;
	const char *last;
	int64_t place;
	bool neg;
};

/*
 * Scans [+-]digits[.digits][e[+-]digits] at p, with a digit on at least one
 * side of the point.  Returns the end of the number, which may come before
 * end, or NULL when there is none.
 */
const char *decimal_scan(const char *p, const char *end, struct decimal *d);

#endif
