/*
 * evidence: how far to believe noisy counts beside the counts expected
 * beforehand.  Post-processing.
 */
#ifndef EVIDENCE_H
#define EVIDENCE_H

#include "random/noise.h"
#include "random/rng.h"

#define EVIDENCE_EXCESS 3.0	/* of kurtosis, for Laplace's law */
#define EVIDENCE_GUESSES 18	/* nothing, and twofold steps */

/* Counts judged together. */
struct evidence {
	double degrees;		/* counts free to differ */
	double noise, drawn;	/* squared distances from the expected */
};

/* Another count, `off` from the expected count `mean`. */
void evidence_add(struct evidence *e, double off, double mean,
    double variance);

/*
 * The deviations that make a distance believed, for counts with this noise and
 * the expected count `mean`.
 */
double evidence_chance(double variance, double mean);

/*
 * The part of each distance worth keeping: 0 where chance explains the
 * distances, within `chance' deviations of a normal law.  excess: kurtosis of
 * the noise above a normal law's.
 */
double evidence_part(const struct evidence *e, double excess, double chance);

/*
 * Log odds that the counts differ from the expected counts by a part; and the
 * part of each distance worth keeping then.  rate: the square of an expected
 * count in units of noise and drawing.
 */
double evidence_odds(const struct evidence *e, double rate, double *part);

/* A count between the expected and the noisy count. */
double evidence_count(double part, double count, double mean,
    double variance);

/*
 * A count's distance from the expected count, and its variance by noise, by
 * drawing records, and where expectations are off by as much as they are.
 */
struct distance {
	double off, noise, drawing, wrong;
};

/* Log odds, or chances, of each guess how far the expectations are off. */
struct guesses {
	double of[EVIDENCE_GUESSES];
};

/* Adds what a distance with this many degrees of freedom says, as log odds. */
void evidence_hear(struct guesses *said, const struct distance *d,
    double degrees);

/* Log odds of n groups of counts become chances, in the light of all. */
void evidence_judge(struct guesses *group, size_t n);

/* The part of a distance worth keeping. */
double evidence_kept(const struct guesses *chance, const struct distance *d);

/* A count with noise, without r or a scale itself, cut at 2^50. */
double evidence_noisy(int64_t x, const struct scale *t, struct rng *r);

/*
 * The best total by its look so far and by the sum of h, which has the variance
 * `all'; the total's variance 0: public.  Returns the sum.
 */
double evidence_look(const double *h, size_t n, double all, double *total,
    double *variance);

/* The nearest table in squares without a negative count, of this sum. */
void evidence_project(double *h, size_t n, double total);

#endif
