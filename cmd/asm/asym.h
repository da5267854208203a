/*
 * asym: the asymmetric sensitivity mechanism, by exact AboveThreshold.
 *
 * [D24 (M.2), (M.3)] runs through a public rising list of outputs and stops at
 * the first output with a noisy reflective inverse sensitivity above a noisy
 * threshold.
 */
#pragma once

#include "number/fixed.h"
#include "output_bounds.h"
#include "asm/plan/outputs.h"
#include "random/noise.h"
#include "random/rng.h"

struct asym {
	struct rational eps1;		/* threshold */
	struct rational eps2;		/* each query */
	struct scale threshold;		/* 1 / eps1 */
};

/*
 * Splits eps: the threshold gets share * eps, 0 < share < 1, and each query the
 * rest, or half the rest where queries cost two times.  They cost once where
 * they are monotonic.  False where the parts do not fit 63 bits.
 */
bool asym_split(struct asym *a, struct rational eps, struct rational share,
    unsigned times);

/* The integer query h'(t), with sensitivity 1.  [D24 Definition A.3] */
int64_t asym_query(const struct output_bounds *b, int64_t t);

/* The output's index; eps-differentially private as split. */
size_t asym_search(const struct asym *a, const struct output_bounds *b,
    const struct outputs *o, struct rng *r);
