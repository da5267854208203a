/*
 * golden: what post-processing said when somebody last looked at it.
 *
 * A weighted sum of a table changes with any of its numbers, so a row of such
 * sums guards all of the code behind them; the properties beside it say what
 * the numbers are good for.  Where they change on purpose, GOLDEN=1 in the
 * environment prints rows to put in place of the old ones.
 */
#ifndef GOLDEN_H
#define GOLDEN_H

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static inline double
golden_sum(const double *y, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += y[i] * (double)(1 + i * i % 7);
	return sum;
}

static inline void
golden_is(const char *name, size_t row, const double *y, size_t n, double want)
{
	double sum = golden_sum(y, n);

	if (getenv("GOLDEN") != NULL) {
		fprintf(stderr, "%s: %.10g,\n", name, sum);
		return;
	}
	cr_assert(fabs(sum - want) <= 1e-7 * (1 + fabs(want)),
	    "%s, row %zu: %.10g, not %.10g", name, row, sum, want);
}

#endif
