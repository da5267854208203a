/*
 * inverse: selection of an output by its inverse sensitivity, over every
 * point of a public grid, without enumerating the grid.
 */
#ifndef INVERSE_H
#define INVERSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "number/fixed.h"
#include "outbound.h"
#include "random/rng.h"

/* count >= 1 consecutive grid points from lo with the same len. */
struct run {
	int64_t lo;
	uint64_t count;
	uint64_t len;
};

struct inverse {
	struct run *run;
	size_t n;
};

/*
 * The grid points lo..hi, |lo|, |hi| <= FIXED_MAX, in runs of equal inverse
 * sensitivity.  False when memory is short.
 */
bool inverse_init(struct inverse *v, const struct outbound *b, int64_t lo,
    int64_t hi);
void inverse_free(struct inverse *v);

/*
 * [D24 (M.1)] P[t] proportional to exp(-eps len(t) / 2): the exponential
 * mechanism, exactly.  eps's parts below 2^58.
 */
int64_t inverse_exponential(const struct inverse *v, struct rational eps,
    struct rng *r);

/*
 * Permute-and-flip with scores -len(t), exactly: points in random order, each
 * taken with probability exp(-eps (len(t) - least len) / 2).  False when
 * memory is short.
 */
bool inverse_flip(const struct inverse *v, struct rational eps,
    struct rng *r, int64_t *t);

/*
 * [D24 Definition C.1] |P[output > f] - 1/2| for inverse_exponential, in
 * floating point; depends on the data and is not private.
 */
double inverse_asymmetry(const struct inverse *v, const struct outbound *b,
    double eps);

#endif
