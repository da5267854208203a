/*
 * plan: enumerated privacy of dx-laplace's mechanism on small universes.
 *
 * Every histogram of a few people, every neighbour that moves one of them,
 * every outcome in a window that holds both answers (outside it the ratio is
 * that of its edge): the law of discrete Laplace noise at the scales that are
 * drawn from, before and after the printed grid.
 */
#include "world.h"
#include "dx/plan/plan.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ELEMENTS 4
#define QUERIES 2
#define PEOPLE 2

struct town {
	struct metric m;
	struct workload w;
	int64_t x[2 * ELEMENTS];
	struct rational eps;
	int fine;
	struct scale t[QUERIES];
};

static uint64_t
draw(uint64_t *state, uint64_t n)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return (*state >> 11) % n;
}

static void
make_town(struct town *a, uint64_t *state)
{
	int64_t q[ELEMENTS];

	memset(a, 0, sizeof(*a));
	a->m = (struct metric){ .kind = draw(state, 2) ? METRIC_EUCLID :
	    METRIC_SUM, .n = ELEMENTS, .dims = 2, .x = a->x,
	    .unit = { 1, 10 } };
	for (size_t i = 0; i < 2 * ELEMENTS; i++)
		a->x[i] = (int64_t)draw(state, 20);
	a->x[0] = -3;
	a->x[2] = 23;
	a->x[4] = 30;
	a->x[6] = -9;
	a->w = (struct workload){ .n = ELEMENTS };
	for (size_t k = 0; k < QUERIES; k++) {
		for (size_t i = 0; i < ELEMENTS; i++)
			q[i] = (int64_t)draw(state, 7) - 3;
		q[0] = 4;
		q[1] = -4;
		workload_dense(&a->w, q, 0);
	}
	cr_assert(rational_make(&a->eps, 1 + (i128)draw(state, 5),
	    1 + (i128)draw(state, 3)));
}

/* Scales of a strategy as noise on the grid of the answers. */
static void
plan_town(struct town *a, int strategy)
{
	struct rational c[QUERIES];
	struct plan p;
	double gap;

	cr_assert_eq(plan_open(&p, &a->m, &a->w, a->eps), PLAN_OK);
	cr_assert_eq(strategy == 1 ? plan_split(&p, c) : strategy == 2 ?
	    plan_equal(&p, c) : strategy == 3 ? plan_share(&p, c) :
	    plan_best(&p, PLAN_SQUARED, c, &gap), PLAN_OK);
	for (size_t k = 0; k < QUERIES; k++)
		cr_assert(plan_noise(c[k], a->fine, &a->t[k]));
	plan_close(&p);
}

static double
distance(const struct town *a, size_t i, size_t j)
{
	u128 v;

	cr_assert(metric_between(&a->m, i, j, &v));
	return (a->m.kind == METRIC_EUCLID ? sqrt((double)v) : (double)v) /
	    10 * (double)a->eps.num / (double)a->eps.den;
}

/* log P[z | answer], up to a constant of the query. */
static double
weight(const struct scale *t, int64_t z, int64_t answer)
{
	return -fabs((double)(z - answer)) * (double)t->r / (double)t->s;
}

/* Probability, up to a constant, of a printed cell of `cell` grid steps. */
static double
coarse(const struct scale *t, int64_t at, int64_t cell, int64_t answer)
{
	double sum = 0;

	for (int64_t z = at * cell - cell / 2; z < at * cell - cell / 2 + cell;
	    z++)
		sum += exp(weight(t, z, answer));
	return log(sum);
}

static struct audit_count counted;

/* Largest log ratio over all outcomes of all queries. */
static double
largest(const struct town *a, const int64_t *x, const int64_t *y,
    int64_t cell)
{
	double sum = 0;

	for (size_t k = 0; k < QUERIES; k++) {
		int64_t u = 0, v = 0, lo, hi;
		double best = -HUGE_VAL, l;

		for (size_t i = 0; i < ELEMENTS; i++) {
			u += workload_at(&a->w, k, i) * x[i];
			v += workload_at(&a->w, k, i) * y[i];
		}
		u *= fixed_pow10(a->fine);
		v *= fixed_pow10(a->fine);
		lo = (u < v ? u : v) / cell - 3;
		hi = (u < v ? v : u) / cell + 3;
		/* queries are independent: the outcome with the largest ratio
		   is made of those of each */
		for (int64_t z = lo; z <= hi; z++, counted.outputs++) {
			l = cell == 1 ? weight(&a->t[k], z, u) -
			    weight(&a->t[k], z, v) :
			    coarse(&a->t[k], z, cell, u) -
			    coarse(&a->t[k], z, cell, v);
			best = fmax(best, l);
		}
		sum += best;
	}
	return sum;
}

/*
 * Over all histograms of PEOPLE and all moves: the largest log ratio in parts
 * of the budget.
 */
static double
audit(const struct town *a, int64_t cell)
{
	double worst = 0;

	for (size_t p = 0; p < ELEMENTS; p++)
		for (size_t i = 0; i < ELEMENTS; i++)
			for (size_t j = 0; j < ELEMENTS; j++) {
				int64_t x[ELEMENTS] = { 0 }, y[ELEMENTS];

				if (i == j)
					continue;
				x[p]++;
				memcpy(y, x, sizeof(y));
				x[i]++;
				y[j]++;
				counted.pairs++;
				worst = fmax(worst, largest(a, x, y, cell) /
				    distance(a, i, j));
			}
	return worst;
}

