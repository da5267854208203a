/* upward: positive rationals that are never rounded down. */
#include "upward.h"

#include <math.h>

#define BITS 61		/* in each part after rounding: products fit 126 */

bool
upward_shorten(struct rational *a)
{
	i128 num = a->num, den = a->den;
	const i128 limit = (i128)1 << BITS;

	while (num >= limit || den >= limit) {
		num = (num >> 1) + (num & 1);
		den >>= 1;
		if (den == 0)
			return false;
	}
	return rational_make(a, num, den);
}

bool
upward_mul(struct rational *r, struct rational a, struct rational b)
{
	return rational_mul(r, a, b) || (upward_shorten(&a) &&
	    upward_shorten(&b) && rational_mul(r, a, b));
}

/* a / b: up for a, down for b, so 1/b up. */
bool
upward_div(struct rational *r, struct rational a, struct rational b)
{
	struct rational inverse = { b.den, b.num };

	return b.num > 0 && upward_mul(r, a, inverse);
}

bool
upward_double(double x, struct rational *r)
{
	int e;
	int64_t m = (int64_t)ldexp(frexp(x, &e), 53);

	e -= 53;
	for (; m % 2 == 0 && m > 0; e++)
		m /= 2;
	if (!(x > 0) || e > 72 || e < -125)
		return false;
	*r = (struct rational){ m, 1 };
	if (e >= 0)
		r->num <<= e;
	else
		r->den <<= -e;
	return true;
}
