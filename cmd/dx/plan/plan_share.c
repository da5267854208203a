/*
 * plan_share: steps along rates, and the parameter selection of KPAK20.
 *
 * What is left of the budget of a pair is d(i,j) - sum_k r_k |q_ki - q_kj|:
 * it follows from the rates spent so far and is not stored.
 */
#include "plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plan_impl.h"

#define GONE 1e-9	/* part of its first rate below which a query rests */

/* What the pair allows of dir beside base; HUGE_VAL: anything. */
static double
allows(const struct plan *p, struct pair at, const double *base,
    const double *dir, size_t need, double *row)
{
	double d, spent = 0, more = 0;
	size_t k;

	if (!slope_row(&p->s, at, row, &d) ||
	    (need != SLOPE_NONE && !(row[need] > 0)))
		return HUGE_VAL;
	for (k = 0; k < p->k; k++) {
		spent += base[k] * row[k];
		more += dir[k] * row[k];
	}
	if (!(more > 0))
		return HUGE_VAL;
	return d > spent ? (d - spent) / more : 0;
}

/* The smallest step that a list of pairs allows. */
static double
least(const struct plan *p, const struct pair *pair, size_t n,
    const double *base, const double *dir, size_t need, struct pair *at,
    double *row)
{
	double t = HUGE_VAL, one;
	size_t i;

	for (i = 0; i < n; i++) {
		one = allows(p, pair[i], base, dir, need, row);
		if (one < t) {
			t = one;
			*at = pair[i];
		}
	}
	return t;
}

static bool
keep_all(struct plan *p, const struct steep *a)
{
	size_t i;

	for (i = 0; i < a->count; i++)
		if (!plan_keep(p, a->pair[i]))
			return false;
	return true;
}

/*
 * Newton's method on the largest load as a convex function of t: the step
 * that the steepest pair allows is never too short, and shrinks until no
 * pair is too steep.
 */
double
plan_step(struct plan *p, const double *base, const double *dir, size_t need,
    struct pair *at)
{
	double *rate = calloc(2 * p->k + 2, sizeof(*rate)), *row, t, next;
	struct steep a = { .rate = rate, .need = need, .keep = 1 };
	size_t k;

	if (rate == NULL)
		return -1;
	row = rate + p->k + 1;
	t = least(p, p->pool, p->pairs, base, dir, need, at, row);
	for (;;) {
		for (k = 0; k < p->k; k++)
			rate[k] = t < HUGE_VAL ? base[k] + t * dir[k] :
			    dir[k];
		a.floor = t < HUGE_VAL ? 1 + p->s.error : 0;
		slope_search(&p->s, &a);
		if (a.count == 0)
			break;
		if (!keep_all(p, &a)) {
			t = -1;
			break;
		}
		next = least(p, a.pair, a.count, base, dir, need, at, row);
		if (!(next < t))
			break;
		t = next;
	}
	free(rate);
	return t;
}

/* One round's state of [KPAK20 Algorithm 3]. */
struct psa {
	struct plan *p;
	double *rate;		/* R */
	double *dir;		/* 1/c' of those that still take part */
	double *unit;
	double *row;
	double *gain;		/* T */
	bool *done;
};

/*
 * Step 1: 1/c'_k, what each query could get alone.  Known in the first
 * round; a kept pair without budget ends a query without a search.
 */
static bool
alone(struct psa *a, bool first, bool *any)
{
	struct plan *p = a->p;
	struct pair at;
	size_t k;

	*any = false;
	for (k = 0; k < p->k; k++) {
		a->dir[k] = 0;
		if (a->done[k])
			continue;
		a->unit[k] = 1;
		if (first)
			a->dir[k] = p->most[k];
		else if (least(p, p->pool, p->pairs, a->rate, a->unit, k,
		    &at, a->row) <= GONE * p->most[k])
			a->dir[k] = 0;
		else
			a->dir[k] = plan_step(p, a->rate, a->unit, k, &at);
		a->unit[k] = 0;
		if (a->dir[k] < 0)
			return false;
		if (a->dir[k] <= GONE * p->most[k]) {
			a->done[k] = true;
			a->dir[k] = 0;
		}
		*any = *any || !a->done[k];
	}
	return true;
}

/*
 * Steps 2 and 3: 1/c_k = (1/c'_k) t, with t the largest step along all of dir
 * that the pairs allow on which query k differs.  The pair that binds first
 * settles all queries that differ on it.
 */
static bool
together(struct psa *a)
{
	struct plan *p = a->p;
	struct pair at = { 0, 0 };
	double t, d;
	size_t k;

	t = plan_step(p, a->rate, a->dir, SLOPE_NONE, &at);
	if (t < 0 || !slope_row(&p->s, at, a->row, &d))
		return false;
	for (k = 0; k < p->k; k++)
		a->gain[k] = a->done[k] ? 0 : a->row[k] > 0 ?
		    a->dir[k] * t : -1;
	for (k = 0; k < p->k; k++) {
		if (a->gain[k] >= 0)
			continue;
		t = plan_step(p, a->rate, a->dir, k, &at);
		if (t < 0)
			return false;
		a->gain[k] = a->dir[k] * t;
	}
	return true;
}

static bool
rounds(struct psa *a)
{
	size_t k, round;
	bool any;

	/* each round exhausts a pair, so it ends at least one query */
	for (round = 0; round < a->p->k + 2; round++) {
		if (!alone(a, round == 0, &any))
			return false;
		if (!any)
			break;
		if (!together(a))
			return false;
		for (k = 0; k < a->p->k; k++)
			a->rate[k] += a->gain[k];
	}
	return true;
}

/* [KPAK20 Algorithm 3] */
bool
plan_psa(struct plan *p, double *rate)
{
	double *all = calloc(4 * p->k + 4, sizeof(*all));
	bool *done = calloc(p->k + 1, sizeof(*done));
	struct psa a = { .p = p, .rate = rate, .dir = all, .done = done };
	bool ok = all != NULL && done != NULL;

	if (ok) {
		a.unit = all + p->k + 1;
		a.row = a.unit + p->k + 1;
		a.gain = a.row + p->k + 1;
		memset(rate, 0, p->k * sizeof(*rate));
		ok = p->k == 0 || rounds(&a);
	}
	free(all);
	free(done);
	return ok;
}
