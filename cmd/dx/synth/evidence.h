/*
 * evidence: how far noisy counts are to be believed beside what was expected
 * of them without having counted them.  Post-processing.
 */
#ifndef EVIDENCE_H
#define EVIDENCE_H

#define EVIDENCE_EXCESS 3.0	/* of kurtosis, of Laplace's law */

/* Counts that are judged together. */
struct evidence {
	double degrees;		/* counts that are free to differ */
	double noise, drawn;	/* squares of distances from the expected */
};

/* One more count, `off` from what is expected of it, `mean`. */
void evidence_add(struct evidence *e, double off, double mean,
    double variance);

/*
 * The deviations that a distance must have to be believed, for counts with
 * this noise of which `mean` is expected.
 */
double evidence_chance(double variance, double mean);

/* The part of each distance that is worth keeping, where it is believed. */
double evidence_alone(const struct evidence *e);

/* The least part that is worth keeping, as records are drawn. */
double evidence_least(double mean, double variance);

/*
 * The part of each distance that is worth keeping: 0 where chance explains
 * them, with so many deviations of a normal law.  excess: kurtosis of the
 * noise above a normal law's.
 */
double evidence_part(const struct evidence *e, double excess, double chance);

/*
 * Log odds that the counts are off from what is expected of them by a part of
 * it; and the part of each distance that is worth keeping then.  rate: the
 * square of an expected count in units of noise and drawing.
 */
double evidence_odds(const struct evidence *e, double rate, double *part);

/* A count between what is expected and what was counted. */
double evidence_count(double part, double count, double mean,
    double variance);

#endif
