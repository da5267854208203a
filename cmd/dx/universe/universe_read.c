/*
 * universe_read: the records of a universe, the counts beside them, and the
 * metrics that columns make.
 */
#include "input/table.h"
#include "number/neighbors.h"
#include "tool/err.h"
#include "universe_build.h"

#define SHOWN 20	/* problems that --check describes one by one */

/* The count of the element read last, by the policy for bad cells. */
static uint64_t
element_count(struct universe *u, const struct cell *cell)
{
	uint64_t w = (uint64_t)fixed_clamp(opts_bad(u->o, 0), 0, INTAKE_WEIGHT);

	if (intake_weight(u->o, cell, &w)) {
		taint_private(&w, sizeof(w));
		return w;
	}
	if (u->o->check && ++u->problems <= SHOWN)
		err_warn("record %zu: the count is not a whole number from 0 "
		    "up", u->base.rows);
	else if (u->o->on_bad == ON_BAD_FAIL)
		intake_fail(u->base.rows);
	return w;
}

/* Are counts read beside the elements? */
static bool
is_counted(const struct universe *u)
{
	return u->domain == NULL && u->o->weight != NULL && !u->public_only;
}

static void
element(void *arg, const struct cell *cells, size_t fields)
{
	struct universe *u = arg;
	size_t i = u->base.rows;

	if (i == WORKLOAD_ELEMENTS)
		err_die(STATUS_INPUT, "%s: more than 2^24 elements",
		    u->base.name);
	sheet_record(&u->base, cells, fields);
	if ((i & (i + 1)) == 0)
		u->count = err_alloc(u->count, 2 * (i + 1), sizeof(*u->count));
	u->count[i] = is_counted(u) ? element_count(u, &cells[u->base.n]) : 0;
}

/*
 * The distance of the absent element: R in metric units, which have room for
 * the decimals, or the next below; a squared measure is a square.
 */
static void
set_away(struct universe *u)
{
	struct rational r = { 1, 1 };
	i128 steps;

	if (u->presence.num > 0)
		r = u->presence;
	if (!rational_div(&r, r, u->m.unit) || r.num / r.den > METRIC_MOST)
		err_die(STATUS_USAGE, "--presence is too large for the metric");
	steps = r.num / r.den;
	if (steps == 0)
		err_die(STATUS_USAGE, "--presence is too small for the metric");
	u->m.away = (u128)steps;
	if (metric_squared(&u->m))
		u->m.away *= (u128)steps;
}

/* --- metrics of columns -------------------------------------------------- */

/*
 * Coordinates lie on one decimal grid.  Coordinates with too many digits for 62
 * bits are rounded to the finest grid with room, which moves a distance by at
 * most `dims` steps; the unit is then lowered so that the metric stays below
 * the requested metric.
 */

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

/*
 * The decimals that the threshold needs, and with room for them the presence,
 * which is multiplied with the threshold.
 */
