/*
 * wide: 256-bit unsigned products, their order and their quotients, declared in
 * fixed.h.  Wide products compare and round rationals with 126-bit parts
 * exactly; no hot path calls them.
 */
#include "fixed.h"

struct wide
wide_mul(u128 a, u128 b)
{
	u128 mask = UINT64_MAX;
	u128 low = (a & mask) * (b & mask);
	u128 mid = (a >> 64) * (b & mask) + (low >> 64);
	u128 top = (a & mask) * (b >> 64) + (mid & mask);

	/* Each sum is at most (2^64-1)^2 + 2^64-1 < 2^128. */
	return (struct wide){
		(a >> 64) * (b >> 64) + (mid >> 64) + (top >> 64),
		(top << 64) | (low & mask),
	};
}

struct wide
wide_add(struct wide a, struct wide b)
{
	struct wide c = { a.hi + b.hi, a.lo + b.lo };

	c.hi += c.lo < a.lo;
	return c;
}

struct wide
wide_sub(struct wide a, struct wide b)
{
	struct wide c = { a.hi - b.hi, a.lo - b.lo };

	c.hi -= a.lo < b.lo;
	return c;
}

/*
 * Schoolbook division, one bit a step.  The remainder stays below d < 2^127, so
 * a doubled remainder has room.
 */
struct wide
wide_div(struct wide a, u128 d, u128 *rem)
{
	struct wide q = { 0, 0 };
	u128 r = 0;

	if (a.hi == 0) {
		*rem = a.lo % d;
		return (struct wide){ 0, a.lo / d };
	}
	for (int i = 0; i < 256; i++) {
		r = r << 1 | a.hi >> 127;
		a = wide_add(a, a);
		q = wide_add(q, q);
		if (r >= d) {
			r -= d;
			q.lo |= 1;
		}
	}
	*rem = r;
	return q;
}

u128
wide_gcd(u128 a, u128 b)
{
	while (b != 0) {
		u128 t = a % b;

		a = b;
		b = t;
	}
	return a;
}
