/* plan_joint: exact privacy of bent queries, and their loss. */
#include "dx/plan/plan_joint.h"

#include "plan_world.h"

static const enum plan_loss losses[] = { PLAN_SQUARED, PLAN_L1, PLAN_MAX };

/* [KPAK20 Theorem 1, section 3.1, Equation 6] */
Test(plan_joint, bent_queries_keep_every_budget_and_are_never_worse)
{
	uint64_t state = 1;
	int gains[3] = { 0, 0, 0 };

	for (int run = 0; run < 72; run++) {
		enum plan_loss loss = losses[run % 3];
		struct joint_plan j;
		struct world a, b;
		size_t tight;

		world_make(&a, 4 + world_draw(&state, 10),
		    1 + world_draw(&state, 3), run / 3 % WORLD_KINDS, &state);
		a.eps.den = 1000;
		cr_assert(rational_make(&a.eps, a.eps.num, a.eps.den));
		cr_assert_eq(plan_joint(&j, &a.m, &a.w, a.eps, loss, 3),
		    PLAN_OK);
		cr_assert_leq(j.value, j.opt);
		gains[run % 3] += j.value < 0.99 * j.opt;
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
	for (int l = 0; l < 3; l++)
		cr_assert_gt(gains[l], 4, "loss %d: %d", l, gains[l]);
}

/* One query, eps 1: the loss as a function of c, minimised by sections. */
static double
squared_loss(const struct world *a, double n, double c)
{
	double p[32], e = 0;

	/* projection on |p_i - p_j| <= c d by Dykstra's method, slowly */
	static double inc[32 * 32];
	size_t N = a->m.n;
	u128 v;

	memset(inc, 0, sizeof(inc));
	for (size_t i = 0; i < N; i++)
		p[i] = (double)workload_at(&a->w, 0, i) /
		    (double)fixed_pow10(workload_digits(&a->w, 0));
	for (int sweep = 0; sweep < 3000; sweep++)
		for (size_t i = 0; i < N; i++)
			for (size_t j = 0; j < i; j++) {
				double d, over, *y = &inc[i * 32 + j];

				if (!world_measure(a, i, j, &v))
					continue;
				d = c * (double)v / 1000;
				p[i] += *y;
				p[j] -= *y;
				over = p[i] - p[j];
				*y = over > d ? (over - d) / 2 :
				    over < -d ? (over + d) / 2 : 0;
				p[i] -= *y;
				p[j] += *y;
			}
	for (size_t i = 0; i < N; i++) {
		double q = (double)workload_at(&a->w, 0, i) /
		    (double)fixed_pow10(workload_digits(&a->w, 0));

		e += (p[i] - q) * (p[i] - q);
	}
	return n * n * e + 2 * c * c;
}

/* The bias that a Lipschitz extension needs [McShane]: half the excess. */
static double
max_loss(const struct world *a, double n, double c)
{
	double h = 0;
	u128 v;

	for (size_t i = 0; i < a->m.n; i++)
		for (size_t j = 0; j < i; j++)
			if (world_measure(a, i, j, &v))
				h = fmax(h, (fabs((double)(workload_at(&a->w,
				    0, i) - workload_at(&a->w, 0, j))) /
				    (double)fixed_pow10(workload_digits(
				    &a->w, 0)) - c * (double)v / 1000) / 2);
	return n * h + log(1 / 0.05) * c;
}

static double
minimum(const struct world *a, double n, double most,
    double (*f)(const struct world *, double, double))
{
	double lo = 0, hi = most;

	for (int i = 0; i < 60; i++) {
		double x = lo + (hi - lo) * 0.382, y = lo + (hi - lo) * 0.618;

		if (f(a, n, x) < f(a, n, y))
			hi = y;
		else
			lo = x;
	}
	return f(a, n, (lo + hi) / 2);
}

Test(plan_joint, one_query_under_squared_loss_is_solved)
{
	uint64_t state = 2;

	for (int run = 0; run < 12; run++) {
		struct joint_plan j;
		struct world a;
		double want;

		world_make(&a, 4 + world_draw(&state, 4), 1, run % 2 ? 0 : 10,
		    &state);
		a.eps = (struct rational){ 1, 1 };
		for (size_t i = 0; a.m.kind == METRIC_SUM && i < a.m.n *
		    a.m.dims; i++)
			a.m.x[i] /= 300;	/* closer than 1: it pays */
		if (plan_joint(&j, &a.m, &a.w, a.eps, PLAN_SQUARED, 1.5) ==
		    PLAN_OK) {
			want = minimum(&a, 1.5, sqrt(j.opt / 2), squared_loss);
			cr_assert_float_eq(j.value, want, 1e-4 * want + 1e-5 *
			    j.opt,
			    "run %d: %g, not %g (%g)", run, j.value, want,
			    j.opt);
			plan_joint_free(&j);
		}
		world_free(&a);
	}
}

Test(plan_joint, one_query_under_the_largest_loss_comes_close)
{
	uint64_t state = 3;

	for (int run = 0; run < 40; run++) {
		struct joint_plan j;
		struct world a;
		double want;

		world_make(&a, 4 + world_draw(&state, 12), 1, run % 2 ? 2 : 10,
		    &state);
		a.eps = (struct rational){ 1, 1 };
		cr_assert_eq(plan_joint(&j, &a.m, &a.w, a.eps, PLAN_MAX, 0.01),
		    PLAN_OK);
		want = minimum(&a, 0.01, j.opt / log(20), max_loss);
		cr_assert_geq(j.value, want * (1 - 1e-5));
		cr_assert_leq(j.value, want + 0.5 * (j.opt - want) + 1e-9,
		    "run %d: %g, not %g (%g)", run, j.value, want, j.opt);
		plan_joint_free(&j);
		world_free(&a);
	}
}
