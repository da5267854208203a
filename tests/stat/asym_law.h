/* The exact law of a search, in floating point. */
#ifndef ASYM_LAW_H
#define ASYM_LAW_H

#include <math.h>

#include "asm/asym.h"

/*
 * p[i] for queries of values h[0..n-2]; p[n-1] is the chance that none of
 * them stops it.  What is left out of the threshold is below exp(-45).
 */
static void
asym_law(const struct asym *a, const int64_t *h, size_t n, double *p)
{
	double eps1 = rational_real(a->eps1), eps2 = rational_real(a->eps2);
	double left, stop, need;
	int64_t bar, last = (int64_t)(45 / eps1) + 1;

	for (size_t i = 0; i < n; i++)
		p[i] = 0;
	for (bar = 0; bar <= last; bar++) {
		left = exp(-eps1 * (double)bar) * -expm1(-eps1);
		for (size_t i = 0; i + 1 < n && left > 0; i++) {
			need = (double)(1 + bar - h[i]);
			stop = need <= 0 ? 1 : exp(-eps2 * need);
			p[i] += left * stop;
			left -= left * stop;
		}
		p[n - 1] += left;
	}
}

#endif
