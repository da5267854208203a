/*
 * code: numbers from 0 to 2^126 as 64-bit integers in the same order, with 54
 * binary digits each: squares of cells, and outputs as large.
 *
 * Numbers below 2^54 are their own codes.  Rounding a record's term to a code
 * looks at the record alone; and for an output t that is a code, t < x means
 * t < code_of(x, true), and t > x means t > code_of(x, false).
 */
#pragma once

#include "number/fixed.h"

#define CODE_MOST ((u128)1 << 126)

/* The code of a size up to 2^127, rounded down or up, and a code's size. */
int64_t code_of(u128 size, bool up);
u128 code_size(int64_t code);
