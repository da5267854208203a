/*
 * bounds: Clopper-Pearson bounds through the incomplete beta function.
 *
 * [CP34] P[X >= k] for X ~ Bin(n, p) is I_p(k, n - k + 1), which grows with p;
 * the lower bound after k hits is the p where I_p equals alpha.  The upper
 * bound is 1 less the lower bound for the misses.  I is evaluated by a
 * continued fraction; the relative error is far below the resolution of n <=
 * 10^7 runs.
 */
#include "audit.h"

#include <math.h>

#define STEPS 500	/* of the continued fraction: about sqrt(n) suffice */
#define TINY 1e-300

static double
off_zero(double x)
{
	return fabs(x) < TINY ? TINY : x;
}

/* Modified Lentz evaluation of the fraction for I_x(a, b). */
static double
fraction(double a, double b, double x)
{
	double c = 1, d = 1 / off_zero(1 - (a + b) * x / (a + 1)), h = d;
	double delta = 0;

	for (int m = 1; m <= 20 * STEPS && !(fabs(delta - 1) < 1e-14); m++) {
		const double num[] = {
		    m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
		    -(a + m) * (a + b + m) * x /
		    ((a + 2 * m) * (a + 2 * m + 1)) };

		for (int i = 0; i < 2; i++) {
			d = 1 / off_zero(1 + num[i] * d);
			c = off_zero(1 + num[i] / c);
			delta = d * c;
			h *= delta;
		}
	}
	return h;
}

/*
 * I_x(a, b) for 0 < x < 1, or 1 less I_x(a, b): the smaller is computed without
 * a difference, so that tiny tails keep their digits.
 */
static double
beta_part(double a, double b, double x, bool rest)
{
	double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) +
	    a * log(x) + b * log1p(-x));
	bool low = x < (a + 1) / (a + b + 2);
	double part;

	if (low)
		part = front * fraction(a, b, x) / a;
	else
		part = front * fraction(b, a, 1 - x) / b;
	return low == rest ? 1 - part : part;
}

/*
 * The x where I_x(a, b), or 1 less I_x(a, b), is alpha: the near end of the
 * last bracket, for wider bounds.
 */
static double
bounds_solve(double a, double b, double alpha, bool rest)
{
	double lo = 0, hi = 1, mid;

	for (int i = 0; i < 100 && hi - lo > 1e-13 * hi; i++) {
		mid = lo + (hi - lo) / 2;
		if ((beta_part(a, b, mid, rest) < alpha) == rest)
			hi = mid;
		else
			lo = mid;
	}
	return rest ? hi : lo;
}

double
audit_lower(uint64_t k, uint64_t n, double alpha)
{
	if (k == 0)
		return 0;
	return bounds_solve((double)k, (double)(n - k + 1), alpha, false);
}

/* P[X <= k] = 1 - I_p(k + 1, n - k) */
double
audit_upper(uint64_t k, uint64_t n, double alpha)
{
	if (k == n)
		return 1;
	return bounds_solve((double)k + 1, (double)(n - k), alpha, true);
}
