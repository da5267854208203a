/*
 * evidence: how far noisy counts are to be believed.
 *
 * Drawing: if records fall into cells by chance, a count differs from what is
 * expected by the root of it, even where the expected is right.  So there is
 * something to be learnt where a count's noise is not much larger than that: of
 * a distance, expected / (expected + variance of the noise) is kept at least.
 *
 * The distances from what is expected, squared in units of noise and drawing,
 * add up to a sum with the mean d, the degrees of freedom, and a variance that
 * follows from the law of the noise: (2 + k) d at most, where k is the excess
 * of kurtosis, 3 for Laplace's noise and less for sums.  A sum in the range
 * that chance has says nothing.  Otherwise 1 - (d - 2) / S of every distance is
 * kept, with S the sum in units of the noise [James, Stein 1961]: for normal
 * noise that errs less than the counts themselves whatever the truth, and loses
 * as much as 2 / d of what could be gained by knowing the best factor.
 */
#include "evidence.h"

#include <math.h>

void
evidence_add(struct evidence *e, double off, double mean, double variance)
{
	e->noise += off * off / variance;
	e->drawn += off * off / (variance + mean);
}

double
evidence_part(const struct evidence *e, double excess, double chance)
{
	/* a gamma law of this mean and variance [Wilson, Hilferty 1931] */
	double nu = 2 * e->degrees / (2 + excess), root = 2 / (9 * nu);
	double most = 1 - root + chance * sqrt(root);

	if (!(e->degrees > 0) || e->drawn <= e->degrees * pow(most, 3))
		return 0;
	return 1 - fmax(0, e->degrees - 2) / e->noise;
}

double
evidence_count(double part, double count, double mean, double variance)
{
	return mean + fmax(part, mean / (mean + variance)) * (count - mean);
}
