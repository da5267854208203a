/*
 * universe_metric: metrics of columns.
 *
 * Coordinates lie on one decimal grid.  Coordinates with too many digits for 62
 * bits are rounded to the finest grid with room, which moves a distance by at
 * most `dims` steps; the unit is then lowered so that the metric stays below
 * the requested metric.
 */
#include <stdlib.h>

#include "tool/err.h"
#include "universe_build.h"

int64_t *
universe_numbers(const struct universe *u, size_t k)
{
	return err_alloc(NULL, u->n, k * sizeof(int64_t));
}

/* Coordinates at most this, so that sums of squares stay below 2^126. */
static int64_t
widest(const struct metric *m)
{
	int64_t most = METRIC_MOST;

	while (m->kind == METRIC_EUCLID && (u128)m->dims >
	    (((u128)1 << 126) - 1) / ((u128)most * (u128)most * 4))
		most /= 2;
	return most;
}

static const struct cells *
column(const struct universe *u, size_t c)
{
	return &u->base.cell[u->of_metric.at[c]];
}

/* The decimals that the coordinates and the threshold need. */
static int
wanted(struct universe *u)
{
	int digits = 0, t = 0;
	size_t bad;

	for (size_t c = 0; c < u->m.dims; c++)
		if (!cells_decimals(column(u, c), &digits, &bad))
			die(STATUS_INPUT, "%s: record %zu: column %s: not a "
			    "number", u->base.name, bad + 1,
			    sheet_name(&u->base, u->of_metric.at[c]));
	if (u->m.bend != METRIC_PLAIN) {
		t = rational_digits(u->spec.t);
		if (t < 0)
			die(STATUS_USAGE, "--metric: T must be a decimal");
	}
	digits = digits > t ? digits : t;
	t += u->presence.num > 0 ? rational_digits(u->presence) : 0;
	return digits > t || t > FIXED_DIGITS ? digits : t;
}

static bool
fill(struct universe *u, int digits)
{
	for (size_t c = 0; c < u->m.dims; c++)
		if (cells_numbers(column(u, c), digits, widest(&u->m),
		    u->m.x + c, u->m.dims) != CELLS_NONE)
			return false;
	return true;
}

/*
 * The threshold as a measure, in steps; slack: the part that rounding may
 * hide.
 */
static bool
bend(struct universe *u, int digits, int64_t slack)
{
	struct metric *m = &u->m;
	int64_t t;

	if (m->bend == METRIC_PLAIN)
		return true;
	if (rational_digits(u->spec.t) > digits ||
	    !rational_grid(u->spec.t, digits, FIXED_CEIL, &t) ||
	    t > METRIC_MOST)
		return false;
	if (m->bend == METRIC_BLOWFISH)
		t += slack;
	m->bound = (u128)t;
	if (m->kind == METRIC_EUCLID)
		m->bound = m->bound * (uint64_t)t;
	return true;
}

/*
 * The unit for which no rounded distance exceeds the true distance.  A distance
 * rounded to 0 never does: equal elements stay equal, and elements no longer
 * told apart have less budget than allowed.
 */
static bool
lower_unit(struct metric *m)
{
	struct rational below, part, slack;
	u128 v;

	if (m->bend == METRIC_BLOWFISH || !metric_least(m, true, &v))
		return true;
	/* 1 - dims / d, with d = below / unit in steps */
	return metric_below(m, v, &below) &&
	    rational_make(&slack, (i128)m->dims, 1) &&
	    rational_mul(&slack, slack, m->unit) &&
	    rational_div(&part, slack, below) &&
	    part.num < part.den &&
	    rational_make(&part, (i128)((rational_real(part) + 0x1p-54) *
	    0x1p50) + 1, (i128)1 << 50) &&
	    rational_sub(&part, (struct rational){ 1, 1 }, part) &&
	    part.num > 0 && rational_mul(&m->unit, m->unit, part);
}

void
universe_points(struct universe *u)
{
	struct metric *m = &u->m;
	int want = wanted(u), digits = want;
	bool ok;

	m->x = universe_numbers(u, m->dims);
	if (digits > FIXED_DIGITS)
		digits = FIXED_DIGITS;
	while (digits >= 0 && !fill(u, digits))
		digits--;
	ok = digits >= 0 && bend(u, digits, digits < want ?
	    (int64_t)m->dims : 0) &&
	    rational_make(&m->unit, 1, fixed_pow10(digits));
	if (ok && (u->spec.step || m->bend == METRIC_SMOOTH))
		ok = rational_div(&m->unit, m->unit, u->spec.t);
	if (ok && m->bend == METRIC_BLOWFISH)
		ok = rational_make(&m->unit, 1, 1);
	if (ok && digits < want)
		ok = lower_unit(m);
	if (!ok)
		die(STATUS_INPUT, "--metric: the coordinates (or T) have too "
		    "many digits");
}

void
universe_codes(struct universe *u)
{
	u->m.x = universe_numbers(u, u->m.dims);
	for (size_t c = 0; c < u->m.dims; c++)
		for (size_t i = 0; i < u->base.rows; i++)
			u->m.x[i * u->m.dims + c] = column(u, c)->code[i];
}

/* The weights of attr: over their common denominator. */
void
universe_attributes(struct universe *u)
{
	struct rational common = { 1, 1 }, x;
	struct metric *m = &u->m;
	bool ok = true;

	universe_codes(u);
	m->w = err_alloc(NULL, m->dims, sizeof(*m->w));
	if (u->presence.num > 0)
		ok = rational_make(&common, u->presence.den, 1);
	for (size_t c = 0; c < m->dims; c++)
		if (u->spec.weight[c].den != 0) {
			/*
			 * lcm(a, b) = a (b / gcd): the part of b missing in a
			 * is the denominator of a/b
			 */
			ok = ok && rational_make(&x, common.num,
			    u->spec.weight[c].den) &&
			    rational_make(&common, common.num * x.den, 1) &&
			    common.num <= METRIC_MOST;
		}
	for (size_t c = 0; ok && c < m->dims; c++) {
		if (u->spec.weight[c].den == 0) {
			m->w[c] = METRIC_INF;
			continue;
		}
		ok = rational_mul(&x, u->spec.weight[c], common) &&
		    x.num <= METRIC_MOST;
		m->w[c] = (int64_t)x.num;
	}
	if (!ok || !rational_make(&m->unit, 1, common.num))
		die(STATUS_USAGE, "--metric attr: the weights have too many "
		    "digits together");
}
