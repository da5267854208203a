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

#define POOL_BLOCKS 33

/* Block i has 2^(shift + i) units. */
struct pool {
	char *block[POOL_BLOCKS];
	size_t blocks, unit, n;		/* n: the next number */
	unsigned shift;
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
	size_t j = i + ((size_t)1 << p->shift);
	unsigned top = 63 - (unsigned)__builtin_clzll(j);

	return p->block[top - p->shift] + (j - ((size_t)1 << top)) * p->unit;
}

#endif