static int
threshold_digits(const struct universe *u)
{
	int t = 0, away = 0;

	if (u->m.bend != METRIC_PLAIN)
		t = rational_digits(u->spec.t);
	if (t < 0)
		err_die(STATUS_USAGE, "--metric: T must be a decimal");
	if (u->presence.num > 0)
		away = rational_digits(u->presence);
	if (away < 0 || t + away > FIXED_DIGITS)
		return t;
	return t + away;
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
 * The unit for which no rounded distance exceeds the true distance: the part
 * 1 - dims / v of the unit, v the least distance in steps.  A distance rounded
 * to 0 never does: equal elements stay equal, and elements no longer told apart
 * have less budget than allowed.
 */
static bool
lower_unit(struct metric *m)
{
	struct rational part;
	u128 v;

	if (m->bend == METRIC_BLOWFISH || !metric_least(m, true, &v))
		return true;
	if (metric_squared(m))
		v = fixed_root(v);
	return v > m->dims && rational_make(&part, (i128)(((v - m->dims) <<
	    50) / v), (i128)1 << 50) && rational_mul(&m->unit, m->unit, part);
}

static void
universe_points(struct universe *u)
{
	struct metric *m = &u->m;
	int digits = threshold_digits(u);
	bool exact, ok;
	int64_t slack;

	m->x = universe_numbers(u, m->dims);
	exact = sheet_numbers(&u->base, u->of_metric.at, m->dims, widest(m),
	    &digits, m->x, "");
	slack = exact ? 0 : (int64_t)m->dims;
	ok = bend(u, digits, slack) &&
	    rational_make(&m->unit, 1, fixed_pow10(digits));
	if (ok && (u->spec.step || m->bend == METRIC_SMOOTH))
		ok = rational_div(&m->unit, m->unit, u->spec.t);
	if (ok && m->bend == METRIC_BLOWFISH)
		ok = rational_make(&m->unit, 1, 1);
	if (ok && !exact)
		ok = lower_unit(m);
	if (!ok)
		err_die(STATUS_INPUT, "--metric: the coordinates (or T) have "
		    "too many digits");
}

void
universe_codes(struct universe *u)
{
	u->m.x = universe_numbers(u, u->m.dims);
	for (size_t c = 0; c < u->m.dims; c++)
		for (size_t i = 0; i < u->base.rows; i++)
			u->m.x[i * u->m.dims + c] =
			    u->base.cell[u->of_metric.at[c]].code[i];
}

/* The part of the unit of which r is a multiple, too. */
static bool
divide_unit(struct metric *m, struct rational r)
{
	struct rational x;

	return rational_div(&x, r, m->unit) &&
	    rational_make(&x, x.den, 1) &&
	    rational_div(&m->unit, m->unit, x) && m->unit.den <= METRIC_MOST;
}

/* The weights of attr: multiples of one unit. */
static void
universe_attributes(struct universe *u)
{
	const struct rational *w = u->spec.weight;
	struct metric *m = &u->m;
	struct rational x;
	bool ok = u->presence.num == 0 || divide_unit(m, u->presence);

	universe_codes(u);
	m->w = err_alloc(NULL, m->dims, sizeof(*m->w));
	for (size_t c = 0; c < m->dims; c++)
		ok = ok && (w[c].den == 0 || divide_unit(m, w[c]));
	for (size_t c = 0; c < m->dims && ok; c++) {
		ok = w[c].den == 0 || (rational_div(&x, w[c], m->unit) &&
		    x.num <= METRIC_MOST);
		m->w[c] = w[c].den > 0 ? (int64_t)x.num : METRIC_INF;
	}
	if (!ok)
		err_die(STATUS_USAGE, "--metric attr: the weights have too "
		    "many digits together");
}

/* --- the universe -------------------------------------------------------- */

static void
build_metric(struct universe *u)
{
	u->m = (struct metric){ .kind = u->spec.kind, .bend = u->spec.bend,
	    .n = u->n, .dims = u->of_metric.n, .unit = { 1, 1 } };
	if (u->hidden && universe_discrete(u))
		u->m.kind = METRIC_EDGES;	/* and no edges exist */
	switch (u->m.kind) {
	case METRIC_ATTR:
		universe_attributes(u);
		break;
	case METRIC_VALUES:
	case METRIC_VALUES_MIN:
		universe_values(u);
		break;
	case METRIC_EDGES:
		if (u->spec.file != NULL)
			universe_graph(u);
		break;
	case METRIC_MATRIX:
		universe_matrix(u);
		break;
	default:
		universe_points(u);
	}
	if (u->hidden)
		set_away(u);
}

/* Makes room for the element outside the domain, if any. */
static void
add_outside(struct universe *u)
{
	u->n = u->base.rows;
	u->n += u->domain != NULL && universe_discrete(u) && (u->o->others ||
	    u->o->neighbors == NEIGHBORS_SWAP);
	u->count = err_alloc(u->count, u->n, sizeof(*u->count));
	if (u->n > u->base.rows)
		u->count[u->n - 1] = 0;
}

void
universe_read(struct universe *u)
{
	struct sheet *s = &u->base;

	s->column = err_alloc(s->column, s->n + 1, sizeof(*s->column));
	if (is_counted(u))
		s->column[s->n] = table_column(s->table, "--weight",
		    u->o->weight);
	table_read(s->table, s->column, s->n + is_counted(u), element, u);
	if (s->rows == 0)
		err_die(STATUS_INPUT, "%s: the universe has no elements",
		    s->name);
	if (u->queries != NULL && u->extra.rows != s->rows)
		err_die(STATUS_INPUT, "-Q %s: %zu records for a universe of "
		    "%zu", u->queries, u->extra.rows, s->rows);
	add_outside(u);
	build_metric(u);
}
