/* inverse_impl: what inverse and inverse_flip share; for them alone. */
#ifndef INVERSE_IMPL_H
#define INVERSE_IMPL_H

#include "inverse.h"

#define INVERSE_J 62		/* halvings at most */

/* A point of a run is taken with probability exp(-exponent / den). */
struct law {
	uint64_t least;		/* len of the best run */
	uint64_t num;
	uint64_t den;
};

struct law inverse_law(const struct inverse *v, struct rational eps);
u128 inverse_exponent(const struct law *law, const struct run *run);

/* j = min(floor(10 x / 7), INVERSE_J), and the coin 2^j exp(-x). */
unsigned inverse_halvings(const struct law *law, const struct run *run);
bool inverse_rest(const struct law *law, const struct run *run,
    struct rng *r);

/* count * 2^(INVERSE_J - j), the sum of these, and the run at x below it. */
u128 inverse_weight(const struct law *law, const struct run *run);
u128 inverse_total(const struct law *law, const struct inverse *v);
size_t inverse_locate(const struct law *law, const struct inverse *v, u128 x);

/* All of so many fair coins heads; uniform bits, at most 127. */
bool inverse_heads(struct rng *r, uint64_t coins);
u128 inverse_bits(struct rng *r, unsigned bits);

#endif
