/*
 * smalldb: the small database mechanism, sampled exactly.
 *
 * [KPAK20 Algorithm 1] draws a multiset y of m of the N elements with weight
 * exp(-max_k |q_k(x) - (n/m) q_k(y)| / 2c).  Times m everything is an
 * integer: the error of y is max_k |m q_k(x) - n q_k(y)| grid steps and its
 * weight exp(-error / t) with the rational scale t = 2cm.
 */
#ifndef SMALLDB_H
#define SMALLDB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "random/noise.h"
#include "random/rng.h"

#define SMALLDB_MANY ((u128)1 << 120)	/* candidates, or more than that */
#define SMALLDB_ANSWER ((int64_t)1 << 60)

struct smalldb {
	size_t n;		/* N elements */
	size_t k;		/* queries */
	size_t m;		/* records of a candidate */
	const int64_t *q;	/* n x k: n q_ki, with the other n, total */
	const int64_t *target;	/* k: m q_k(x) */
	struct scale t;
};

enum smalldb_result { SMALLDB_OK, SMALLDB_NO_MEMORY };

/* The multisets of m of n elements; SMALLDB_MANY stands for more. */
u128 smalldb_candidates(size_t n, size_t m);

/* Largest m >= 1 with at most `most` candidates; 0: there is none. */
size_t smalldb_fits(size_t n, u128 most);

/* The error of y, m elements in any order. */
int64_t smalldb_error(const struct smalldb *s, const uint32_t *y);

/*
 * One draw; y becomes m elements, rising.  By rejection below an envelope that
 * every rejection makes tighter, in at most `nodes` parts; for fewer than
 * SMALLDB_MANY candidates.
 */
enum smalldb_result smalldb_search(const struct smalldb *s, struct rng *r,
    size_t nodes, uint32_t *y);

/* The steps of a draw, for smalldb_search and smalldb_list. */

/* floor(error / t), cut at 2^62; error >= 0. */
int64_t smalldb_level(const struct scale *t, int64_t error);

/* True with probability exactly (2/e)^level. */
bool smalldb_thin(struct rng *r, int64_t level);

/* True with probability exactly exp(level - error / t) <= 1. */
bool smalldb_keep(struct rng *r, const struct scale *t, int64_t error,
    int64_t level);

/* Uniform on 0..n-1, n >= 1. */
u128 smalldb_below(struct rng *r, u128 n);

/* A uniform multiset of m of the elements first..first+n-1, rising. */
void smalldb_uniform(struct rng *r, size_t first, size_t n, size_t m,
    uint32_t *y);

#endif
