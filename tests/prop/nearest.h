/*
 * nearest: the projection of a table by the book, beside the tools' own.
 */
#ifndef NEAREST_H
#define NEAREST_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NEAREST_MOST 40	/* numbers at most */

static inline int
nearest_falling(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x < *y) - (*x > *y);
}

/* The nearest nonnegative numbers with a sum, by sorting [Held et al. 1974]. */
static inline void
nearest(double *h, size_t n, double sum)
{
	double sorted[NEAREST_MOST], run = 0, cut = 0;

	memcpy(sorted, h, n * sizeof(*h));
	qsort(sorted, n, sizeof(*h), nearest_falling);
	for (size_t i = 0; i < n; i++) {
		run += sorted[i];
		if (sorted[i] >= (run - sum) / (double)(i + 1))
			cut = (run - sum) / (double)(i + 1);
	}
	for (size_t i = 0; i < n; i++)
		h[i] = fmax(0, h[i] - cut);
}

#endif
