/*
 * values: records in any order, read in parts at once.
 *
 * Integer extremes and sums do not depend on an order, and 128 bits hold any
 * sum of 2^41 records (and of 2^64 without weights).
 */
#include "values.h"

#include "tool/parts.h"

size_t
values_from(const struct values *v, unsigned part)
{
	return (size_t)((u128)v->n * part / v->parts);
}

struct adding {
	const struct values *v;
	struct totals part[VALUES_PARTS];
};

static void
values_add(void *arg, unsigned part)
{
	struct adding *a = arg;
	size_t from = values_from(a->v, part), to = values_from(a->v, part + 1);
	const int64_t *x = a->v->x;
	const uint64_t *w = a->v->w;
	struct totals t = { x[0], x[0], 0, 0, w == NULL ? to - from : 0 };

	for (size_t i = from; i < to; i++) {
		t.lo = FIXED_LEAST(x[i], t.lo);
		t.hi = FIXED_MOST(x[i], t.hi);
		t.sum += w == NULL ? x[i] : (i128)w[i] * x[i];
		t.squares += (u128)((i128)x[i] * x[i]) * (w == NULL ? 1 : w[i]);
	}
	for (size_t i = from; w != NULL && i < to; i++)
		t.records += w[i];
	a->part[part] = t;
}

struct totals
values_totals(const struct values *v)
{
	struct adding a = { .v = v };
	struct totals t;

	parts_run(v->parts, values_add, &a);
	t = a.part[0];
	for (unsigned p = 1; p < v->parts; p++) {
		const struct totals *o = &a.part[p];

		t.lo = FIXED_LEAST(o->lo, t.lo);
		t.hi = FIXED_MOST(o->hi, t.hi);
		t.sum += o->sum;
		t.squares += o->squares;
		t.records += o->records;
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

bool
totals_narrow(const struct totals *all)
{
	u128 range = (u128)((i128)all->hi - all->lo);

	return all->records >> 41 == 0 && all->records * range <= UINT64_MAX;
}
