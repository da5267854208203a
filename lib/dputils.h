/*
 * dputils: what another program needs of libdputils.a.
 *
 * Exact decimals and fractions, random bytes of the kernel, discrete Laplace
 * noise for one number (random/noise.h) or for several that a record moves
 * together (random/knorm.h), the private choice among scores
 * (random/select.h), and words that end the program (tool/err.h).  Everything
 * else in the library is the tools' own.
 */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

#include "number/fixed.h"
#include "random/knorm.h"
#include "random/noise.h"
#include "random/rng.h"
#include "random/select.h"
#include "tool/err.h"
#include "tool/host.h"

#ifdef __cplusplus
}
#endif
