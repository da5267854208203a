/*
 * inverse: selection of an output by inverse sensitivity, over every point of a
 * public grid, without enumerating the grid.
 */
#pragma once

#include "number/fixed.h"
#include "output_bounds.h"
#include "random/rng.h"
#include "random/select.h"

/* count >= 1 consecutive grid points from lo with one len. */
struct inverse_run {
	int64_t lo;
	uint64_t count;
	uint64_t len;
};

struct inverse {
	struct inverse_run *run;
	size_t n;
	int64_t lo, hi;		/* the grid's ends */
};

/*
 * The grid points lo..hi, |lo|, |hi| <= FIXED_MAX, in runs of equal inverse
 * sensitivity.
 */
void inverse_init(struct inverse *v, const struct output_bounds *b, int64_t lo,
    int64_t hi);
void inverse_free(struct inverse *v);

/*
 * [D24 (M.1)] A grid point t by the exponential mechanism, P[t] proportional
 * to exp(-eps len(t) / 2), or by permute-and-flip with the scores -len(t),
 * exactly.  eps's parts below 2^58.
 */
int64_t inverse_draw(const struct inverse *v, struct rational eps,
    enum select_kind kind, struct rng *r);

/*
 * [D24 Definition C.1] |P[output > f] - 1/2| for inverse_exponential, in
 * floating point; depends on the data and is not private.
 */
double inverse_asymmetry(const struct inverse *v, const struct output_bounds *b,
    double eps);
