/*
 * plan: privacy of every pair in exact arithmetic, optimality, and the
 * searches against all pairs.
 */
#include "dx/plan/plan_joint.h"

#include "../house/step.h"
#include "golden.h"
#include "plan_world.h"

#define PLAN_SCALES 16

enum { SPLIT, EQUAL, SHARE, RELATIVE, SQUARED, L1, MOST, HOWS };

static void
make_plan(struct plan *p, int how, struct rational *c, double *gap)
{
	enum plan_result r;

	*gap = -1;
	switch (how) {
	case SPLIT: r = plan_split(p, c); break;
	case EQUAL: r = plan_equal(p, c); break;
	case SHARE: r = plan_share(p, c); break;
	case RELATIVE: r = plan_best(p, PLAN_RELATIVE, c, gap); break;
	case SQUARED: r = plan_best(p, PLAN_SQUARED, c, gap); break;
	case L1: r = plan_best(p, PLAN_L1, c, gap); break;
	default: r = plan_best(p, PLAN_MAX, c, gap);
	}
	cr_assert_eq(r, PLAN_OK);
}

static void
open_plan(struct plan *p, const struct world *a)
{
	cr_assert_eq(plan_open(p, &a->m, &a->w), PLAN_OK);
}

/* No scale of PSA can be smaller without the others'. */
static void
check_full(const struct world *a, struct rational *c)
{
	size_t tight;

	for (size_t k = 0; k < a->w.k; k++) {
		struct rational kept = c[k];

		if (kept.num == 0)
			continue;
		c[k] = (struct rational){ kept.num * 9999, kept.den * 10000 };
		cr_assert_gt(world_broken(a, c, &tight), 0, "query %zu", k);
		c[k] = kept;
	}
}

/* The best are no worse than the others, and as near to the least as said. */
static void
check_best(const struct plan *p, int how, struct rational c[HOWS][PLAN_SCALES],
    double gap)
{
	static const enum plan_loss aim[HOWS] = { [RELATIVE] = PLAN_RELATIVE,
	    [SQUARED] = PLAN_SQUARED, [L1] = PLAN_L1, [MOST] = PLAN_MAX };
	double best = plan_value(p, aim[how], c[how]);

	cr_assert(gap >= 0 && gap < 1e-9, "%d: %g", how, gap);
	for (int other = SPLIT; other < how; other++)
		cr_assert_leq(best, plan_value(p, aim[how], c[other]) *
		    (1 + 1e-9), "%d and %d", how, other);
}

/* All strategies keep all budgets; how many plans with one scale touch one? */
static int
check_all(const struct world *a)
{
	struct rational c[HOWS][PLAN_SCALES];
	struct plan p;
	size_t tight;
	double gap;
	int touched = 0;

	open_plan(&p, a);
	for (int how = 0; how < HOWS; how++) {
		make_plan(&p, how, c[how], &gap);
		cr_assert_eq(world_broken(a, c[how], &tight), 0,
		    "strategy %d", how);
		if (how == EQUAL)
			touched = tight > 0;
		if (how == SHARE)
			check_full(a, c[how]);
		if (how > SHARE)
			check_best(&p, how, c, gap);
	}
	plan_close(&p);
	return touched;
}

/*
 * [KPAK20 Theorem 1, Definition 2, Algorithm 3] SHARE is the paper's.  An
 * average over n public records is the query whose coefficients are the values
 * over n, so these are the averages' bounds, too: [KPAK20 Definition 10,
 * Definition 11, Theorem 10].
 */
Test(plan, every_pair_keeps_its_budget_exactly_under_every_strategy)
{
	uint64_t state = 1;

	for (int run = 0; run < 240 / STEP; run++) {
		struct world a;

		world_make(&a, 4 + world_draw(&state, 30),
		    1 + world_draw(&state, 5), run % WORLD_KINDS, &state);
		check_all(&a);
		world_free(&a);
	}
}

/* Is a budget broken by one scale for these, which are less than all? */
static bool
is_twin_caught(const struct world *a, struct metric part)
{
	struct rational c[PLAN_SCALES];
	struct world less = *a;
	struct plan p;
	size_t tight;
	double gap;

	less.m = part;
	open_plan(&p, &less);
	make_plan(&p, EQUAL, c, &gap);
	plan_close(&p);
	return world_broken(a, c, &tight) > 0;
}

