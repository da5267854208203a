/*
 * plan_best: strategy opt, by cutting planes.
 *
 * The convex program is solved on the pairs met so far; pairs overloaded by the
 * rates are added, until no pair is.  With fewer constraints the optimum can
 * only be smaller, so the small program's dual bound bounds the whole program,
 * and rates divided by their largest load are feasible: the difference is the
 * reported gap.
 *
 * Queries that are alike have one rate.  Where permutations of the elements
 * that keep distances and queries make rates feasible rates of equal loss, so
 * they make all of them, and by convexity the mean over the permutations is
 * feasible and no worse: some optimum has equal rates where a permutation
 * brings one query to the other's place.  Only the loss depends on this.
 */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "barrier.h"
#include "number/memory.h"
#include "plan_rates.h"

#define ENOUGH 1e-9	/* relative gap to stop at */
#define ROUNDS 300

/*
 * Rates are measured in each query's largest rate alone, which those that are
 * alike share.
 */
struct search {
	struct plan *p;
	struct barrier b;	/* on the kept pairs; c_k = cost_k / x_k */
	size_t *of;		/* of each query: its rate in x */
	double *times;		/* how many queries have a rate */
	double *cost, *x;	/* the last solution */
	double *best;		/* each query's rate, feasible up to rounding */
	double value;		/* of best: sum of c_k^power, or of ln c_k */
	double lower;
	size_t room;		/* for rows */
};

/* How far the best is above the optimum at most, relative to the optimum. */
static double
gap_of(const struct search *s)
{
	double gap = s->value - s->lower;

	if (s->b.power == 0)
		gap = expm1(gap / (double)s->p->k);
	else
		gap /= s->lower;
	return fmax(gap, 0);
}

/* Rows for newly kept pairs. */
static void
add_rows(struct search *s)
{
	struct plan *p = s->p;
	double d;

	s->b.a = err_grow(s->b.a, p->pairs, &s->room, s->b.k * sizeof(d));
	for (; s->b.rows < p->pairs; s->b.rows++) {
		double *row = s->b.a + s->b.rows * s->b.k;

		slope_row(&p->s, p->pool[s->b.rows], p->row, &d);
		memset(row, 0, s->b.k * sizeof(d));
		for (size_t k = 0; k < p->k; k++)
			row[s->of[k]] += p->row[k] *
			    (p->query[k].most / d);
	}
}

/* Takes the solution over, divided by its largest load; finds pairs. */
static size_t
offer(struct search *s)
{
	struct plan *p = s->p;
	struct steep a = { .rate = p->row, .need = SLOPE_NONE, .floor = 1,
	    .keep = 0.3 };
	double v;

	for (size_t k = 0; k < p->k; k++)
		p->row[k] = s->x[s->of[k]] * p->query[k].most;
	slope_search(&p->s, &a);
	for (size_t i = 0; i < a.count; i++)
		rates_keep(p, a.pair[i]);
	for (size_t k = 0; k < s->b.k; k++)
		s->x[k] /= a.load;
	v = barrier_cost(&s->b, s->x);
	for (size_t k = 0; k < p->k && v < s->value; k++)
		s->best[k] = p->row[k] / a.load;
	s->value = fmin(v, s->value);
	return a.count;
}

static void
improve(struct search *s)
{
	size_t found = 1;

	for (int round = 0; round < ROUNDS && found > 0 && (round == 0 ||
	    gap_of(s) > ENOUGH); round++) {
		add_rows(s);
		for (size_t k = 0; k < s->b.k; k++)
			s->x[k] = 0.5 / (double)s->p->k;
		barrier_solve(&s->b, s->x);
		s->lower = fmax(s->b.lower, s->lower);
		found = offer(s);
	}
}

