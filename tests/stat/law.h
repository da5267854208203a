/*
 * law: is a sample drawn from the law it claims?  Chi-square over fixed bins,
 * for the programs of tests/stat and for laws on the integers.
 */
#ifndef LAW_H
#define LAW_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define LAW_Z 6.0		/* chi-square: standard normal, 1e-9 */
#define LAW_EXPECTED 10.0	/* least expected count of a bin */

/* P[X <= x] */
typedef double law_cdf(int64_t x, const void *arg);

static inline int
law_compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static inline void
law_sort(int64_t *x, size_t n)
{
	qsort(x, n, sizeof(*x), law_compare);
}

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

/* First index of the sorted x whose value is above v. */
static inline size_t
law_above(const int64_t *x, size_t n, int64_t v)
{
	size_t lo = 0, hi = n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (x[mid] > v)
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

/*
 * z of a sorted sample over the bins (-inf, cut[0]], (cut[0], cut[1]], ...,
 * (cut[m-1], inf), m < 1024, cuts rising.
 */
static inline double
law_bins(const int64_t *x, size_t n, const int64_t *cut, size_t m,
    law_cdf *cdf, const void *arg)
{
	double p[1024], below = 0, upto;
	uint64_t count[1024];
	size_t i, at = 0, next;

	for (i = 0; i <= m; i++) {
		upto = i < m ? cdf(cut[i], arg) : 1;
		next = i < m ? law_above(x, n, cut[i]) : n;
		p[i] = upto - below;
		count[i] = next - at;
		below = upto;
		at = next;
	}
	return law_chi2(p, count, m + 1, (double)n);
}

/* Standard score of hits out of n with chance p. */
static inline double
law_binomial(uint64_t hits, uint64_t n, double p)
{
	return ((double)hits - (double)n * p) /
	    sqrt((double)n * p * (1 - p));
}

#endif
