/*
 * select: the exponential mechanism and permute-and-flip over exact scores.
 *
 * [DMNS06 Section 3.3], [MS20] McKenna, Sheldon: Permute-and-Flip.  Scores
 * are grid integers; a candidate of score u has the weight exp(u / t) with
 * the rational scale t = s/r of noise.h.  The list of candidates is public.
 */
#ifndef SELECT_H
#define SELECT_H

#include "noise.h"
#include "number/fixed.h"
#include "rng.h"

enum select_kind {
	SELECT_EXPONENTIAL,	/* P[i] proportional to its weight */
	SELECT_FLIP		/* permute-and-flip: never a worse choice */
};

/*
 * Draws k of the n candidates (1 <= k <= n) one after the other, without
 * replacement, each from what is left and with the full scale t: the caller
 * answers for k times the epsilon of t.  Writes their indices to chosen in
 * the order drawn.  Expected time O(k n).
 */
void select_draw(struct rng *r, const struct scale *t, enum select_kind kind,
    const int64_t *u, size_t n, size_t k, size_t *chosen);

#endif
