/*
 * moments: exact arithmetic on sums of squares, for variances.
 *
 * Quotients are taken in stages: floor(floor(u/v)/w) = floor(u/(vw)), and so
 * with ceilings: no product of divisors has to fit.
 */
#include "moments.h"

#include "number/fixed.h"

#define CUT ((u128)1 << 126)

u128
moments_size(i128 x)
{
	return x < 0 ? -(u128)x : (u128)x;
}

struct wide
moments_square(i128 x)
{
	return wide_mul(moments_size(x), moments_size(x));
}

struct wide
moments_times(struct wide a, uint64_t b)
{
	struct wide low = wide_mul(a.lo, b);

	low.hi += a.hi * b;
	return low;
}

u128
moments_divide(struct wide a, u128 d, u128 e, bool up)
{
	u128 rem;
	struct wide q = wide_div(a, d, &rem);

	if (up && rem > 0)
		q = wide_add(q, (struct wide){ 0, 1 });
	q = wide_div(q, e, &rem);
	if (q.hi > 0 || q.lo >= CUT)
		return CUT;
	return q.lo + (up && rem > 0);
}

u128
moments_spread(uint64_t k, struct wide squares, i128 sum, u128 unit, bool up)
{
	return moments_divide(wide_sub(moments_times(squares, k),
	    moments_square(sum)), k, unit, up);
}
