/*
 * wide: more operations on the 256-bit numbers of fixed.h, for fixed and
 * rational.  Sums are taken mod 2^256.
 */
#ifndef WIDE_H
#define WIDE_H

#include "fixed.h"

struct wide wide_add(struct wide a, struct wide b);
struct wide wide_sub(struct wide a, struct wide b);

/* Quotient by 0 < d < 2^127, with the remainder. */
struct wide wide_div(struct wide a, u128 d, u128 *rem);

/* The greatest common divisor; that of 0 and b is b. */
u128 wide_gcd(u128 a, u128 b);

#endif
