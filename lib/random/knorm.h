/*
 * knorm: one draw of noise for several numbers that a record moves together.
 *
 * [DMNS06 Theorem 2] with the norm of the box that a record moves the numbers
 * in; knorm.c has the law, the proof and the sampler.  Integers only.
 */
#pragma once

#include "noise.h"
#include "random/answer/spread.h"

/* A record moves the number by -down to up steps; up + down >= 1. */
struct knorm_side {
	uint64_t down, up;
};

/*
 * d numbers.  Counted: a record that comes moves number c by -down to up, and a
 * record that goes by the opposite, and moves the number of records, too.  Not
 * counted: either way, and up = down.  Replaced, not counted: one record comes
 * and one goes.  A bound that is not 0 holds for a record's numbers, which are
 * in one unit, their absolute values added up.
 */
struct knorm {
	size_t d;
	bool counted;
	const struct knorm_side *side;
	uint64_t m;		/* parts of a step and of a record */
	struct scale t;		/* of the radius, in these parts */
	bool replaced;
	uint64_t bound;
};

/*
 * Chooses m and the scale, for neighbors that differ in so many records; false
 * where they do not fit: use fewer steps.
 */
bool knorm_make(struct knorm *k, u128 records, struct rational eps);

/*
 * One attempt at a draw, false where it came to nothing: a draw is made of such
 * attempts.
 */
bool knorm_try(struct rng *r, const struct knorm *k, i128 *z);

/* Noise for the d numbers, and if counted for the records, times m. */
void knorm_draw(struct rng *r, const struct knorm *k, i128 *z);

/*
 * exact + noise, times m; NULL is no noise.  An exact number is cut to
 * +-2^126/m, but for the number of records, which is below 2^86.
 */
void knorm_add(const struct knorm *k, const i128 *exact, const i128 *z,
    i128 *noisy);

/*
 * The law of the noise s - z w t, s that of a number with up + down = w, t that
 * of the records and (up - down) / w - 2 z = +-tilt, but for KNORM_BLUR w
 * parts; and the noise of number c, rounded up to steps, that as many as p do
 * not exceed.  Public: no draw depends on it.
 */
#define KNORM_BLUR 4
struct spread_part knorm_part(const struct knorm *k, double tilt, double w);
double knorm_reach(const struct knorm *k, size_t c, struct rational p);
