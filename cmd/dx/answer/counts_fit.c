/* counts_fit: the table that noisy counts make.  Post-processing. */
#include <math.h>

#include "dx/synth/counts.h"

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
