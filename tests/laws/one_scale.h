/* one_scale: the scale of one score or statistic under a metric. */
#ifndef ONE_SCALE_H
#define ONE_SCALE_H

#include <criterion/criterion.h>

#include "dx/plan/plan.h"

/*
 * max |u_i - u_j| / (eps d(i,j)) for u on whole numbers.
 * [KPAK20 Theorem 3, Theorem 10]
 */
static inline struct rational
one_scale(const struct metric *m, const int64_t *u, struct rational eps)
{
	struct workload w = { .n = m->n };
	struct rational c;
	struct plan p;

	workload_dense(&w, u, 0);
	cr_assert_eq(plan_open(&p, m, &w, eps), PLAN_OK);
	cr_assert_eq(plan_split(&p, &c), PLAN_OK);
	plan_close(&p);
	workload_free(&w);
	return c;
}

#endif
