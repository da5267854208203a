/*
 * mwem: multiplicative weights with the exponential mechanism.
 *
 * [KPAK20 Algorithm 2] builds a synthetic histogram y of n records by T
 * rounds: choose a query on which y is badly wrong, measure it with noise,
 * correct y.  n and the universe are public.  Answers are integers on one
 * grid of `digits` decimals; a score is an integer in 2^-shift grid steps.
 */
#ifndef MWEM_H
#define MWEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dx/universe/workload.h"
#include "random/noise.h"
#include "random/rng.h"
#include "random/select.h"

#define MWEM_SHIFT 20			/* the finest scores */
#define MWEM_ANSWER ((int64_t)1 << 60)	/* an answer, or 2^shift of it */

struct mwem_past;
struct mwem_bits;

struct mwem {
	/* public; set by the caller */
	const struct workload *w;
	int digits;		/* no query has more */
	int shift;
	uint64_t total;		/* n */
	size_t rounds;		/* T */
	struct scale pick;	/* of scores: weight exp(u / pick) */
	struct scale noise;	/* in grid steps */
	enum select_kind kind;
	unsigned replays;	/* passes over the past in a round, at most */
	bool average;		/* y is the mean of y^0 .. y^(T-1), else y^T */
	bool exact;		/* neither coins nor noise: not private */
	/* private: answers of blocks, one after the other */
	int64_t *truth;
	size_t *at;		/* where each block's begin */
	/* what follows from the released measurements */
	double *guess;		/* y's answers, as truth */
	double *real;		/* coefficients of dense queries, not 0/1 */
	struct mwem_bits *bits;	/* of the others */
	bool *binary;		/* of each block: dense and 0/1 */
	uint32_t *atom;		/* of each element: equal weights so far */
	size_t atoms;
	double *mass;		/* of y in each atom, but for a factor */
	double whole;		/* their sum */
	double *sum;		/* of y^t at one element of each atom */
	double *size;		/* elements of each atom */
	uint32_t *inside;	/* scratch: atoms */
	double *cell;		/* scratch: elements, and one more */
	int64_t *score;
	size_t done;		/* rounds */
	struct mwem_past *past;	/* one for each round */
};

/* Bytes that the workload and all rounds need at most, from public facts. */
double mwem_memory(const struct workload *w, size_t rounds);

/*
 * The least digits for all queries, and the finest shift for answers of n
 * records; false where answers might not fit: use coarser coefficients.
 */
bool mwem_grid(struct mwem *a);

/* Works out the private answers of histogram x; y^0 is uniform. */
bool mwem_open(struct mwem *a, const uint64_t *x);

/* One round: all three steps.  False without memory. */
bool mwem_round(struct mwem *a, struct rng *r);

/* Forgets all rounds. */
void mwem_restart(struct mwem *a);

/* y after the rounds done, n elements. */
void mwem_result(const struct mwem *a, double *y);

void mwem_close(struct mwem *a);

/* The three steps.  Scores of all queries, to a->score. */
void mwem_scores(struct mwem *a);

/* The exact answer of query k in grid steps. */
int64_t mwem_truth(const struct mwem *a, size_t k);

/* Corrects y by measurement m of query k.  False without memory. */
bool mwem_learn(struct mwem *a, size_t k, i128 m);

#endif
