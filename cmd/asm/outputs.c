/*
 * outputs: the public list of potential outputs of a search.
 *
 * [D24 Appendix B.2, Algorithm 2] t_i = beta^i - 1.  Any list of constants is
 * as private as any other, but they have to be constants: the same on every
 * machine.  So beta^i is kept as an integer v_i in units of 2^-FRACTION grid
 * steps, v_0 = 10^digits 2^FRACTION and v_(i+1) = floor(v_i p / q), without
 * floating point.  t_i = floor(v_i / 2^FRACTION) - 10^digits.  v rises, so t
 * does, and a t_i that falls on the grid point of the one before is skipped.
 * The relative error after i steps is below i 2^-FRACTION.
 */
#include "outputs.h"

#include <stdlib.h>

#define FRACTION 60

/* floor(v p / q), or false when it leaves the 62 bits of outputs. */
static bool
step(u128 *v, struct rational beta)
{
	u128 p = (u128)beta.num, q = (u128)beta.den, whole;

	if (__builtin_mul_overflow(*v / q, p, &whole) ||
	    __builtin_add_overflow(whole, *v % q * p / q, &whole) ||
	    whole >> (FRACTION + 63))
		return false;
	*v = whole;
	return true;
}

static bool
reserve(struct outputs *o, size_t n)
{
	o->n = 0;
	o->t = malloc(n * sizeof(*o->t));
	return o->t != NULL;
}

bool
outputs_geometric(struct outputs *o, struct rational beta, int digits,
    int64_t origin, const struct output_span *span)
{
	u128 v = (u128)fixed_pow10(digits) << FRACTION;
	i128 t;

	if (!reserve(o, span->most))
		return false;
	o->t[o->n++] = span->lo;
	do {
		t = (i128)(v >> FRACTION) - fixed_pow10(digits) + origin;
		if (t >= span->hi || o->n == span->most - 1)
			break;
		if (t > o->t[o->n - 1])
			o->t[o->n++] = (int64_t)t;
	} while (step(&v, beta));
	if (span->hi > span->lo)
		o->t[o->n++] = span->hi;
	return true;
}

bool
outputs_signed(struct outputs *o, struct rational beta, int digits,
    const struct output_span *span)
{
	struct output_span left = { 0, -span->lo, span->most };
	struct output_span right = { 0, span->hi, span->most };
	struct outputs up;

	if (!outputs_geometric(&up, beta, digits, 0, &left))
		return false;
	if (!reserve(o, up.n + span->most)) {
		outputs_free(&up);
		return false;
	}
	for (size_t i = up.n; i > 1; i--)
		o->t[o->n++] = -up.t[i - 1];
	outputs_free(&up);
	if (!outputs_geometric(&up, beta, digits, 0, &right)) {
		outputs_free(o);
		return false;
	}
	for (size_t i = 0; i < up.n; i++)
		o->t[o->n++] = up.t[i];
	outputs_free(&up);
	return true;
}

bool
outputs_uniform(struct outputs *o, const struct output_span *span)
{
	u128 width = (u128)((i128)span->hi - span->lo), gap, i;

	if (!reserve(o, span->most))
		return false;
	gap = (width + span->most - 2) / (span->most - 1);
	for (i = 0; i < width; i += gap)
		o->t[o->n++] = (int64_t)(span->lo + (i128)i);
	o->t[o->n++] = span->hi;
	return true;
}

void
outputs_free(struct outputs *o)
{
	free(o->t);
	o->t = NULL;
	o->n = 0;
}
