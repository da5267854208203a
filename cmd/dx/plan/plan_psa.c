/* plan_psa: strategy 3, the parameter selection algorithm of KPAK20. */
#include "plan.h"

#include <math.h>
#include <stdlib.h>

#include "number/memory.h"
#include "plan_rates.h"

#define GONE 1e-9	/* part of the first rate below which a query rests */

/* A round's state in [KPAK20 Algorithm 3]. */
struct psa {
	struct plan *p;
	double *rate;		/* R */
	double *dir;		/* 1/c' for queries still taking part */
	double *unit;
	double *gain;		/* T */
	bool *done;
};

/*
 * Step 1: 1/c'_k, each query's possible rate alone.  Known in the first round;
 * a kept pair without budget ends a query without a search.
 */
static bool
alone(struct psa *a, bool first)
{
	struct ray ray = { .base = a->rate, .dir = a->unit };
	struct plan *p = a->p;
	bool any = false;
	struct pair at;

	for (size_t k = 0; k < p->k; k++) {
		a->dir[k] = 0;
		if (a->done[k])
			continue;
		ray.need = k;
		a->unit[k] = 1;
		if (first)
			a->dir[k] = p->most[k];
		else if (rates_kept(p, &ray, &at) <= GONE * p->most[k])
			a->dir[k] = 0;
		else
			a->dir[k] = rates_step(p, &ray, &at);
		a->unit[k] = 0;
		if (a->dir[k] <= GONE * p->most[k]) {
			a->done[k] = true;
			a->dir[k] = 0;
		}
		any = any || !a->done[k];
	}
	return any;
}

/*
 * Steps 2 and 3: 1/c_k = (1/c'_k) t, with t the largest step along dir allowed
 * by the pairs on which query k differs.  The first binding pair settles every
 * query that differs on the pair.
 */
static bool
together(struct psa *a)
{
	struct plan *p = a->p;
	struct ray ray = { a->rate, a->dir, SLOPE_NONE };
	struct pair at = { 0, 0 };
	double t, d;

	t = rates_step(p, &ray, &at);
	if (!slope_row(&p->s, at, p->row, &d))
		return false;
	for (size_t k = 0; k < p->k; k++)
		a->gain[k] = a->done[k] ? 0 : p->row[k] > 0 ?
		    a->dir[k] * t : -1;
	for (size_t k = 0; k < p->k; k++) {
		if (a->gain[k] >= 0)
			continue;
		ray.need = k;
		a->gain[k] = a->dir[k] * rates_step(p, &ray, &at);
	}
	return true;
}

static bool
rounds(struct psa *a)
{
	/* each round exhausts a pair, and so ends a query */
	for (size_t round = 0; round < a->p->k + 2 && alone(a, round == 0);
	    round++) {
		if (!together(a))
			return false;
		for (size_t k = 0; k < a->p->k; k++)
			a->rate[k] += a->gain[k];
	}
	return true;
}

/* [KPAK20 Algorithm 3] Strategy 3. */
enum plan_result
plan_share(struct plan *p, struct rational *c)
{
	size_t k = p->k + 1;
	double *all = err_alloc(NULL, 4 * k, sizeof(*all));
	struct psa a = { p, all, all + k, all + 2 * k, all + 3 * k,
	    err_alloc(NULL, k, sizeof(*a.done)) };
	enum plan_result r = PLAN_RANGE;

	if (p->k == 0 || rounds(&a))
		r = rates_finish(p, a.rate, c);
	free(all);
	free(a.done);
	return r;
}
