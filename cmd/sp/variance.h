/*
 * variance: sensitivity preprocessing for variance under add-remove neighbours.
 *
 * [CD20 Lemma 6.4] g(empty) = 0, g(D) = n S + min over windows of the sorted
 * data of (Var(window) - |window| S).  Units: values are integers in cell
 * steps; variances and S are in output steps, `unit' squared cell steps each.
 * The result is floor(g + 1/2) in output steps.
 */
#pragma once

#include "values.h"

struct variance {
	int64_t sens;		/* S in output steps, 1 <= S <= FIXED_MAX */
	u128 unit;		/* squared cell steps in an output step: a
				   power of ten, 1 .. 10^36 */
};

/*
 * x[0..m-1] ascending, |x[i]| <= FIXED_MAX; strictly, where x[i] stands for
 * w[i] >= 1 records, for one with w NULL; fewer than 2^41 records.  The result
 * saturates at FIXED_MAX.
 */
int64_t variance_sorted(const struct variance *f, const int64_t *x,
    const uint64_t *w, size_t m);

/*
 * The most that a replaced record moves the result, in output steps, for S of
 * at most FIXED_MAX steps: 5/3 S, rounded up.
 */
int64_t variance_swap(int64_t sens);

/*
 * variance_sorted for values in any order, where sums and extremes decide;
 * false where only the sorted data do.
 */
bool variance_whole(const struct variance *f, const struct totals *all,
    int64_t *value);
