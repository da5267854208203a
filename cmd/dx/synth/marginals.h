/*
 * marginals: a table from marginals that are counted whole.
 *
 * With a large budget all marginals of the workload.  Else single attributes
 * first; then a look at each marginal, how far it is from what single
 * attributes say; then the marginals that are worth their noise.
 */
#ifndef MARGINALS_H
#define MARGINALS_H

#include "parts.h"

struct marginals {
	/* public; set by the caller: attributes of a marginal */
	size_t order;
	/* by marginals_open */
	size_t singles;		/* parts of single attributes, the first */
	size_t pairs;		/* and of the workload, after them */
	struct parts p;
	uint64_t single;	/* shares of PARTS_WHOLE: of all singles */
	uint64_t look;		/* of all looks; the rest is for the pairs */
	bool every;		/* all pairs are counted, and nothing else */
	double expected;	/* error of an answer, in records */
	double *root;		/* of each part's cost */
	/* released */
	int64_t *off;		/* how far each marginal seems to be off */
};

/*
 * Prepares for a workload of marginals, with those of one attribute in
 * `single`, and n records; both are kept.  False
 * without memory.
 */
bool marginals_open(struct marginals *a, const struct normal *single,
    const struct normal *q, uint64_t total);
void marginals_close(struct marginals *a);

/* One table; without r by exact counts.  False without memory. */
bool marginals_release(struct marginals *a, const int64_t *x, struct rng *r,
    double *y);

/* The steps of a release: shares of all parts but the pairs; then, */
bool marginals_singles(struct marginals *a, const int64_t *x, struct rng *r,
    double *y);

/* the look at all pairs beside y, */
bool marginals_look(struct marginals *a, const int64_t *x, struct rng *r,
    const double *y);

/* shares of the pairs, from what was released so far; */
void marginals_choose(struct marginals *a);

/* or, instead of all these, shares of every pair. */
void marginals_every(struct marginals *a);

/* The scale of the noise of a look; s = 0: it is public. */
bool marginals_look_scale(const struct marginals *a, size_t pair,
    struct scale *t);

/* sum_e |x_e - y_e| over the cells of a pair, for y rounded. */
bool marginals_off(const struct marginals *a, size_t pair, const int64_t *x,
    const double *y, int64_t *off);

#endif
