/*
 * guesses: how far groups of expected counts are off, judged together.
 * Post-processing.
 */
#pragma once

#include <stddef.h>

#define GUESSES 18	/* nothing, and twofold steps */

/*
 * A count's distance from the expected count, and its variance by noise, by
 * drawing records, and where expectations are off by as much as they are.
 */
struct distance {
	double off, noise, drawing, wrong;
};

/* Log odds, or chances, of each guess how far the expectations are off. */
struct guesses {
	double of[GUESSES];
};

/* Adds what a distance with this many degrees of freedom says, as log odds. */
void guesses_hear(struct guesses *said, const struct distance *d,
    double degrees);

/* Log odds of n groups of counts become chances, in the light of all. */
void guesses_judge(struct guesses *group, size_t n);

/* The part of a distance worth keeping. */
double guesses_kept(const struct guesses *chance, const struct distance *d);
