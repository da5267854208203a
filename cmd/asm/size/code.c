/*
 * code: e + 1 in the bits from 53 on, less 1 for the first digit, and below it
 * the digits m, 2^53 <= m < 2^54, of m 2^e: so the code after the last of an e
 * is the first of e + 1, and codes of whole numbers up to 2^54 are the numbers.
 */
#include "code.h"

#define DIGITS 54

int64_t
code_of(u128 size, bool up)
{
	int e = 0;
	u128 m;

	while (size >> e >> DIGITS != 0)
		e++;
	m = size >> e;
	m += up && m << e != size;
	return ((int64_t)e << (DIGITS - 1)) + (int64_t)m;
}

u128
code_size(int64_t code)
{
	int64_t e = (code >> (DIGITS - 1)) - 1;

	if (e <= 0)
		return (u128)code;
	return (u128)(code - (e << (DIGITS - 1))) << e;
}
