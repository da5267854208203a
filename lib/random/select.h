/*
 * select: the exponential mechanism and permute-and-flip over exact scores.
 *
 * [DMNS06 Section 3.3], [MS20] McKenna, Sheldon: Permute-and-Flip.  Scores are
 * grid integers; a candidate with score u has the weight exp(u / t), t = s/r
 * the rational scale in noise.h.  The candidates are public.
 */
#pragma once

#include "noise.h"
#include "rng.h"

enum select_kind {
	SELECT_EXPONENTIAL,	/* P[i] proportional to the weight */
	SELECT_FLIP		/* permute-and-flip: never a worse choice */
};

/*
 * Draws k out of n candidates (1 <= k <= n), one by one, without replacement,
 * each from the candidates left and with the full scale t: the caller answers
 * for k epsilons of t.  Writes indices to chosen in the order drawn.  Expected
 * time O(k n).
 */
void select_draw(struct rng *r, const struct scale *t, enum select_kind kind,
    const int64_t *u, size_t n, size_t k, size_t *chosen);