static void
setup(struct search *s, struct plan *p, enum plan_loss loss)
{
	double most = 0;

	*s = (struct search){ .p = p, .value = HUGE_VAL };
	if (loss == PLAN_L1)
		s->b.power = 1;
	else if (loss == PLAN_SQUARED)
		s->b.power = 2;
	else
		s->lower = -HUGE_VAL;
	s->cost = err_alloc(NULL, 4 * p->k, sizeof(*s->cost));
	s->x = s->cost + p->k;
	s->best = s->x + p->k;
	s->times = s->best + p->k;
	s->of = err_alloc(NULL, p->k, sizeof(*s->of));
	s->b.cost = s->cost;
	s->b.times = s->times;
	s->b.all = (double)p->k;
	for (size_t k = 0; k < p->k; k++) {
		s->b.k += !plan_alike(p, k);
		s->of[k] = s->b.k - 1;
		s->times[s->of[k]]++;
		s->cost[s->of[k]] = 1 / (p->query[k].most *
		    (double)fixed_pow10(p->query[k].digits));
		most = fmax(most, s->cost[s->of[k]]);
	}
	for (size_t k = 0; k < s->b.k; k++)
		s->cost[k] /= most;
}

/* Takes the scales over where their loss is smaller. */
static void
prefer(const struct plan *p, enum plan_loss loss, struct rational *best,
    const struct rational *c)
{
	if (plan_value(p, loss, c) < plan_value(p, loss, best))
		memcpy(best, c, p->w->k * sizeof(*c));
}

/* The optimum in doubles, then exactly: found where there are few rates. */
static enum plan_result
optimum(struct plan *p, enum plan_loss loss, struct rational *best,
    struct rational *c, double *gap)
{
	enum plan_result r = PLAN_OK;
	struct search s;

	setup(&s, p, loss);
	if (s.b.k <= PLAN_NEWTON) {
		improve(&s);
		r = rates_finish(p, s.best, c);
		*gap = gap_of(&s);
		if (r == PLAN_OK)
			prefer(p, loss, best, c);
	}
	free(s.b.a);
	free(s.cost);
	free(s.of);
	return r;
}

/* The other strategies are candidates too; their pairs are a good start. */
static enum plan_result
others(struct plan *p, enum plan_loss loss, struct rational *best,
    struct rational *c)
{
	enum plan_result r = plan_split(p, best);

	if (r == PLAN_OK)
		r = plan_equal(p, c);
	if (r == PLAN_OK) {
		prefer(p, loss, best, c);
		r = plan_share(p, c);
	}
	if (r == PLAN_OK)
		prefer(p, loss, best, c);
	return r;
}

/*
 * The least max c_k is strategy 2's: with every scale equal the constraints are
 * strategy 2's.  Then every further scale, and those alike together, is lowered
 * as far as the rest allows, in turn.
 */
static enum plan_result
least_maximum(struct plan *p, struct rational *c, double *gap)
{
	double *rate = err_alloc(NULL, p->k, sizeof(*rate));
	double *dir = err_alloc(NULL, p->k, sizeof(*dir)), t;
	const struct ray ray = { rate, dir, SLOPE_NONE };
	enum plan_result r;
	struct pair at;

	for (size_t k = 0; k < p->k; k++)
		rate[k] = 1 / (double)fixed_pow10(p->query[k].digits);
	(void)rates_lower(p, rate, rate);
	for (size_t k = 0; k < p->k; k++) {
		dir[k] = 1;
		if (k + 1 < p->k && plan_alike(p, k + 1))
			continue;
		t = rates_step(p, &ray, &at);
		for (size_t j = 0; j <= k && t > 1e-9 * p->query[k].most; j++)
			rate[j] += t * dir[j];
		memset(dir, 0, p->k * sizeof(*dir));
	}
	r = rates_finish(p, rate, c);
	free(rate);
	free(dir);
	*gap = 0;
	return r;
}

enum plan_result
plan_best(struct plan *p, enum plan_loss loss, struct rational *c, double *gap)
{
	struct rational *trial;
	enum plan_result r;

	if (p->k <= 1) {
		*gap = 0;
		return plan_split(p, c);
	}
	*gap = -1;
	trial = err_alloc(NULL, p->w->k, sizeof(*trial));
	r = others(p, loss, c, trial);
	if (r == PLAN_OK && loss == PLAN_MAX) {
		r = least_maximum(p, trial, gap);
		/* the largest stays but for the doubles' rounding */
		if (r == PLAN_OK && plan_value(p, loss, trial) <=
		    plan_value(p, loss, c) * (1 + 1e-12))
			memcpy(c, trial, p->w->k * sizeof(*c));
	} else if (r == PLAN_OK)
		r = optimum(p, loss, c, trial, gap);
	free(trial);
	return r;
}
