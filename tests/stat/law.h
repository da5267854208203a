/*
 * law: is a sample drawn from the law it claims?  Chi-square over fixed bins,
 * for the programs of tests/stat.
 */
#ifndef LAW_H
#define LAW_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#define LAW_Z 6.0		/* chi-square: standard normal, 1e-9 */
#define LAW_EXPECTED 10.0	/* least expected count of a bin */

/* Chi-square as a standard normal, after Wilson and Hilferty. */
static inline double
law_z(double chi2, double df)
{
	double v = 2 / (9 * df);

	return (cbrt(chi2 / df) - (1 - v)) / sqrt(v);
}

/*
 * z of n counts whose bins have probabilities p, total of all counts.  Bins
 * are put together, from the left, until LAW_EXPECTED is reached; what is
 * left at the end joins the last.
 */
static inline double
law_chi2(const double *p, const uint64_t *count, size_t n, double total)
{
	double chi2 = 0, want = 0, got = 0, left = 0, df = -1;
	size_t i;

	for (i = 0; i < n; i++)
		left += p[i] * total;
	for (i = 0; i < n; i++) {
		want += p[i] * total;
		got += (double)count[i];
		left -= p[i] * total;
		if (want < LAW_EXPECTED || (left < LAW_EXPECTED && i < n - 1))
			continue;
		chi2 += (got - want) * (got - want) / want;
		df++;
		want = got = 0;
	}
	return df < 1 ? INFINITY : law_z(chi2, df);
}

/* Standard score of hits out of n with chance p. */
static inline double
law_binomial(uint64_t hits, uint64_t n, double p)
{
	return ((double)hits - (double)n * p) /
	    sqrt((double)n * p * (1 - p));
}

#endif
