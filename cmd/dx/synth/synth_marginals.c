/*
 * synth_marginals: marginals that are counted whole, where every query is a
 * marginal.
 *
 * The levels are marginals of one attribute, of two, and so on up to the
 * queries' marginals, as far as room allows, and the cells, if countable; so
 * the way of every cell is not compared with marginals.
 */
#include <math.h>
#include <stdlib.h>

#include "marginals.h"
#include "synth.h"
#include "tool/err.h"

#define LEVEL 4194304.0	/* elements times marginals that are always afforded */

struct own {
	struct marginals m;
	const struct workload *asked;
	struct workload *w;	/* of each level but the queries' level */
	struct normal *q;
	size_t levels;
};

/* How many marginals with this many attributes exist, at most. */
static double
marginals_of(double attributes, double order)
{
	double all = 1;

	for (size_t i = 0; (double)i < order; i++)
		all *= (attributes - (double)i) / ((double)i + 1);
	return all;
}

/* Adds the marginals with this many attributes as a level. */
static void
add_level(struct synth *s, struct own *o, size_t order)
{
	struct workload *w = &o->w[o->levels];

	if (order == s->u.order) {
		o->q[o->levels++] = s->q;
		return;
	}
	*w = (struct workload)WORKLOAD_INIT;
	universe_marginals(&s->u, order, w);
	synth_entries(s, w, &o->q[o->levels++]);
}

static void
marginals_way_shut(void *own)
{
	struct own *o = own;

	marginals_close(&o->m);
	for (size_t l = 0; l < o->levels; l++) {
		if (o->q[l].w == o->asked)
			continue;
		normal_close(&o->q[l]);
		workload_free(&o->w[l]);
	}
	free(o->q);
	free(o->w);
	free(o);
}

static bool
only_marginals(const struct synth *s)
{
	return s->u.order > 0 && s->u.order <= s->u.of_key.n &&
	    !workload_has(&s->u.w, WORKLOAD_DENSE);
}

static void *
marginals_way_prepare(struct synth *s, double *error)
{
	double d = (double)s->u.of_key.n, n = (double)s->u.n, room;
	size_t order = s->u.order;
	struct scale t;
	struct own *o;

	if (!only_marginals(s))
		return NULL;
	o = err_alloc(NULL, 1, sizeof(*o));
	*o = (struct own){ .asked = &s->u.w, .m.p = { .total =
	    (double)s->total, .variance = s->variance,
	    .shift = s->shift } };
	o->w = err_alloc(NULL, order + 1, sizeof(*o->w));
	o->q = err_alloc(NULL, order + 1, sizeof(*o->q));
	room = fmax(LEVEL, n * marginals_of(d, (double)order));
	for (size_t l = 1; l <= order; l++)
		if (l == 1 || n * marginals_of(d, (double)l) <= room)
			add_level(s, o, l);
	o->m.order = o->levels;
	if (order < s->u.of_key.n && synth_cell_scale(s, s->shift, &t))
		add_level(s, o, s->u.of_key.n);
	marginals_open(&o->m, o->q, o->levels);
	for (size_t l = 0; l < o->levels; l++)
		if (!synth_fits(&o->q[l], 2 * (i128)PARTS_WHOLE <<
		    s->shift)) {
			marginals_way_shut(o);
			return NULL;
		}
	*error = o->m.expected;
	return o;
}

static void
marginals_way_describe(struct synth *s, const void *own)
{
	const struct own *o = own;
	const struct marginals *m = &o->m;
	const char *of = "single attributes";

	if (m->chosen > m->order)
		of = "all cells";
	else if (m->chosen == m->order)
		of = "the marginals asked for";
	else if (m->chosen > 1)
		of = "marginals of fewer attributes";
	report_note(&s->report, "parts", "all of E for %s", of);
	for (size_t l = 0; l < o->levels; l++)
		s->memory += 4 * (double)s->u.n * (double)o->q[l].w->blocks;
}

static void
marginals_way_release(struct synth *s, void *own, const int64_t *x, double *y)
{
	marginals_release(&((struct own *)own)->m, x, synth_noise(s), y);
}

const struct way way_marginals = { "marginals", "counts of marginals",
	"exact discrete Laplace noise of scale 2c over its part of the budget "
	"on every cell of a marginal; the table is fitted to these",
	"the queries are not all marginals (--workload marginal:K)",
	marginals_way_prepare, marginals_way_describe, marginals_way_release,
	marginals_way_shut, WAY_HIST };
