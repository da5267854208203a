/*
 * hist_fit: a table from noisy counts of every cell.  Post-processing.
 *
 * Where n is hidden, the sum of the counts is another look at n, so
 * the total is the precision-weighted mean of the two.  Distances from equal
 * counts are kept as far as they say more than chance (evidence.c).  The table
 * is the nearest to the kept counts, in squares, among nonnegative tables that
 * add up: no farther from the truth than the kept counts, whatever the data, as
 * such tables are a convex set.
 */
#include <math.h>

#include "dx/synth/counts.h"
#include "dx/synth/synth_way.h"
#include "evidence.h"

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
