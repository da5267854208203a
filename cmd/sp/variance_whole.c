/*
 * variance_whole: the preprocessed variance where the data are narrow.
 *
 * Where the n records span a range of length L with L^2 <= n S, g is the
 * variance itself: no window's payoff is below the whole data's.  A value more,
 * at distance d from the mean of j values, adds j d^2 / (j + 1) to the sum of
 * squared deviations, at most L^2; so for a window of k records
 *	n Var(D) <= k Var(window) + (n - k) L^2,
 *	Var(D) <= Var(window) + (n - k) S,
 * and n S + Var(window) - k S >= Var(D).
 *
 * Sums of y = x - lo and of y^2 follow from the sums of x and x^2, mod 2^128,
 * which hold n sum y^2 and (sum y)^2, as n L is below 2^64.
 */
#include "variance.h"

bool
variance_whole(const struct variance *f, const struct totals *all,
    int64_t *value)
{
	u128 n = all->records, lo = (u128)all->lo, sum = all->sum;
	u128 range = (u128)((i128)all->hi - all->lo), squares, twice;
	u128 sens = (u128)f->sens;

	if (n >> 41 != 0 || n * range > UINT64_MAX ||
	    wide_cmp(wide_mul(range, range), wide_mul(n * sens, f->unit)) > 0)
		return false;
	squares = all->squares - lo * (2 * sum - n * lo);
	sum -= n * lo;
	twice = 2 * (n * squares - sum * sum) / (n * n);
	*value = fixed_clamp_wide((i128)((twice / f->unit + 1) / 2), 0,
	    FIXED_MAX);
	return true;
}
