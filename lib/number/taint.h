/*
 * taint: what is private, and where it ceases to be, for an instrument.
 *
 * With -DDP_TAINT, a build that tests/taint makes, valgrind's memcheck follows
 * private bytes as if they were uninitialised memory: a copy and a sum stay
 * private, and memcheck reports a branch or an address that hangs on one, and
 * a system call that is handed one.  In every other build these are nothing.
 *
 *	private	 a record's bytes, as they are read, and counts of records
 *	noisy	 a draw was added, or a selection chose; see random/meter.h
 *	public	 the contract says so: n and groups under swap, and more
 */
#ifndef TAINT_H
#define TAINT_H

#include "fixed.h"

#ifdef DP_TAINT

#include <valgrind/memcheck.h>

#define taint_private(p, n) ((void)VALGRIND_MAKE_MEM_UNDEFINED(p, n))
#define taint_noisy(p, n) ((void)VALGRIND_MAKE_MEM_DEFINED(p, n))
#define taint_public(p, n) ((void)VALGRIND_MAKE_MEM_DEFINED(p, n))
#define taint_public_if(yes, x) taint_public(&(x), (yes) ? sizeof(x) : 0)

static inline i128
taint_drawn(i128 x)
{
	taint_noisy(&x, sizeof(x));
	return x;
}

#else

#define taint_private(p, n) ((void)(p), (void)(n))
#define taint_noisy(p, n) ((void)(p), (void)(n))
#define taint_public(p, n) ((void)(p), (void)(n))
#define taint_public_if(yes, x) ((void)(yes), (void)(x))

#endif

#endif
