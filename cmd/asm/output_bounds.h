/*
 * output_bounds: upper and lower output bounds per Hamming distance.
 *
 * [D24 Definition 3.4] L^l and U^l are the infimum and supremum of f over data
 * sets at distance at most l.  The code compares bounds with outputs on the
 * grid alone, and t < L <=> t < ceil(L), t > U <=> t > floor(U) for a grid
 * integer t, so rounded bounds decide every comparison exactly.
 */
#pragma once

#include "number/fixed.h"
#include "number/neighbors.h"
#include "tally.h"

/* Beyond every output: bounds saturate at this number for infinity. */
#define OUTPUT_INF (FIXED_MAX + 1)

struct output_bounds {
	size_t c;		/* distances 0..c are listed; beyond c the
				   bounds are -infinity and infinity */
	int64_t *lo;		/* ceil(L^l), falling; lo[0] = ceil(f) */
	int64_t *hi;		/* floor(U^l), rising; hi[0] = floor(f) */
	bool coded;		/* bounds are codes, and so are terms; false at
				   first */
	uint64_t room;		/* how many records more let a distance say
				   nothing: see asym.c; at first 2^62 */
};

/* The least and greatest value of a term or record, if any. */
struct limits {
	bool has_least;
	bool has_most;
	int64_t least;
	int64_t most;
};

/* The bounds are 0 at first. */
void output_bounds_init(struct output_bounds *b, size_t c);
void output_bounds_free(struct output_bounds *b);

/* Smallest l with L^l <= t <= U^l, or c + 1. [D24 Definition A.2] */
size_t output_bounds_len(const struct output_bounds *b, int64_t t);

/*
 * Each function fills a list for c distances from a tally with this c; the
 * tally holds the data after clamping to limits.
 *
 * variance: values in cell steps, output steps of `unit` (a power of ten, 1 to
 * 10^36) squared cell steps; divides by n.  Two limits or none.  sum, mean: the
 * terms in output steps; the sum is over a public n.
 */
void output_bounds_variance(struct output_bounds *b, const struct tally *t,
    u128 unit, const struct limits *limits, enum neighbors relation);
void output_bounds_sum(struct output_bounds *b, const struct tally *t,
    const struct limits *limits, enum neighbors relation, i128 n);
void output_bounds_mean(struct output_bounds *b, const struct tally *t,
    const struct limits *limits, enum neighbors relation);

/* f itself to the nearest step, halves up; 0 without data. */
i128 output_bounds_variance_value(const struct tally *t, u128 unit);
i128 output_bounds_mean_value(const struct tally *t);

/*
 * Signed numbers mod 2^256: a number, less than, and a product; a / d, 0 < d <
 * 2^127, rounded up or down for a from 0 up.
 */
static inline struct wide
wide_signed(i128 x)
{
	return (struct wide){ x < 0 ? ~(u128)0 : 0, (u128)x };
}

static inline bool
wide_less(struct wide a, struct wide b)
{
	return wide_sub(a, b).hi >> 127 != 0;
}

static inline struct wide
wide_times(struct wide a, uint64_t b)
{
	struct wide low = wide_mul(a.lo, b);

	low.hi += a.hi * b;
	return low;
}

static inline struct wide
wide_part(struct wide a, u128 d, bool up)
{
	u128 rem;
	struct wide q = wide_div(a, d, &rem);

	return wide_add(q, (struct wide){ 0, up && rem > 0 });
}

/* A bound from 0 up, in steps or as a code, cut beyond every output. */
int64_t output_bounds_step(struct wide x, bool coded, bool up);

/* Sorted values x[] with weights w[i] >= 1 (NULL: all 1), n records. */
struct ranks {
	const int64_t *x;
	const uint64_t *w;
	uint64_t n;
};

/*
 * The ceil(q n)-th smallest of n values, at least the first; 0 <= q <= 1.
 * `empty' without data.
 */
void output_bounds_quantile(struct output_bounds *b, const struct ranks *r,
    struct rational q, int64_t empty, enum neighbors relation);
