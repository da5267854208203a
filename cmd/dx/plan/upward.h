/*
 * upward: positive rationals that are never rounded down.
 *
 * A noise scale may be larger than privacy needs but not smaller.  Where an
 * exact product or quotient has no room, the parts are shortened so that the
 * value can only grow.
 */
#pragma once

#include "number/fixed.h"

/* a b and a / b, or a little more; false if out of range. */
bool upward_mul(struct rational *r, struct rational a, struct rational b);
bool upward_div(struct rational *r, struct rational a, struct rational b);

/* A fraction not below a, with parts up to 61 bits; a > 0. */
bool upward_shorten(struct rational *a);

/* The exact value of a positive double with moderate size. */
bool upward_double(double x, struct rational *r);
