/* counts: counts with noise, and the table that they make. */
#include "counts.h"

#include <math.h>

#include "number/fixed.h"
#include "random/meter.h"

#define MOST ((int64_t)1 << 50)	/* a count, cut */

double
counts_noisy(int64_t x, const struct scale *t, unsigned shift, struct rng *r)
{
	i128 m = x;

	if (r != NULL && t->s > 0)
		m = METER_NOISY(m + noise_laplace(r, t), m, t);
	return ldexp((double)fixed_clamp_wide(m, -MOST, MOST), -(int)shift);
}

double
counts_variance(const struct scale *t, unsigned shift)
{
	return 2 * pow(ldexp((double)t->s / (double)t->r, -(int)shift), 2);
}

double
counts_look(const double *h, size_t n, double all, double *total,
    double *variance)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += h[i];
	if (*variance > 0) {
		*total += (sum - *total) * *variance / (*variance + all);
		*variance *= all / (*variance + all);
	}
	return sum;
}

/* max(0, h - t) with the t that makes the sum equal the total. */
void
counts_project(double *h, size_t n, double total)
{
	double lo = 0, hi = 0, t, sum;

	for (size_t i = 0; i < n; i++) {
		lo = fmin(lo, h[i] - total);
		hi = fmax(hi, h[i]);
	}
	for (int step = 0; step < 100; step++) {
		t = lo + (hi - lo) / 2;
		sum = 0;
		for (size_t i = 0; i < n; i++)
			sum += fmax(0, h[i] - t);
		if (sum > total)
			lo = t;
		else
			hi = t;
	}
	for (size_t i = 0; i < n; i++)
		h[i] = fmax(0, h[i] - hi);
}
