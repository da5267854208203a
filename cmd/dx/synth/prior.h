/*
 * prior: noisy numbers beside what is expected of them without having counted
 * them, where it is not known how far the truth may be from that.
 * Post-processing: nothing here looks at what is not released.
 */
#ifndef PRIOR_H
#define PRIOR_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Mean counts of n cells that add up to total, given noisy ones with Laplace
 * noise of the scale; y may be noisy.  False without memory.
 */
bool prior_cells(const double *noisy, size_t n, double total, double scale,
    double *y);

/* An answer, `off` from the expected one. */
struct prior_answer {
	double off;		/* as it was measured */
	double scale;		/* of its Laplace noise */
	double spread;		/* of the answer for cells of deviation 1 */
};

/*
 * Turns the distances of k answers into the mean ones, for n cells that are
 * expected to be equal and add up to total.
 */
void prior_answers(struct prior_answer *a, size_t k, size_t n, double total);

#endif
