/*
 * values: what records in any order tell of their preprocessed functions.
 *
 * 128 bits hold any sum of 2^41 records; sums of more are not looked at.
 */
#include "values.h"

static inline void
totals_one(struct totals *t, int64_t x, uint64_t records)
{
	t->lo = FIXED_LEAST(x, t->lo);
	t->hi = FIXED_MOST(x, t->hi);
	t->sum += (u128)records * (u128)x;
	t->squares += (u128)((i128)x * x) * records;
	t->records += records;
}

void
totals_add(struct totals *t, const int64_t *x, const uint64_t *w, size_t n)
{
	struct totals all = *t;

	if (all.records == 0 && n > 0)
		all.lo = all.hi = x[0];
	for (size_t i = 0; w != NULL && i < n; i++)
		totals_one(&all, x[i], w[i]);
	for (size_t i = 0; w == NULL && i < n; i++)
		totals_one(&all, x[i], 1);
	*t = all;
}

/*
 * Any number of records.  A preprocessed function g is center without data and
 * moves by at most S when a record comes or goes.  Let N be a public number,
 * and n the records of D.  The released function is instead
 *	h(D) = g(D) clamped to center - m S .. center + m S, m = max(N - n, 0).
 * m moves by at most 1 with a record, so each end and g move by at most S, and
 * the minimum and the maximum of functions that move by at most S do so as
 * well: h has the sensitivity of g.  From n = N on h is center whatever the
 * records are, so that no record is looked at, no sum has to fit anywhere, and
 * the surplus need not be told.  g lies in center +- n S, so up to n = N/2
 * nothing changes, and beyond as long as g is nearer to center than (N - n) S.
 * For two numbers released together u and v are functions like g.
 */
int64_t
values_bounded(int64_t value, int64_t center, int64_t sens, uint64_t room)
{
	i128 reach = (i128)room * sens;

	return (int64_t)values_clamp(value, center - reach, center + reach);
}
