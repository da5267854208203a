/*
 * inverse: the selections over inverse sensitivities, exactly.
 *
 * len(t) changes by at most one between neighbours [D24 Lemma A.6], so two
 * mechanisms with scores -len(t) and the factor 1/2 are eps-differentially
 * private when the laws are exact.  So is len(t) cut to the room left for
 * records (asym.c).  Points with one len are one run in select_runs, with the
 * gap len - least len and the scale 2 / eps.
 */
#include "inverse.h"

#include <math.h>
#include <stdlib.h>

#include "number/memory.h"
#include "number/taint.h"
#include "random/meter.h"
#include "random/select_runs.h"

/* The points from..to with this len, as far as they are on the grid. */
static void
inverse_add(struct inverse *v, int64_t from, int64_t to, uint64_t len)
{
	from = FIXED_MOST(from, v->lo);
	to = FIXED_LEAST(to, v->hi);
	if (from <= to)
		v->run[v->n++] = (struct inverse_run){ from,
		    (uint64_t)to - (uint64_t)from + 1, len };
}

void
inverse_init(struct inverse *v, const struct output_bounds *b, int64_t lo,
    int64_t hi)
{
	/* the ends of the list so far */
	int64_t left = b->lo[0], right = b->hi[0], from, to;

	*v = (struct inverse){ .lo = lo, .hi = hi,
	    .run = err_alloc(NULL, 2 * b->c + 5, sizeof(*v->run)) };
	inverse_add(v, left, right, 0);
	for (size_t l = 1; l <= b->c + 1; l++) {
		from = lo;
		to = hi;
		if (l <= b->c) {
			from = b->lo[l];
			to = b->hi[l];
		}
		inverse_add(v, from, left - 1, l);
		inverse_add(v, right + 1, to, l);
		left = FIXED_LEAST(from, left);
		right = FIXED_MOST(to, right);
	}
	for (size_t l = 0; l < v->n; l++)
		if (v->run[l].len > b->room)
			v->run[l].len = b->room;
}

void
inverse_free(struct inverse *v)
{
	free(v->run);
}

/* [D24 (M.1), Proposition 2.7, Corollary 2.9] */
int64_t
inverse_draw(const struct inverse *v, struct rational eps,
    enum select_kind kind, struct rng *r)
{
	struct select_run *run = err_alloc(NULL, v->n, sizeof(*run));
	struct select_runs s = { .run = run, .n = v->n,
	    .t = { 2 * (uint64_t)eps.den, (uint64_t)eps.num } };
	struct select_place at;
	uint64_t least = UINT64_MAX;
	int64_t drawn;

	for (size_t i = 0; i < v->n; i++)
		least = FIXED_LEAST(v->run[i].len, least);
	for (size_t i = 0; i < v->n; i++)
		run[i] = (struct select_run){ METER_NAME(v->run[i].lo)
		    .gap = v->run[i].len - least, .count = v->run[i].count };
	select_runs_init(&s);
	if (kind == SELECT_FLIP)
		at = select_runs_flip(&s, r);
	else
		at = select_runs_draw(&s, r);
	select_runs_free(&s);
	free(run);
	drawn = (int64_t)((uint64_t)v->run[at.run].lo + at.place);
	taint_noisy(&drawn, sizeof(drawn));
	return drawn;
}

/* [D24 Definition C.1] */
double
inverse_asymmetry(const struct inverse *v, const struct output_bounds *b,
    double eps)
{
	double all = 0, above = 0, mass;

	for (size_t i = 0; i < v->n; i++) {
		mass = (double)v->run[i].count *
		    exp(-eps * (double)v->run[i].len / 2);
		all += mass;
		if (v->run[i].lo > b->hi[0])
			above += mass;
	}
	return fabs(above / all - 0.5);
}