/*
 * [KPAK20 section 5] The same where records come and go, at any distance from
 * none; twins: scales of moves alone, and of a record alone.
 */
Test(plan, a_record_that_comes_or_goes_keeps_its_budget_exactly)
{
	int touched = 0, moves = 0, small = 0, runs = 240 / STEP;
	uint64_t state = 7;

	for (int run = 0; run < runs; run++) {
		struct metric shown;
		struct world a;

		world_make(&a, 4 + world_draw(&state, 30),
		    1 + world_draw(&state, 5), run % WORLD_KINDS, &state);
		world_hide(&a, run % 8 == 7, &state);
		touched += check_all(&a);
		shown = a.m;
		shown.away = 0;
		moves += (a.m.kind != METRIC_EDGES || a.m.edges > 0) &&
		    is_twin_caught(&a, shown);
		shown = (struct metric){ .kind = METRIC_EDGES, .n = a.m.n,
		    .away = metric_squared(&a.m) ? 1 : a.m.away,
		    .unit = a.m.unit };
		small += is_twin_caught(&a, shown);
		world_free(&a);
	}
	cr_assert_gt(touched, runs / 8, "%d", touched);
	cr_assert_gt(moves, runs / 8, "%d", moves);
	cr_assert_gt(small, runs / 8, "%d", small);
}

/*
 * All combinations of three attributes, under weights or discrete, with n
 * hidden or with an element outside: their marginals.
 */
static void
make_even(struct world *a, int run, uint64_t *state)
{
	size_t last = 1 + world_draw(state, 3), next = 1 + world_draw(state, 3);
	size_t n = (1 + world_draw(state, 3)) * next * last, order = 1;
	bool out = run % 3 == 1;
	int64_t x[3 * 28];

	for (size_t i = 0; i < 3 * (n + out); i += 3) {
		x[i] = (int64_t)(i / 3 / last / next);
		x[i + 1] = (int64_t)(i / 3 / last % next);
		x[i + 2] = (int64_t)(i / 3 % last);
	}
	for (size_t c = 0; c < 3 && out; c++)
		x[3 * n + c] = x[3 * n - 3 + c] + (x[3 * n - 3 + c] > 0);
	*a = (struct world){ .m = { .n = n + out, .unit = { 1, 1000 } },
	    .w = { .n = n + out, .out = out, .even = true } };
	a->m.bend = out ? METRIC_SMOOTH : METRIC_PLAIN;
	a->m.bound = 1000;
	if (!out) {
		a->m.kind = METRIC_ATTR;
		world_coordinates(a, 3, 1, state);
		memcpy(a->m.x, x, 3 * n * sizeof(*x));
		world_weights(a, 3, state);
	}
	if (run % 3 == 2)
		world_hide(a, run % 2, state);
	order += world_draw(state, 2);
	workload_marginal(&a->w, x, 3, order);
}

/* The optimum of all rates is one where queries that are alike have one. */
Test(plan, cells_of_a_marginal_may_have_one_scale_where_values_change_places)
{
	static const enum plan_loss aims[] = { PLAN_RELATIVE, PLAN_SQUARED,
	    PLAN_L1, PLAN_MAX };
	struct rational c[3 * 16];
	uint64_t state = 5;
	double gap, value[2];
	size_t tight;
	struct plan p;

	for (int run = 0; run < 120 / STEP; run++) {
		struct world a;

		make_even(&a, run, &state);
		for (int half = 0; half < 2; half++) {
			a.w.even = half > 0;
			open_plan(&p, &a);
			cr_assert_eq(plan_best(&p, aims[run / 3 % 4], c, &gap),
			    PLAN_OK);
			cr_assert(gap >= 0 && gap < 1e-9);
			cr_assert_eq(world_broken(&a, c, &tight), 0);
			value[half] = plan_value(&p, aims[run / 3 % 4], c);
			plan_close(&p);
		}
		cr_assert(fabs(value[1] - value[0]) <= 2e-9 * value[0],
		    "run %d: %.12g and %.12g", run, value[0], value[1]);
		world_free(&a);
	}
}

