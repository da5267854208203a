/*
 * meter: what every draw adds noise to, and between which scores it chooses.
 *
 * The build of tests/meter (-DDP_METER) writes each draw down, and may take a
 * draw's outcome from an earlier run: tests/meter/draws.h.  In the build of
 * tests/taint (-DDP_TAINT) what a draw was added to is private no longer:
 * tests/taint/marks.h.  Such a header is read first, and has its own macros.
 * Everywhere else these are their first argument, or nothing.
 */
#pragma once

#ifndef METER_NOISY
#define METER_NOISY(noisy, exact, t) (noisy)
#define METER_SPLIT(split, b, t) (split)	/* b + noise > 0 */
#define METER_TOLD(told, value, eps) (told)
#define METER_RUNS(at, s) ((void)0)
#define METER_BOX(noisy, exact, k) ((void)0)
#endif

#ifndef METER_ON
#define METER_ON false
#define METER_DREW(t) ((void)0)
#define METER_COINS(part, number) ((void)0)
#define METER_RECORD() ((void)0)
#define METER_KEY(rel, rank) ((void)0)
#define METER_FIELD
#define METER_NAME(first)
#define METER_KEPT(kept, p) (kept)
#define METER_SELECT(at, u, left, n, t) (at)
#define METER_SPARSE(a, b, o, i) (i)
#define METER_CHOOSE(s) ((void)0)
#define meter_byte() 0u
#endif
