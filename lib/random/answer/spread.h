/*
 * spread: how far a sum of noises and errors may be off.
 *
 * For use after the noise, so floating point is no danger; spread.c has the
 * laws.
 */
#pragma once

#include <stddef.h>

#define SPREAD_SIDES 4

/*
 * A weighted sum of numbers that one draw of K-norm noise serves: R sum_j a_j
 * U_j, the U_j uniform on -1..1, R of the Gamma law with this shape, a whole
 * number above n.  With shape 2 and one a it is a Laplace noise of scale a.
 *
 * All a_j are above 0, and none far below the largest: beside 1, SPREAD_LEAST
 * takes its place.  That is safe, as a sum of symmetric unimodal variables only
 * spreads when one is scaled up (Anderson 1955).
 */
#define SPREAD_LEAST 0x1p-5

struct spread_part {
	double a[SPREAD_SIDES];
	size_t n;
	double shape;
	double times;		/* so many of them */
};

/* Of parts, at least one, and a normal variable of this deviation. */
struct spread {
	const struct spread_part *part;
	size_t n;
	double normal;
};

/* |sum| of all, independent, is beyond this with probability alpha at most. */
double spread_reach(struct spread s, double alpha);
