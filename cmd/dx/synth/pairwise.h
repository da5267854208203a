/*
 * pairwise: attributes that have too many combinations to be counted.  Single
 * ones and chosen pairs of them are, and records are made that fit these.
 */
#ifndef PAIRWISE_H
#define PAIRWISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "random/noise.h"
#include "random/rng.h"
#include "random/select.h"

#define PAIRWISE_MOST 64			/* attributes */
#define PAIRWISE_CELLS ((size_t)1 << 22)	/* of a pair, at most */
#define PAIRWISE_PARTS ((uint64_t)1 << 20)	/* shares of the budget */

/* Counts of one attribute's values, or of two attributes' pairs of values. */
struct counted {
	size_t a, b;		/* b = a: of one attribute */
	size_t cells;		/* value of a times values of b, plus of b */
	double *count;		/* released */
	double variance;	/* of the noise of each */
};

struct pairwise {
	/* public; set by the caller */
	size_t d;
	const size_t *values;
	struct rational eps;	/* for a record that comes or goes */
	double total;		/* records, or what was released of them */
	double slack;		/* variance of that; 0: it is promised */
	/* private */
	uint16_t *code;		/* d of each record */
	size_t n;
	/* by pairwise_plan, from public numbers and the total alone */
	struct counted *pair;	/* all that may be chosen */
	size_t pairs, picks;
	uint64_t singles, choices;	/* shares; pairs have the rest */
	/* released */
	struct counted *of;	/* singles, then the chosen pairs */
	size_t counts;
};

/* What is to be counted, with which shares. */
void pairwise_plan(struct pairwise *w);

/* Scale of the noise of what is counted: number i of d + picks. */
bool pairwise_scale(const struct pairwise *w, size_t i, struct scale *t);

/* Scale by which pairs are chosen, of scores in units of PAIRWISE_SCORE. */
bool pairwise_choice(const struct pairwise *w, struct scale *t);
#define PAIRWISE_SCORE 256

/*
 * Scores of all pairs that may be chosen: how far their counts are from those
 * of independent attributes, less a public price for their noise.
 */
void pairwise_scores(const struct pairwise *w, int64_t *score);

/*
 * Counts with noise; without r exactly, all pairs.  False where a scale does
 * not fit.
 */
bool pairwise_count(struct pairwise *w, struct rng *r);

/* m records, d codes each, that fit the counts. */
void pairwise_records(const struct pairwise *w, size_t m, struct rng *r,
    uint16_t *record);

void pairwise_close(struct pairwise *w);

#endif
