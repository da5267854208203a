/*
 * outputs: a search's public list of potential outputs.
 *
 * [D24 Appendix B.2, Algorithm 2] t_i = beta^i - 1.  Any list of constants is
 * private, but the numbers have to be constants, equal on every machine.  So
 * beta^i is kept as an integer v_i in units of 2^-FRACTION grid steps, v_0 =
 * 10^digits 2^FRACTION and v_(i+1) = floor(v_i p / q), without floating point.
 * t_i = floor(v_i / 2^FRACTION) - 10^digits.  v rises, so t does, and a t_i on
 * the grid point of t_(i-1) is skipped.  The relative error after i steps is
 * below i 2^-FRACTION.
 */
#include "outputs.h"

#include <stdlib.h>

#include "asm/size/code.h"
#include "number/memory.h"

#define FRACTION 60
#define FAR ((u128)-1)

/* A power of beta: v 2^shift in units of 2^-FRACTION grid steps. */
struct power {
	u128 v;
	int shift;
};

/*
 * floor(v p / q), or FAR when the result leaves the 62 bits of outputs; for
 * codes a bit of v goes instead, which the relative error of a step covers.
 */
static void
next_power(struct power *x, const struct output_steps *s)
{
	u128 v = x->v, p = (u128)s->beta.num, q = (u128)s->beta.den, whole;
	u128 even = v + ((u128)s->gap << FRACTION);

	if (p == 0 || __builtin_mul_overflow(v / q, p, &whole) ||
	    __builtin_add_overflow(whole, v % q * p / q, &whole) ||
	    (!s->coded && whole >> (FRACTION + 63)))
		whole = FAR;
	if (s->gap > 0 && whole > even)
		whole = even;
	x->v = whole;
	for (; s->coded && whole != FAR && x->v >> (FRACTION + 2) != 0;
	    x->shift++)
		x->v >>= 1;
}

/* How far the power is from the first, in grid steps, or as a code. */
static i128
power_distance(const struct power *x, const struct output_steps *s)
{
	u128 first = (u128)fixed_pow10(s->digits), d = x->v;

	if (!s->coded)
		return (i128)(d >> FRACTION) - (i128)first;
	if (x->shift > FRACTION + 64)
		return code_of(CODE_MOST, false);
	if (x->shift > FRACTION)
		d <<= x->shift - FRACTION;
	else
		d >>= FRACTION - x->shift;
	return code_of(d - first, false);
}

/*
 * A side: the origin + sign d for the least distance d, for the list's
 * distances above, and for the greatest.
 */
static void
add_side(struct outputs *o, const struct output_steps *s, int sign, i128 least,
    i128 greatest, size_t most)
{
	struct power x = { (u128)fixed_pow10(s->digits) << FRACTION, 0 };
	i128 d = 0, last = least;
	size_t n = 1;

	o->t[o->n++] = (int64_t)(s->origin + sign * least);
	while (d < greatest && n < most - 1) {
		if (d > last) {
			o->t[o->n++] = (int64_t)(s->origin + sign * d);
			last = d;
			n++;
		}
		next_power(&x, s);
		if (x.v == FAR)
			break;
		d = power_distance(&x, s);
	}
	if (greatest > least)
		o->t[o->n++] = (int64_t)(s->origin + sign * greatest);
}

void
outputs_make(struct outputs *o, const struct output_steps *s,
    const struct output_span *span)
{
	i128 above = (i128)span->lo - s->origin;
	int64_t t;

	o->n = 0;
	o->t = err_alloc(NULL, 2 * span->most, sizeof(*o->t));
	if (above < 0) {
		add_side(o, s, -1, 0, -above, span->most);
		for (size_t i = 0, k = o->n; i < --k; i++) {
			t = o->t[i];
			o->t[i] = o->t[k];
			o->t[k] = t;
		}
		o->n--;		/* the origin, which is first above */
	}
	add_side(o, s, 1, FIXED_MOST(above, 0), (i128)span->hi - s->origin,
	    span->most);
}

void
outputs_free(struct outputs *o)
{
	free(o->t);
}
