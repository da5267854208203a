/* counts_fit: the table that noisy counts make.  Post-processing. */
#include <math.h>

#include "dx/synth/counts.h"
#include "dx/synth/synth_way.h"
#include "evidence.h"

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

/* --- a table from noisy counts of every cell ----------------------------- */

/*
 * Where n is hidden, the sum of the counts is another look at n, so
 * the total is the precision-weighted mean of the two.  Distances from equal
 * counts are kept as far as they say more than chance (evidence.c).  The table
 * is the nearest to the kept counts, in squares, among nonnegative tables that
 * add up: no farther from the truth than the kept counts, whatever the data, as
 * such tables are a convex set.
 */

void
hist_fit(double *h, size_t n, double v, double total, double variance)
{
	struct evidence of = { .degrees = (double)n - 1 };
	double mean, part, sum;

	sum = counts_look(h, n, (double)n * v, &total, &variance);
	total = fmax(0, total);
	mean = total / (double)n;
	for (size_t i = 0; i < n; i++) {
		h[i] += (total - sum) / (double)n;
		evidence_add(&of, h[i] - mean, mean, v);
	}
	part = evidence_part(&of, EVIDENCE_CHANCE);
	for (size_t i = 0; i < n; i++)
		h[i] = evidence_count(part, h[i], mean, v);
	counts_project(h, n, total);
}
