/* counts: counts with noise. */
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
