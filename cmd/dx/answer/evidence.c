/*
 * evidence: how far to believe noisy counts.
 *
 * Drawing: if records fall into cells by chance, a count differs from the
 * expected count by the root of this, even where the expectation is right.  So
 * a count whose noise is not much larger than the root teaches something: at
 * least the part expected / (expected + variance of the noise) of a distance is
 * kept.
 *
 * The distances from the expected counts, squared in units of noise and
 * drawing, add up to a sum with the mean d, the degrees of freedom, and a
 * variance from the noise law: (2 + k) d at most, where k is the excess
 * kurtosis, 3 for Laplace noise and less for sums, which are taken for it.  A
 * sum in the range of chance says nothing.  For a larger sum the part
 * 1 - (d - 2) / S of every distance is kept, with S the sum in noise units
 * [James, Stein 1961]: for normal noise this estimate errs less than the counts
 * themselves whatever the truth, and loses as much as 2 / d of the gain from
 * knowing the best factor.
 *
 * Deviations.  A normal law is beyond 3 deviations with a chance of exp(-9/2)
 * at most, so noise is believed once in a hundred times; no threshold is higher
 * than needed, as distances below are lost.
 */
#include "evidence.h"

#include <math.h>

#define EXCESS 3.0

void
evidence_add(struct evidence *e, double off, double mean, double variance)
{
	e->noise += off * off / variance;
	e->drawn += off * off / (variance + mean);
}

double
evidence_part(const struct evidence *e, double chance)
{
	/* a gamma law with this mean and variance [Wilson, Hilferty 1931] */
	double nu = 2 * e->degrees / (2 + EXCESS), root = 2 / (9 * nu);
	double most = 1 - root + chance * sqrt(root);

	if (!(e->degrees > 0) || !(e->noise > 0) ||
	    e->drawn <= e->degrees * pow(most, 3))
		return 0;
	return fmax(0, 1 - fmax(0, e->degrees - 2) / e->noise);
}

double
evidence_count(double part, double count, double mean, double variance)
{
	part = fmax(part, mean / (mean + variance));
	return mean + part * (count - mean);
}
