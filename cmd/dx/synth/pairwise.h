/*
 * pairwise: attributes with too many combinations to be counted.  Single
 * attributes and chosen pairs are counted, and records are made that fit the
 * counts.
 */
#pragma once

#include "number/fixed.h"
#include "random/noise.h"
#include "random/rng.h"

#define PAIRWISE_MOST 64			/* attributes */
#define PAIRWISE_CELLS ((size_t)1 << 22)	/* of a pair, at most */
#define PAIRWISE_PARTS ((uint64_t)1 << 20)	/* shares of the budget */

/* Counts of one attribute's values, or of two attributes' pairs of values. */
struct counted {
	size_t a, b;		/* b = a: of one attribute */
	size_t cells;
	double *count;		/* released */
	double variance;	/* each count's noise */
};

struct pairwise {
	/* public; set by the caller */
	size_t d;
	const size_t *values;
	struct rational eps;	/* for a record that comes or goes */
	double total;		/* records, or the released number */
	double slack;		/* variance of total; 0: promised */
	bool alone;		/* no pairs */
	unsigned shift;		/* a record weighs 2^shift at most */
	/* private */
	uint16_t *code;		/* d of each record */
	uint16_t *weight;	/* of each record; NULL: 1 */
	size_t n;
	/* by pairwise_plan, from public numbers and the total alone */
	uint64_t singles;	/* their share; pairs have the rest */
	size_t picks;		/* pairs, if there are so many */
	/* released */
	struct counted *of;	/* singles, then the chosen pairs */
	size_t counts;
	/* by pairwise_singles, from released and public numbers alone */
	uint16_t **class;	/* of each value of an attribute, for pairs */
	size_t *classes;
	struct counted *pair;	/* every pair to choose from */
	size_t pairs;
	uint64_t choices;	/* share */
	uint16_t *record;	/* m, d codes each, that fit the counts so far;
				   room by the caller */
	size_t m;
};

/* Plans the shares and the number of pairs. */
void pairwise_plan(struct pairwise *w);

/* The noise scale for count i of d + picks. */
void pairwise_scale(const struct pairwise *w, size_t i, struct scale *t);

/* Scale by which pairs are chosen, of scores in units of PAIRWISE_SCORE. */
void pairwise_choice(const struct pairwise *w, struct scale *t);
#define PAIRWISE_SCORE 256

/* The cell of a record's values x, or of the values' classes in a pair. */
size_t pairwise_cell(const struct pairwise *w, const struct counted *c,
    const uint16_t *x);

/*
 * Scores of the pairs that are not counted yet: how far the counts are from the
 * table's counts, less a public price for the noise.
 */
void pairwise_scores(const struct pairwise *w, int64_t *score);

/*
 * The total by every look; nonnegative singles add up to the total.  Then
 * classes of neighbouring values by the singles.  Post-processing.
 */
void pairwise_level(struct pairwise *w);
void pairwise_merge(struct pairwise *w);

/*
 * Counts the singles with noise, and lists the pairs; then chosen pairs, and
 * makes the table.  Without noise every pair is counted, exactly.
 */
void pairwise_singles(struct pairwise *w, struct rng *noise);
void pairwise_pairs(struct pairwise *w, struct rng *noise, struct rng *r);

/* Independent attributes; and changes to fit all counts.  Post-processing. */
void pairwise_alone(struct pairwise *w, struct rng *r);
void pairwise_fit(struct pairwise *w, struct rng *r);

void pairwise_close(struct pairwise *w);
