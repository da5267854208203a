/*
 * bounds: Clopper-Pearson bounds, by sums of the tail.
 *
 * [CP34] P[X >= k] for X ~ Bin(n, p) grows with p; the lower bound after k hits
 * is the p where it equals alpha.  The upper bound is 1 less the lower bound
 * for the misses.
 */
#include "audit.h"

#include <math.h>

/*
 * P[X >= k], term by term from the largest; or 1 where k is not above the mean,
 * as a quarter and more, which it is there, is above any alpha.
 */
static double
bounds_tail(double k, double n, double p)
{
	double term = exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) +
	    k * log(p) + (n - k) * log1p(-p)), sum = term;

	if (k <= n * p)
		return 1;
	for (; k < n && term > sum * 1e-17; k++) {
		term *= (n - k) / (k + 1) * (p / (1 - p));
		sum += term;
	}
	return sum;
}

/* The near end of the last bracket, for wider bounds. */
double
audit_lower(uint64_t k, uint64_t n, double alpha)
{
	double lo = 0, hi = 1, mid;

	for (int i = 0; i < 100 && k > 0; i++) {
		mid = lo + (hi - lo) / 2;
		if (bounds_tail((double)k, (double)n, mid) < alpha)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

double
audit_upper(uint64_t k, uint64_t n, double alpha)
{
	return 1 - audit_lower(n - k, n, alpha);
}
