/*
 * noise: exact Bernoulli(exp(-n/d)), geometric and discrete Laplace laws.
 *
 * [CKS20] Canonne, Kamath, Steinke: The discrete Gaussian for differential
 * privacy, sections 5.1 and 5.2.  Integers only.
 */
#pragma once

#include "number/fixed.h"
#include "rng.h"

/* Scale t = s/r in grid steps, lowest terms, 1 <= s, r < 2^63. */
struct scale {
	uint64_t s;
	uint64_t r;
};

/*
 * Scale sens / eps for an integer sensitivity in grid steps, sens >= 1 and
 * eps > 0.  False when s or r would not fit: use fewer digits.
 */
bool scale_make(struct scale *t, u128 sens, struct rational eps);

/*
 * Von Neumann's series from round k on, n <= d: true with probability exp(-n/d)
 * for k = 1, and 2/e for k = 3, n = d.
 */
bool noise_series(struct rng *r, uint64_t k, uint64_t n, uint64_t d);

/* True with probability exactly exp(-n/d), 1 <= d < 2^63. */
bool noise_bern_exp(struct rng *r, u128 n, uint64_t d);

/* P[X = x] = (1 - e^(-1/t)) e^(-x/t) for x = 0, 1, 2, ... */
u128 noise_geometric(struct rng *r, const struct scale *t);

/* P[X = x] proportional to e^(-|x|/t) for all integers x. */
i128 noise_laplace(struct rng *r, const struct scale *t);

/*
 * Smallest m with P[|X| <= m] >= p under noise_laplace, 0 < p < 1, in grid
 * steps: |X| is at most m with probability p at least, always.  The result may
 * exceed the smallest by a part in 2^42 and a step, where rounded logarithms
 * leave the smallest open.  Public: no draw depends on it.
 */
double noise_reach(const struct scale *t, struct rational p);

/* noise_reach for p = 19/20: the 95 % error. */
double noise_error95(const struct scale *t);
