/*
 * meter: what every draw adds noise to, and between which scores it chooses.
 *
 * The build of tests/meter (-DDP_METER) writes each draw down, and may take a
 * draw's outcome from an earlier run.  In the build of tests/taint (-DDP_TAINT)
 * what a draw was added to is private no longer.  Everywhere else the macros
 * are their first argument, or nothing.  tests/meter/meter.c says what a line
 * holds.
 */
#ifndef METER_H
#define METER_H

#include "number/fixed.h"
#include "number/taint.h"

struct scale;
struct select_runs;
struct select_place;
struct knorm;

#ifdef DP_METER

enum meter_part { METER_START, METER_RECORDS, METER_PEOPLE, METER_DRAWS };

/* Coins as they come at the start, for a record, a person or after a draw. */
unsigned meter_byte(void);
void meter_coins(enum meter_part part, uint64_t number);
void meter_record(void);

/* The next draw is a key's, among keys of which some have no draw. */
void meter_key(uint64_t rel, uint64_t rank);

/* A line: the outcome, its own or that of the past; numbers; the end. */
i128 meter_begin(const char *kind, i128 own, const struct scale *t,
    const struct scale *more);
void meter_put(i128 name, u128 count, unsigned copies, i128 exact);
void meter_end(void);

i128 meter_noisy(i128 noisy, i128 exact, const struct scale *t);
bool meter_bit(bool said, bool bit, struct rational eps);
uint64_t meter_kept(uint64_t kept, uint64_t p);
size_t meter_select(size_t at, const int64_t *u, const size_t *left, size_t n,
    const struct scale *t);
void meter_runs(struct select_place *at, const struct select_runs *s);
void meter_box(i128 *noisy, const i128 *exact, const struct knorm *k);

#define METER_ON true
#define METER_COINS(part, number) meter_coins(part, number)
#define METER_RECORD() meter_record()
#define METER_KEY(rel, rank) meter_key(rel, rank)
#define METER_FIELD i128 name;	/* the first candidate's */
#define METER_NAME(first) .name = (i128)(first),
#define METER_NOISY(noisy, exact, t) meter_noisy(noisy, exact, t)
#define METER_BIT(said, bit, eps) meter_bit(said, bit, eps)
#define METER_KEPT(kept, p) meter_kept(kept, p)
#define METER_SELECT(at, u, left, n, t) meter_select(at, u, left, n, t)
#define METER_RUNS(at, s) meter_runs(at, s)
#define METER_BOX(noisy, exact, k) meter_box(noisy, exact, k)

#else

#ifdef DP_TAINT
#define METER_NOISY(noisy, exact, t) taint_drawn(noisy)
#define METER_BIT(said, bit, eps) ((bool)taint_drawn(said))
#define METER_RUNS(at, s) taint_noisy(at, sizeof(*(at)))
#define METER_BOX(noisy, exact, k) taint_noisy(noisy, ((k)->d + \
    (k)->counted) * sizeof(*(noisy)))
#else
#define METER_NOISY(noisy, exact, t) (noisy)
#define METER_BIT(said, bit, eps) (said)
#define METER_RUNS(at, s) ((void)0)
#define METER_BOX(noisy, exact, k) ((void)0)
#endif

#define METER_ON false
#define METER_COINS(part, number) ((void)0)
#define METER_RECORD() ((void)0)
#define METER_KEY(rel, rank) ((void)0)
#define METER_FIELD
#define METER_NAME(first)
#define METER_KEPT(kept, p) (kept)
#define METER_SELECT(at, u, left, n, t) (at)
#define meter_byte() 0u

#endif

#endif
