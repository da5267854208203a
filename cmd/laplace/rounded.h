/*
 * rounded: the sensitivity of many numbers that are rounded one by one.
 */
#ifndef ROUNDED_H
#define ROUNDED_H

#include "number/fixed.h"

/* The sensitivities of n numbers, in steps of their grid. */
struct rounded {
	u128 n;
	u128 parts;	/* sum of 1/S_i in units of 2^-60, rounded up */
	int64_t least, most;
};

#define ROUNDED_INIT { 0, 0, 0, 0 }

/* One more number, of sensitivity sens >= 1 step. */
void rounded_add(struct rounded *r, int64_t sens);

/*
 * What takes the place of sens, one of those that were added, in the scale of
 * the noise: the proof is in rounded.c.  0 where it leaves 126 bits.
 */
u128 rounded_sens(const struct rounded *r, int64_t sens);

#endif