/* The same over all records that come, in parts of eps R. */
static double
audit_comings(const struct town *a)
{
	double worst = 0, r = a->m.kind == METRIC_EUCLID ?
	    sqrt((double)a->m.away) : (double)a->m.away;

	r *= (double)a->eps.num / (double)a->eps.den / 10;
	for (size_t p = 0; p < ELEMENTS; p++)
		for (size_t i = 0; i < ELEMENTS; i++) {
			int64_t x[ELEMENTS] = { 0 }, y[ELEMENTS];

			x[p]++;
			memcpy(y, x, sizeof(y));
			y[i]++;
			counted.pairs++;
			worst = fmax(worst, fmax(largest(a, x, y, 1),
			    largest(a, y, x, 1)) / r);
		}
	return worst;
}

/* [KPAK20 section 5] Half the scale is found out. */
Test(plan, nobody_who_comes_or_goes_is_told_beyond_the_budget)
{
	int reached = 0, bound = 0, caught = 0, runs = 200;
	uint64_t state = 5;

	for (int run = 0; run < runs; run++) {
		double moves = 0, comings;
		struct town a;

		make_town(&a, &state);
		a.m.away = 1 + draw(&state, 40);
		a.m.away *= a.m.kind == METRIC_EUCLID ? a.m.away : 1;
		if (run % 4 == 3)	/* nothing but comings and goings */
			a.m = (struct metric){ .kind = METRIC_EDGES,
			    .n = ELEMENTS, .unit = { 1, 10 },
			    .away = 1 + draw(&state, 40) };
		plan_town(&a, 1 + run % 4);
		if (a.m.kind != METRIC_EDGES)
			moves = audit(&a, 1);
		comings = audit_comings(&a);
		cr_assert_leq(fmax(moves, comings), 1 + 1e-12, "run %d", run);
		reached += fmax(moves, comings) > 1 - 1e-12;
		bound += comings > 1 - 1e-12;
		counted.worst = fmaxl(counted.worst, comings);
		for (size_t k = 0; k < QUERIES; k++)
			a.t[k].r *= 2;
		caught += audit_comings(&a) > 1 + 1e-6;
		workload_free(&a.w);
	}
	cr_assert_gt(reached, runs / 2, "%d", reached);
	cr_assert_gt(bound, runs / 4, "%d", bound);
	cr_assert_gt(caught, runs / 4, "%d", caught);
	audit_count_print("dx-laplace, 200 plans of records that come or go",
	    &counted);
}

/* [KPAK20 Definition 2, Theorem 1] */
Test(plan, no_move_is_told_beyond_its_budget_and_one_is_told_up_to_it)
{
	uint64_t state = 1;

	for (int run = 0; run < 200; run++) {
		int strategy = 1 + run % 4;
		struct town a;
		double worst;

		make_town(&a, &state);
		plan_town(&a, strategy);
		worst = audit(&a, 1);
		cr_assert_leq(worst, 1 + 1e-12, "run %d", run);
		if (strategy > 1)
			cr_assert_geq(worst, 1 - 1e-12, "run %d", run);
		counted.worst = fmaxl(counted.worst, worst);
		workload_free(&a.w);
	}
	audit_count_print("dx-laplace, 200 plans", &counted);
}

/* Rounding to the printed grid is post-processing. */
Test(plan, a_coarser_printed_grid_tells_no_more)
{
	uint64_t state = 2;

	for (int run = 0; run < 60; run++) {
		struct town a;

		make_town(&a, &state);
		a.fine = 1;
		plan_town(&a, 1 + run % 4);
		cr_assert_leq(audit(&a, 10), 1 + 1e-10, "run %d", run);
		cr_assert_leq(audit(&a, 7), 1 + 1e-10, "run %d", run);
		workload_free(&a.w);
	}
}

/* c without the pair that is steepest. */
Test(plan, a_scale_without_the_worst_pair_is_noticed)
{
	uint64_t state = 4;

	for (int run = 0; run < 30; run++) {
		struct ratio best = { 0, 0, { 0, 0 } }, second = best, r;
		struct town a;

		make_town(&a, &state);
		for (size_t i = 0; i < ELEMENTS; i++)
			for (size_t j = 0; j < i; j++) {
				r = (struct ratio){ 0, 0, { i, j } };
				cr_assert(metric_between(&a.m, i, j,
				    &r.measure));
				for (size_t k = 0; k < QUERIES; k++)
					r.num += (u128)llabs(workload_at(&a.w,
					    k, i) - workload_at(&a.w, k, j));
				if (ratio_cmp(&r, &best,
				    metric_squared(&a.m)) > 0) {
					second = best;
					best = r;
				} else if (ratio_cmp(&r, &second,
				    metric_squared(&a.m)) > 0)
					second = r;
			}
		plan_town(&a, 2);
		if (ratio_cmp(&best, &second, metric_squared(&a.m)) > 0) {
			double c = (double)second.num / 1e-1 *
			    (double)a.eps.den / (double)a.eps.num /
			    (metric_squared(&a.m) ?
			    sqrt((double)second.measure) :
			    (double)second.measure);

			for (size_t k = 0; k < QUERIES; k++)
				a.t[k] = (struct scale){ (uint64_t)(c *
				    0x1p30), 1 << 30 };
			cr_assert_gt(audit(&a, 1), 1 + 1e-6, "run %d", run);
		}
		workload_free(&a.w);
	}
}
