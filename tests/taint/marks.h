/*
 * marks: what the build of the taint has in place of number/taint.h's and
 * random/meter.h's nothing.  The compiler reads it first.
 */
#ifndef MARKS_H
#define MARKS_H

#include <valgrind/memcheck.h>

#include "number/fixed.h"

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

#define METER_NOISY(noisy, exact, t) taint_drawn(noisy)
#define METER_SPLIT(split, b, t) ((bool)taint_drawn(split))
#define METER_TOLD(told, value, eps) ((size_t)taint_drawn(told))
#define METER_RUNS(at, s) taint_noisy(at, sizeof(*(at)))
#define METER_BOX(noisy, exact, k) taint_noisy(noisy, ((k)->d + \
    (k)->counted) * sizeof(*(noisy)))

#endif
