/*
 * evidence: how far to believe noisy counts beside the counts expected
 * beforehand.  Post-processing.
 */
#pragma once

/* Counts judged together. */
struct evidence {
	double degrees;		/* counts free to differ */
	double noise, drawn;	/* squared distances from the expected */
};

/* Another count, `off` from the expected count `mean`. */
void evidence_add(struct evidence *e, double off, double mean,
    double variance);

/* The deviations that make a distance believed. */
#define EVIDENCE_CHANCE 3.0

/*
 * The part of each distance worth keeping: 0 where chance explains the
 * distances, within `chance' deviations of a normal law.
 */
double evidence_part(const struct evidence *e, double chance);

/* A count between the expected and the noisy count. */
double evidence_count(double part, double count, double mean,
    double variance);