/* max |q_i - q_j| / (eps d(i,j)) over all pairs, exactly. */
static struct rational
oracle(const struct world *a)
{
	struct rational best = { 0, 1 }, r, d;
	u128 v;

	for (size_t i = 0; i < a->m.n; i++)
		for (size_t j = i + 1; j < a->m.n; j++) {
			int64_t q = workload_at(&a->w, 0, i) -
			    workload_at(&a->w, 0, j);

			if (q == 0 || !world_measure(a, i, j, &v))
				continue;
			cr_assert(rational_make(&r, q < 0 ? -q : q,
			    fixed_pow10(workload_digits(&a->w, 0))));
			cr_assert(rational_make(&d, (i128)v, 1) &&
			    rational_mul(&d, d, a->m.unit) &&
			    rational_div(&r, r, d));
			if (rational_cmp(r, best) > 0)
				best = r;
		}
	return best;
}

/* [KPAK20 section 4.2, section 4.1] */
Test(plan, the_scale_of_one_query_is_the_exact_rational_maximum)
{
	uint64_t state = 3;

	for (int run = 0; run < 400; run++) {
		struct rational c[PLAN_SCALES], want;
		struct world a;
		struct plan p;
		size_t tight;
		double gap;

		world_make(&a, 4 + world_draw(&state, 40), 1,
		    run % WORLD_KINDS, &state);
		if (a.m.kind == METRIC_EUCLID)
			a.m.kind = METRIC_SUM;
		want = oracle(&a);
		open_plan(&p, &a);
		for (int how = 0; how < HOWS; how++) {
			make_plan(&p, how, c, &gap);
			if (how != SHARE)
				cr_assert_eq(rational_cmp(*c, want), 0,
				    "run %d, strategy %d", run, how);
		}
		cr_assert_eq(world_broken(&a, &want, &tight), 0);
		cr_assert(want.num == 0 || tight > 0, "run %d", run);
		plan_close(&p);
		world_free(&a);
	}
}

static const enum plan_loss losses[] = { PLAN_SQUARED, PLAN_L1, PLAN_MAX };

/* [KPAK20 Theorem 1, section 3.1, Equation 6] */
Test(plan_joint, bent_queries_keep_every_budget_and_are_never_worse)
{
	uint64_t state = 1;
	int gains[3] = { 0, 0, 0 };
	double y[72];

	for (int run = 0; run < 72; run++) {
		enum plan_loss loss = losses[run % 3];
		struct joint_plan j;
		struct world a, b;
		size_t tight;
		double eps;

		world_make(&a, 4 + world_draw(&state, 10),
		    1 + world_draw(&state, 3), run / 3 % WORLD_KINDS, &state);
		eps = (1 + (double)world_draw(&state, 30)) / 1000;
		cr_assert_eq(plan_joint(&j, &a.m, &a.w, eps, loss, 3),
		    PLAN_OK);
		cr_assert_leq(j.value, j.opt);
		gains[run % 3] += j.value < 0.99 * j.opt;
		y[run] = log1p(j.value);
		b = a;
		b.w = j.w;
		cr_assert_eq(world_broken(&b, j.c, &tight), 0, "run %d", run);
		for (size_t k = 0; k < a.w.k; k++) {
			double most = 0, e;

			for (size_t i = 0; i < a.m.n; i++) {
				e = (double)workload_at(&a.w, k, i) /
				    (double)fixed_pow10(workload_digits(&a.w,
				    k)) - (double)workload_at(&j.w, k, i) /
				    (double)fixed_pow10(workload_digits(&j.w,
				    k));
				most = fmax(most, fabs(e));
			}
			cr_assert_float_eq(j.bias[k], 3 * most, 1e-9 +
			    1e-9 * most);
		}
		plan_joint_free(&j);
		world_free(&a);
	}
	golden_is("plan_joint", 0, y, 72, 1023.29377);
	for (int l = 0; l < 3; l++)
		cr_assert_gt(gains[l], 4, "loss %d: %d", l, gains[l]);
}
