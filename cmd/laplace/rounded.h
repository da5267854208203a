/*
 * rounded: the sensitivity of many numbers that are rounded one by one.
 */
#ifndef ROUNDED_H
#define ROUNDED_H

#include "number/fixed.h"

/*
 * What takes the place of sens, the l1 sensitivity of n numbers in steps of
 * their grid, in the scale of the noise: the proof is in rounded.c.
 */
u128 rounded_sens(u128 n, int64_t sens);

#endif
