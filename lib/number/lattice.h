/* lattice: equally spaced numbers, and their places. */
#pragma once

#include "fixed.h"

/* The numbers lo + i step, for i < places. */
struct lattice {
	int64_t lo;
	uint64_t step;		/* 2^shift times an odd number, */
	uint64_t inverse;	/* inverse of odd mod 2^64 */
	unsigned shift;
	size_t places;
};

/*
 * Widens a lattice, with no places at first, to the coarsest that has x[0] to
 * x[n-1] too, n > 0.  False, and the lattice is unchanged, if it would have
 * more than 2^bits places.
 */
bool lattice_widen(struct lattice *l, const int64_t *x, size_t n, int bits);

/*
 * How many steps make up a distance d, or more than (2^64 - 1) / step where d
 * is no multiple.  The odd part's inverse v turns d = 2^shift odd q into d v =
 * 2^shift q, and turning the bits right gives q.  The map is one to one, so
 * that only multiples reach the numbers up to the largest q.
 */
static inline uint64_t
lattice_steps(const struct lattice *l, uint64_t d)
{
	d *= l->inverse;
	return d >> l->shift | d << (-l->shift & 63);
}

/* The place of x; not below l->places where x has none. */
static inline uint64_t
lattice_place(const struct lattice *l, int64_t x)
{
	return lattice_steps(l, (uint64_t)x - (uint64_t)l->lo);
}

static inline int64_t
lattice_number(const struct lattice *l, size_t place)
{
	return (int64_t)((uint64_t)l->lo + place * l->step);
}
