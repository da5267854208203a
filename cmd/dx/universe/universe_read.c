/* universe_read: the records of a universe, and the counts beside them. */
#include "input/table.h"
#include "number/neighbors.h"
#include "number/taint.h"
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
