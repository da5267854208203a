/*
 * plan: enumerated privacy of dx-laplace's mechanism on small universes.
 *
 * Every histogram of two people, every neighbour that moves one of them or has
 * one more, every outcome around both answers: the law of discrete Laplace
 * noise at the scales that are drawn from.
 */
#include "world.h"
#include "dx/plan/plan.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ELEMENTS 4
#define QUERIES 2

struct town {
	struct metric m;
	struct workload w;
	int64_t x[2 * ELEMENTS];
	struct rational eps;
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

	cr_assert_eq(plan_open(&p, &a->m, &a->w), PLAN_OK);
	cr_assert_eq(strategy == 1 ? plan_split(&p, c) : strategy == 2 ?
	    plan_equal(&p, c) : strategy == 3 ? plan_share(&p, c) :
	    plan_best(&p, PLAN_SQUARED, c, &gap), PLAN_OK);
	for (size_t k = 0; k < QUERIES; k++)
		cr_assert(upward_div(&c[k], c[k], a->eps) &&
		    plan_noise(c[k], 0, &a->t[k]));
	plan_close(&p);
}

/* eps times the distance of this measure. */
static long double
budget(const struct town *a, u128 v)
{
	return (a->m.kind == METRIC_EUCLID ? sqrtl((long double)v) :
	    (long double)v) / 10 * world_real(a->eps);
}

static struct audit_count counted;

/*
 * Log ratio over all outcomes: queries are independent, so the outcome with the
 * largest ratio is made of those of each.
 */
static long double
largest(const struct town *a, const int64_t *x, const int64_t *y)
{
	long double sum = 0;

	counted.pairs++;
	for (size_t k = 0; k < QUERIES; k++) {
		i128 u = 0, v = 0;

		for (size_t i = 0; i < ELEMENTS; i++) {
			u += workload_at(&a->w, k, i) * x[i];
			v += workload_at(&a->w, k, i) * y[i];
		}
		sum += audit_ratio(u, v, &a->t[k], &counted);
	}
	return sum;
}

/* Over all moves, in parts of eps d, beside a person at p. */
static long double
moves(const struct town *a, size_t p)
{
	long double worst = 0;
	u128 d;

	for (size_t i = 0; i < ELEMENTS; i++)
		for (size_t j = 0; j < ELEMENTS; j++) {
			int64_t x[ELEMENTS] = { 0 }, y[ELEMENTS] = { 0 };

			if (i == j || !metric_between(&a->m, i, j, &d))
				continue;
			x[p]++;
			y[p]++;
			x[i]++;
			y[j]++;
			worst = fmaxl(worst, largest(a, x, y) / budget(a, d));
		}
	return worst;
}

/* The same over all records that come, in parts of eps R. */
static long double
comings(const struct town *a, size_t p)
{
	long double worst = 0;

	for (size_t i = 0; i < ELEMENTS && a->m.away > 0; i++) {
		int64_t x[ELEMENTS] = { 0 }, y[ELEMENTS] = { 0 };

		x[p]++;
		y[p]++;
		y[i]++;
		worst = fmaxl(worst, fmaxl(largest(a, x, y),
		    largest(a, y, x)) / budget(a, a->m.away));
	}
	return worst;
}

/* Over all people, moves and comings; how far the latter go. */
static long double
audit(const struct town *a, long double *come)
{
	long double move = 0;

	*come = 0;
	for (size_t p = 0; p < ELEMENTS; p++) {
		move = fmaxl(move, moves(a, p));
		*come = fmaxl(*come, comings(a, p));
	}
	return fmaxl(move, *come);
}

/* Plans that use up their budget, and those that comings bind. */
static void
survey(uint64_t state, bool hidden, int reached, int bound)
{
	for (int run = 0; run < 200; run++) {
		long double worst, come;
		struct town a;

		make_town(&a, &state);
		if (hidden) {
			a.m.away = 1 + draw(&state, 40);
			a.m.away *= a.m.kind == METRIC_EUCLID ? a.m.away : 1;
		}
		if (hidden && run % 4 == 3)	/* nobody moves */
			a.m = (struct metric){ .kind = METRIC_EDGES,
			    .n = ELEMENTS, .unit = { 1, 10 },
			    .away = 1 + draw(&state, 40) };
		plan_town(&a, 1 + run % 4);
		worst = audit(&a, &come);
		cr_assert_leq(worst, 1 + 1e-12L, "run %d: %Lf", run, worst);
		counted.worst = fmaxl(counted.worst, worst);
		reached -= worst > 1 - 1e-12L;
		bound -= come > 1 - 1e-12L;
		/* broken twin: half the scale */
		for (size_t k = 0; k < QUERIES; k++)
			a.t[k].r *= 2;
		cr_assert(worst < 1 - 1e-12L || audit(&a, &come) > 1.5L);
		workload_free(&a.w);
	}
	cr_assert_leq(reached, 0, "%d too few", reached);
	cr_assert_leq(bound, 0, "%d too few", bound);
}

/* [KPAK20 section 5] */
Test(plan, nobody_who_comes_or_goes_is_told_beyond_the_budget)
{
	survey(5, true, 101, 51);
	audit_count_print("dx-laplace, 200 plans of records that come or go",
	    &counted);
}

/* [KPAK20 Definition 2, Theorem 1] Each query's own share may leave some. */
Test(plan, no_move_is_told_beyond_its_budget_and_one_is_told_up_to_it)
{
	survey(1, false, 150, 0);
	audit_count_print("dx-laplace, 200 plans", &counted);
}
