/*
 * smalldb: the small database mechanism, sampled exactly.
 *
 * [KPAK20 Algorithm 1] draws a multiset y of m of the N elements with weight
 * exp(-max_k |q_k(x) - (n/m) q_k(y)| / 2c).  Times m every number is an
 * integer: the error of y is max_k |m q_k(x) - n q_k(y)| grid steps and its
 * weight exp(-error / t) with the rational scale t = 2cm.
 */
#pragma once

#include "random/noise.h"
#include "random/rng.h"

#define SMALLDB_MANY ((uint64_t)1 << 62)	/* candidates, or more */
#define SMALLDB_ANSWER ((int64_t)1 << 60)
#define SMALLDB_LEVELS 60		/* above the lowest that differ */

struct smalldb {
	size_t n;		/* N elements */
	size_t k;		/* queries */
	size_t m;		/* records of a candidate */
	const int64_t *q;	/* n x k: n q_ki, with n = total */
	const int64_t *target;	/* k: m q_k(x) */
	struct scale t;
	/* the candidate at hand: its records, m q_k(x) - n q_k(y) */
	uint32_t *y;
	int64_t *left;
	size_t at, moved;	/* the place of the last change, records taken
				   there */
	/* by smalldb_open: the least level, candidates there and above */
	int64_t low;
	uint64_t count[SMALLDB_LEVELS + 1];
};

/* The multisets of m of n elements; SMALLDB_MANY stands for more. */
uint64_t smalldb_candidates(size_t n, size_t m);

/* Largest m >= 1 with at most `most` candidates; 0: there is none. */
size_t smalldb_fits(size_t n, uint64_t most);

/* Looks at every candidate. */
void smalldb_open(struct smalldb *s);
void smalldb_close(struct smalldb *s);

/* One draw, to s->y. */
void smalldb_draw(struct smalldb *s, struct rng *r);

/* The candidates one by one, and the error of the present candidate. */
void smalldb_first(struct smalldb *s);
bool smalldb_next(struct smalldb *s);
int64_t smalldb_error(const struct smalldb *s);
