/*
 * pool: many small pieces of memory that stay where they are.
 *
 * Pieces are whole units of one size, known by the number of their first
 * one, from 1 up.  Nothing is moved and nothing is given back one by one, so
 * a number costs half of a pointer and what is used is all that is touched.
 */
#ifndef POOL_H
#define POOL_H

#include <stddef.h>
#include <stdint.h>

#define POOL_MOST ((size_t)1 << 17)	/* bytes of a piece, but for one unit */

struct pool {
	char **block;
	size_t blocks, unit, n;		/* n: the next number */
	unsigned shift;			/* a block has 2^shift units */
};

void pool_open(struct pool *p, size_t unit);

/* So many units in a row, not cleared; exits with status 1 without memory. */
uint32_t pool_take(struct pool *p, size_t units);

/* Forgets all pieces but keeps the memory for others. */
void pool_clear(struct pool *p);
void pool_close(struct pool *p);

static inline void *
pool_at(const struct pool *p, size_t i)
{
	return p->block[i >> p->shift] +
	    (i & (((size_t)1 << p->shift) - 1)) * p->unit;
}

#endif
