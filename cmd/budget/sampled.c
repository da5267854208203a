/*
 * sampled: the budget for a secret sample of a population.
 *
 * Numbers are integers in units of 2^-62; each step rounds to the side that
 * makes the total smaller.
 */
#include "sampled.h"

#include "random/personal.h"

#define BITS 62
#define ONE ((u128)PERSONAL_ONE)
#define LN2 ((u128)0x2c5c85fdf473de6a)	/* below ln 2, which is below LN2+1 */
#define MOST 1000000000			/* of E; and 10^-9 is the grid */

/*
 * ln(y) and no more, for y >= ONE: y = 2^k m with 1 <= m < 2, and ln(m) = 2 (z
 * + z^3/3 + z^5/5 + ...) for z = (m-1)/(m+1).
 */
static u128
ln_below(u128 y)
{
	u128 k = 0, z, power, sum = 0;

	for (; y >> k >= 2 * ONE; k++)
		;
	y >>= k;
	z = ((y - ONE) << BITS) / (y + ONE);
	power = z;
	for (u128 i = 1; power > 0; i += 2) {
		sum += power / i;
		power = (power * z >> BITS) * z >> BITS;
	}
	return k * LN2 + 2 * sum;
}

bool
sampled_total(struct rational population, struct rational q,
    struct rational *total)
{
	const u128 a = (u128)q.num, b = (u128)q.den;
	struct rational part = { population.num % population.den,
	    population.den };
	int64_t steps;
	u128 e, out, y;

	if (population.num / population.den >= MOST ||
	    !rational_grid(part, FIXED_DIGITS, FIXED_FLOOR, &steps))
		return false;
	e = ((u128)(population.num / population.den) << BITS) +
	    ((u128)steps << BITS) / (u128)fixed_pow10(FIXED_DIGITS);
	/* (1-q) exp(-E), and no less; then (1 - that) / q, and no more */
	out = ((u128)personal_fade(population, FIXED_CEIL) * (b - a) + b -
	    1) / b;
	if (out >= ONE)
		return false;
	y = (ONE - out) * b / a;
	e += y > ONE ? ln_below(y) : 0;
	return rational_make(total, (i128)((e >> BITS) * MOST +
	    ((e & (ONE - 1)) * MOST >> BITS)), MOST) && total->num > 0;
}
