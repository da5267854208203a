/*
 * ordered: sensitivity preprocessing of database-ordered functions under one
 * sensitivity S and add-remove neighbours, exactly, on the grid.
 *
 * [CD20 Definition 3.1] g(empty) = center, g(D) = f(D) clamped to [max_j g(D -
 * x_j) - S, min_j g(D - x_j) + S].  The result is floor(g + 1/2) in grid steps,
 * and moves by at most S when a record comes or goes.
 */
#pragma once

#include "values.h"

enum ordered_kind {
	ORDERED_MEAN,		/* drops floor(alpha k) values at each end */
	ORDERED_MEDIAN,		/* for even k the mean of the middle two */
	ORDERED_QUANTILE	/* ceil(alpha k)-th of k, at least the first */
};

/* alpha in [0, 1/2) for the mean (0: plain), [0, 1] for the quantile. */
struct ordered {
	enum ordered_kind kind;
	struct rational alpha;
	int64_t center;		/* grid steps, |center| <= FIXED_MAX */
	int64_t sens;		/* S in grid steps, 1 <= S <= FIXED_MAX */
};

/*
 * x[0..m-1] ascending, |x[i]| <= FIXED_MAX; strictly, where x[i] stands for
 * w[i] >= 1 equal records, for one record with w NULL; fewer than 2^41 records.
 * At most 89 walks and mostly 2 or 3, whose time grows with the m values, not
 * with the count.
 */
int64_t ordered_value(const struct ordered *f, const int64_t *x,
    const uint64_t *w, size_t m);

/*
 * ordered_value for the plain mean of values in any order, where count, sum and
 * extremes decide.  False where only the sorted data do.
 */
bool ordered_whole(const struct ordered *f, const struct totals *all,
    int64_t *value);
