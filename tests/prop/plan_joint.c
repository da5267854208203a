/* plan_joint: exact privacy of bent queries, and their loss. */
#include "dx/plan/plan_joint.h"

#include "golden.h"
#include "plan_world.h"

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

		world_make(&a, 4 + world_draw(&state, 10),
		    1 + world_draw(&state, 3), run / 3 % WORLD_KINDS, &state);
		a.eps.den = 1000;
		cr_assert(rational_make(&a.eps, a.eps.num, a.eps.den));
		cr_assert_eq(plan_joint(&j, &a.m, &a.w, a.eps, loss, 3),
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
	golden_is("plan_joint", 0, y, 72, 972.764202);
	for (int l = 0; l < 3; l++)
		cr_assert_gt(gains[l], 4, "loss %d: %d", l, gains[l]);
}
