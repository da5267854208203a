/*
 * pair: two numbers released together under one l1 sensitivity.
 *
 * [CD20 Definition 8.2] decouples in u = a + b and v = a - b: a pair of
 * functions is preprocessed as u and as v, each separately with S, and comes
 * back as (u + v, u - v) in HALF steps, which a record moves by at most 2 S
 * half steps in l1 norm.  Noise with the scale 2 S / eps half steps, or S /
 * eps, goes on each number.
 */
#pragma once

#include "number/fixed.h"

#define PAIR_MAX (FIXED_MAX / 2)	/* u, v and S saturate here */

struct uv {
	int64_t u;
	int64_t v;
};

/* (a, b) in steps to u = a + b, v = a - b, saturated at +-PAIR_MAX. */
struct uv pair_split(int64_t a, int64_t b);

/* u and v to a = u + v, b = u - v in half steps, within FIXED_MAX. */
void pair_merge(struct uv g, int64_t half[2]);
