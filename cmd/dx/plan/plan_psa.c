/* plan_psa: strategy 3, the parameter selection algorithm of KPAK20. */

#include <math.h>
#include <stdlib.h>

#include "number/memory.h"
#include "plan_rates.h"

#define GONE 1e-9	/* part of the first rate below which a query rests */

/*
 * Queries that are alike have equal rates in every round, as each step follows
 * from the rates before and from all pairs: one of them is worked out.
 */

/* A round's state in [KPAK20 Algorithm 3]. */
struct psa {
	struct plan *p;
	double *rate;		/* R */
	double *dir;		/* 1/c' for queries still taking part, or 0 */
	double *unit;
	double *gain;		/* T */
};

/*
 * Step 1: 1/c'_k, each query's possible rate alone.  A kept pair without budget
 * ends a query without a search.  False once every query has ended.
 */
static bool
alone(struct psa *a)
{
	struct ray ray = { .base = a->rate, .dir = a->unit };
	struct plan *p = a->p;
	bool any = false;
	struct pair at;

	for (size_t k = 0; k < p->k; k++) {
		if (plan_alike(p, k))
			a->dir[k] = a->dir[k - 1];
		if (a->dir[k] == 0 || plan_alike(p, k))
			continue;
		ray.need = k;
		a->unit[k] = 1;
		a->dir[k] = rates_kept(p, &ray, &at);
		if (a->dir[k] > GONE * p->query[k].most)
			a->dir[k] = rates_step(p, &ray, &at);
		if (a->dir[k] <= GONE * p->query[k].most)
			a->dir[k] = 0;
		a->unit[k] = 0;
		any = any || a->dir[k] > 0;
	}
	return any;
}

/*
 * Steps 2 and 3: 1/c_k = (1/c'_k) t, with t the largest step along dir allowed
 * by the pairs on which query k differs.  The first binding pair settles every
 * query that differs on the pair.
 */
static void
together(struct psa *a)
{
	struct plan *p = a->p;
	struct ray ray = { a->rate, a->dir, SLOPE_NONE };
	struct pair at = { 0, 0 };
	double t, d;

	t = rates_step(p, &ray, &at);
	slope_row(&p->s, at, p->row, &d);
	for (size_t k = 0; k < p->k; k++)
		if (a->dir[k] == 0)
			a->gain[k] = 0;
		else
			a->gain[k] = p->row[k] > 0 ? a->dir[k] * t : -1;
	for (size_t k = 0; k < p->k; k++) {
		if (plan_alike(p, k))
			a->gain[k] = a->gain[k - 1];
		if (a->gain[k] >= 0)
			continue;
		ray.need = k;
		a->gain[k] = a->dir[k] * rates_step(p, &ray, &at);
	}
}

/* Each round exhausts a pair, and so ends a query. */
static void
rounds(struct psa *a)
{
	bool any = a->p->k > 0;

	for (size_t k = 0; k < a->p->k; k++)
		a->dir[k] = a->p->query[k].most;
	for (size_t round = 0; round < a->p->k + 2 && any; round++) {
		together(a);
		for (size_t k = 0; k < a->p->k; k++)
			a->rate[k] += a->gain[k];
		any = alone(a);
	}
}

/* [KPAK20 Algorithm 3] Strategy 3. */
enum plan_result
plan_share(struct plan *p, struct rational *c)
{
	size_t k = p->k + 1;
	double *all = err_alloc(NULL, 4 * k, sizeof(*all));
	struct psa a = { p, all, all + k, all + 2 * k, all + 3 * k };
	enum plan_result r;

	rounds(&a);
	r = rates_finish(p, a.rate, c);
	free(all);
	return r;
}
