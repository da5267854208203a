/*
 * waves: what noisy counts in a row say together.  Post-processing.
 */
#ifndef WAVES_H
#define WAVES_H

#include <stdbool.h>
#include <stddef.h>

/* Counts in a row that add up to what is known of their sum. */
struct waves {
	size_t n;		/* 2 at least */
	double *off;		/* of each, from what is expected of it */
	double mean;		/* expected of one */
	double variance;	/* of the noise of one */
	double excess;		/* its kurtosis above a normal law's */
};

/*
 * Keeps of `off` what is worth it.  Do the counts differ more than by chance,
 * to *clear.  False without memory.
 */
bool waves_keep(struct waves *w, bool *clear);

#endif
