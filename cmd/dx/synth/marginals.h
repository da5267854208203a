/*
 * marginals: a table from marginals that are counted whole.
 *
 * The marginals of one attribute each, of two, and so on are levels; the last
 * may be the cells of the universe.  One level is counted, which follows from
 * public numbers; the levels below it are sums of its counts.
 */
#ifndef MARGINALS_H
#define MARGINALS_H

#include "parts.h"

/* What the counts of part k say beside the expected ones. */
struct finding {
	size_t k;
	double like;		/* log odds that they are off, from even ones */
	double part;		/* of the distances that is kept, if they are */
};

struct marginals {
	/* public; set by the caller: levels whose counts the table fits */
	size_t order;
	/* by marginals_open: first part of each level, one past the last */
	size_t *first;
	size_t levels;
	struct parts p;
	double *root;		/* of each part's cost */
	double *degrees;	/* of freedom of each beside those inside it */
	struct finding *finding;	/* on those of a level */
	size_t chosen;		/* the level that is counted, from 1 on */
	double expected;	/* error of an answer, in records */
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

/* Is part j inside part k?  in: scratch, a number for each element. */
bool marginals_inside(const struct marginals *a, size_t j, size_t k,
    int64_t *in);

/* Shares of PARTS_WHOLE for the parts of the chosen level, and for no other. */
void marginals_share(struct marginals *a);

/* One table; without r by exact counts. */
void marginals_release(struct marginals *a, const int64_t *x, struct rng *r,
    double *y);

#endif
