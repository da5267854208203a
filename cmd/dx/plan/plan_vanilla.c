/*
 * plan_vanilla: the scale of the plain Laplace mechanism, to compare with.
 *
 * [KPAK20 Definition 3] max_ij sum_k |q_ki - q_kj| over the least distance: the
 * numerator is the scale of strategy 2 where all elements are 1 apart.
 */
#include "plan.h"

#include <stdlib.h>

#include "number/memory.h"

/*
 * Prefixes alone, or ranges alone: s prefixes tell elements s apart from each
 * other, and s (n + 1 - s) ranges do.  Every prefix has the first element, and
 * s (n + 1 - s) ranges have number s; the absent element is in none.
 */
static bool
generated(const struct metric *m, const struct workload *w,
    struct rational *sum)
{
	i128 line = (i128)workload_line(w), s = line - (m->away == 0);

	if (!workload_is_runs(w) || w->blocks != 1 || w->n < 2)
		return false;
	if (workload_has(w, WORKLOAD_RANGE)) {
		s = (line + 1) / 2;
		s *= line + 1 - s;
	}
	return rational_make(sum, s, 1);
}

/* The metric of the plain mechanism: discrete. */
static struct metric
alike(const struct metric *m)
{
	struct metric to = { .kind = METRIC_SUM, .bend = METRIC_SMOOTH,
	    .n = m->n, .bound = 1, .away = m->away > 0, .unit = { 1, 1 } };

	/* without any distance records come and go, and do not move */
	if (m->away > 0 && m->kind == METRIC_EDGES && m->edges == 0) {
		to.kind = METRIC_EDGES;
		to.bend = METRIC_PLAIN;
	}
	return to;
}

static bool
widest(const struct metric *m, const struct workload *w, struct rational *c)
{
	struct rational *all = err_alloc(NULL, w->k, sizeof(*all));
	const struct metric plain = alike(m);
	struct plan p;
	bool ok = plan_open(&p, &plain, w) == PLAN_OK && p.k > 0 &&
	    plan_equal(&p, all) == PLAN_OK;

	if (ok)
		*c = all[p.query->number];
	plan_close(&p);
	free(all);
	return ok;
}

bool
plan_vanilla(const struct metric *m, const struct workload *w,
    struct rational *c)
{
	struct rational d;

	return metric_nearest(m, 1, &d) && (generated(m, w, c) ||
	    widest(m, w, c)) && upward_div(c, *c, d);
}
