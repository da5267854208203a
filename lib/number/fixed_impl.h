/* fixed_impl: what the readers of cells share. */
#ifndef FIXED_IMPL_H
#define FIXED_IMPL_H

#include "fixed.h"

extern const int64_t fixed_tens[FIXED_DIGITS + 1];	/* 10^k */

/* Sign and saturation of a rounded magnitude. */
static inline int64_t
fixed_saturate(bool neg, uint64_t m)
{
	int64_t x = m > (uint64_t)FIXED_MAX ? FIXED_MAX : (int64_t)m;

	return neg ? -x : x;
}

/* v / 10^k, k >= 1; a division by a constant is a multiplication. */
static inline uint64_t
fixed_shorten(uint64_t v, int k)
{
	switch (k) {
	case 1:
		return v / 10;
	case 2:
		return v / 100;
	case 3:
		return v / 1000;
	case 4:
		return v / 10000;
	default:
		return v / (uint64_t)fixed_tens[k];
	}
}

/*
 * +-m * 10^-frac on the grid, m <= 10^18.  Where digits go, p = 10^(frac -
 * digits) is even and floor(+-m / p + 1/2) has the magnitude (m + p/2) div p
 * above zero; below, ceil(m/p - 1/2) = (m + p/2 - 1) div p.
 */
static inline int64_t
fixed_to_grid(bool neg, uint64_t m, int frac, int digits)
{
	uint64_t p10;

	if (frac > digits) {
		p10 = (uint64_t)fixed_tens[frac - digits];
		m = fixed_shorten(m + p10 / 2 - neg, frac - digits);
	} else {
		p10 = (uint64_t)fixed_tens[digits - frac];
		if (__builtin_mul_overflow(m, p10, &m))
			m = UINT64_MAX;
	}
	return fixed_saturate(neg, m);
}

#endif
