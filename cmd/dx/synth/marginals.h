/*
 * marginals: a table from marginals that are counted whole.
 *
 * The marginals of one attribute each, of two, and so on are levels; the last
 * may be the cells of the universe.  One level is counted, which follows from
 * public numbers; the levels below are sums of the counts.
 */
#pragma once

#include "dx/answer/guesses.h"
#include "dx/plan/normal.h"
#include "parts.h"
#include "random/rng.h"

struct marginals {
	/* public; set by the caller: levels whose counts the table fits */
	size_t order;
	/* by marginals_open: first part of each level, one past the last */
	size_t *first;
	size_t levels;
	struct parts p;
	double *root;		/* for each part's cost */
	double *degrees;	/* of freedom in each beside the parts inside */
	struct guesses *heard;	/* log odds by each part's counts */
	size_t chosen;		/* the counted level, from 1 on */
	double expected;	/* an answer's error, in records */
};

/*
 * Prepares for p.total records and levels of marginals, each of more attributes
 * than the one before, which are kept; the queries are the last of `order`.
 */
void marginals_open(struct marginals *a, const struct normal *level,
    size_t levels);
void marginals_close(struct marginals *a);

/* Chooses the level by the error expected. */
void marginals_expect(struct marginals *a);

/* Shares of PARTS_WHOLE for the chosen level's parts alone. */
void marginals_share(struct marginals *a);

/* One table; without r by exact counts. */
void marginals_release(struct marginals *a, const int64_t *x, struct rng *r,
    double *y);
