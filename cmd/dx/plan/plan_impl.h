/* plan_impl: what the sources of plan share. */
#ifndef PLAN_IMPL_H
#define PLAN_IMPL_H

#include "plan.h"

/* Products and quotients of positive rationals, rounded up where the exact
   one has no room. */
bool plan_mul_up(struct rational *r, struct rational a, struct rational b);
bool plan_div_up(struct rational *r, struct rational a, struct rational b);

/* Smallest c for a numerator in steps of 10^-digits over a budget d. */
bool plan_scale_up(const struct plan *p, u128 num, int digits,
    struct rational d, struct rational *c);

/*
 * Turns rates into scales, lowering all of them until no constraint is
 * broken.
 */
enum plan_result plan_finish(struct plan *p, const double *rate,
    struct rational *c);

/* Rates of scales, for comparisons. */
void plan_rates(const struct plan *p, const struct rational *c,
    double *rate);

/* Keeps a pair; false without memory. */
bool plan_keep(struct plan *p, struct pair pair);

/*
 * Largest t for which no load of base + t dir exceeds 1 on pairs that differ
 * in query need (SLOPE_NONE: all); HUGE_VAL: any.  at: the pair that binds.
 * Negative without memory.
 */
double plan_step(struct plan *p, const double *base, const double *dir,
    size_t need, struct pair *at);

/* Scales with the least maximum, the others as small as it lets them be. */
enum plan_result plan_max(struct plan *p, struct rational *c, double *gap);

/* Rates of [KPAK20 Algorithm 3]; false without memory. */
bool plan_psa(struct plan *p, double *rate);

/*
 * Minimises sum_k (cost_k / x_k)^power, for power 0 sum_k ln(cost_k / x_k),
 * over a x <= 1, x > 0, a having `rows` rows of k; x comes in strictly
 * feasible.  lower: a value that no feasible x goes below.  False without
 * memory.
 */
struct barrier {
	const double *a;
	size_t rows;
	size_t k;
	const double *cost;
	int power;
	double lower;
};
bool barrier_solve(struct barrier *b, double *x);

#endif
