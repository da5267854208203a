/*
 * script: an rng that plays a given string of bytes and then jumps away, so
 * that all strings of a length can be tried and a law bounded exactly.
 */
#ifndef SCRIPT_H
#define SCRIPT_H

#include "random/rng.h"

#include <setjmp.h>

static jmp_buf script_end;

static inline void
script_refill(struct rng *r)
{
	(void)r;
	longjmp(script_end, 1);
}

/* The depth low bytes of string, the lowest first. */
static inline void
script_play(struct rng *r, unsigned string, size_t depth)
{
	size_t i;

	r->refill = script_refill;
	r->next = RNG_BUFFER - depth;
	for (i = 0; i < depth; i++)
		r->buf[r->next + i] = (unsigned char)(string >> 8 * i);
}

#endif
