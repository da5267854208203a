/*
 * values: what records in any order tell of their preprocessed functions.
 *
 * 128 bits hold any sum of 2^41 records (and of 2^64 without weights).
 */
#include "values.h"

struct totals
totals_of(const int64_t *x, const uint64_t *w, size_t n)
{
	struct totals t = { .lo = x[0], .hi = x[0] };

	for (size_t i = 0; i < n; i++) {
		uint64_t records = w == NULL ? 1 : w[i];

		t.lo = FIXED_LEAST(x[i], t.lo);
		t.hi = FIXED_MOST(x[i], t.hi);
		t.sum += (i128)records * x[i];
		t.squares += (u128)((i128)x[i] * x[i]) * records;
		t.records += records;
	}
	return t;
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
