/*
 * mwem: multiplicative weights with the exponential mechanism.
 *
 * [KPAK20 Algorithm 2] builds a synthetic histogram y of n records by T rounds:
 * choose a query on which y is badly wrong, measure it with noise, correct y.
 * The universe is public, n need not be.  Queries are taken in normal form, and
 * answers twice, less the width for each record: another record changes such an
 * answer by the width at most, a moved record by 2 |q_i - q_j|.
 */
#pragma once

#include "dx/plan/workload.h"
#include "dx/plan/normal.h"
#include "number/fixed.h"
#include "random/noise.h"
#include "random/rng.h"
#include "random/select.h"

/* A measured query. */
struct mwem_past {
	size_t k;
	double measured;	/* the measured answer as a part of total
				   width */
	double goal;		/* the believed part, 0 to 1 */
	double share;		/* the answer of a uniform y, likewise */
	double rate;		/* of the paper's step */
	bool binary;
	/* coefficients of elements first..last; others have 0 */
	const struct block *p;
	size_t in, first, last;
	int64_t low;		/* of a dense query: low + 0..top */
	double top;
};

struct mwem {
	/* public; set by the caller */
	struct normal *q;	/* with multipliers, by mwem_budget or other */
	uint64_t total;		/* n, or the released n */
	unsigned shift;		/* a record counts as 2^shift in histograms */
	size_t rounds;		/* T */
	enum select_kind kind;
	unsigned replays;	/* passes over the past in a round, at most */
	bool each;		/* every query once: nothing to choose */
	bool paper;		/* the paper's step, and its average */
	bool exact;		/* neither coins nor noise: not private */
	bool weigh;		/* believe no more than pays */
	/* by mwem_budget */
	struct scale pick;	/* of scores: weight exp(u / pick) */
	struct scale *noise;	/* of each entry, in steps of its query */
	double *spread;		/* normal_variance, if they weigh */
	/* private: n; answers of blocks, back to back */
	int64_t n;
	int64_t *truth;		/* dense: as mwem_truth; else as places */
	size_t *at;		/* where each block's begin */
	/* from the released measurements alone */
	double *guess;		/* y's answers, as truth */
	double *mass;		/* of y in each element, but for a factor */
	double whole;		/* their sum */
	double *sum;		/* of y^t */
	int64_t *score;		/* of each query that is not constant */
	size_t done;		/* rounds */
	struct mwem_past *past;	/* one for each round */
};

/* Bytes that the workload and the rounds need at most, from public facts. */
double mwem_memory(const struct workload *w);

/*
 * Scales for the rounds from the scales c of all entries, which include
 * epsilon.  False where they do not fit: use coarser coefficients; with
 * pick.s = 0 there is no noise either.
 */
bool mwem_budget(struct mwem *a);

/* Works out the answers of histogram x, at most 2^62 in all; y^0 is uniform. */
void mwem_open(struct mwem *a, const int64_t *x);

/* One round: the three steps. */
void mwem_round(struct mwem *a, struct rng *r);

/* Forgets the rounds. */
void mwem_restart(struct mwem *a);

/* y after the rounds done, for n elements. */
void mwem_result(const struct mwem *a, double *y);

void mwem_close(struct mwem *a);

/* The steps.  Scores of y to a->score. */
void mwem_scores(struct mwem *a);

/* The exact sum of 2 q_i - width over records, for query k. */
i128 mwem_truth(const struct mwem *a, size_t k);

/* Corrects y by a measurement m of mwem_truth, in parts of records. */
void mwem_learn(struct mwem *a, size_t k, i128 m);

/* The place of element i. */
static inline size_t
mwem_place(const struct block *b, size_t i)
{
	return b->kind == WORKLOAD_MARGINAL ? b->cell[i] : i;
}
