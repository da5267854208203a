/* universe_read: the records of a universe, and the counts beside them. */
#include <stdlib.h>
#include <string.h>

#include "input/intake.h"
#include "tool/err.h"
#include "universe_build.h"

#define SHOWN 20	/* problems that --check describes one by one */

const char *
universe_source(const struct universe *u)
{
	return u->domain != NULL ? u->domain : opts_input(u->o);
}

uint64_t
universe_weight(struct universe *u, const struct cell *cell,
    uint64_t missing)
{
	uint64_t w;

	if (intake_weight(u->o, cell, &w)) {
		u->total += w;
		return w;
	}
	u->total += missing;
	if (u->o->check && ++u->problems <= SHOWN)
		warn("record %llu: the count is not a whole number from 0 up",
		    (unsigned long long)u->records);
	else if (u->o->on_bad == ON_BAD_FAIL)
		intake_fail(u->records);
	return missing;
}

static void
element(void *arg, const struct cell *cells, size_t fields)
{
	struct universe *u = arg;
	size_t publics = u->all - u->counted;

	u->records++;
	if (u->n == WORKLOAD_ELEMENTS)
		die(STATUS_INPUT, "%s: more than 2^24 elements",
		    universe_source(u));
	for (size_t c = 0; c < publics; c++) {
		if (cells[c].missing)
			die(STATUS_INPUT, "%s: record %zu has %zu fields, or "
			    "one that is too long", universe_source(u),
			    u->n + 1, fields);
		cells_add(&u->cell[c], cells[c].text, cells[c].len);
	}
	if (u->counted) {
		if ((u->n & (u->n + 1)) == 0)
			u->count = err_alloc(u->count, 2 * (u->n + 1),
			    sizeof(*u->count));
		u->count[u->n] = universe_weight(u, &cells[publics],
		    (uint64_t)u->count_bad);
	}
	u->n++;
}

/*
 * The distance of the absent element: R in metric units, which have room for
 * the decimals, or the next below; a squared measure is a square.
 */
static void
set_away(struct universe *u)
{
	struct rational r = u->presence.num > 0 ? u->presence :
	    (struct rational){ 1, 1 };
	i128 steps;

	if (!rational_div(&r, r, u->m.unit) || r.num / r.den > METRIC_MOST)
		die(STATUS_USAGE, "--presence is too large for the metric");
	steps = r.num / r.den;
	if (steps == 0)
		die(STATUS_USAGE, "--presence is too small for the metric");
	u->m.away = (u128)(metric_squared(&u->m) ? steps * steps : steps);
}

static void
build_metric(struct universe *u)
{
	u->m = (struct metric){ .kind = u->spec.kind, .bend = u->spec.bend,
	    .n = u->n, .dims = u->of_metric, .unit = { 1, 1 } };
	if (u->metric == NULL)
		return;
	if (u->hidden && strcmp(u->metric, "discrete") == 0)
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
		if (u->file != NULL)
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

void
universe_read(struct universe *u)
{
	size_t listed;

	u->cell = err_alloc(NULL, u->all + 1, sizeof(*u->cell));
	for (size_t c = 0; c < u->all; c++)
		u->cell[c] = (struct cells)CELLS_INIT;
	table_read(u->table, u->cols, u->all, element, u);
	listed = u->listed = u->n;
	if (listed == 0)
		die(STATUS_INPUT, "%s: the universe has no elements",
		    universe_source(u));
	for (size_t c = 0; c < u->extras; c++)
		if (u->extra[c].n != listed)
			die(STATUS_INPUT, "-Q %s: %zu records for a universe "
			    "of %zu", u->queries, u->extra[c].n, listed);
	universe_outside(u);
	build_metric(u);
	if (u->raw != NULL)
		universe_index(u);
}
