/*
 * plan_rates: the queries' budget per unit, r_k = 1 / c_k, in doubles.
 *
 * In rates the constraints of a plan are linear: the load of two elements,
 * sum_k r_k |q_ki - q_kj| / d(i,j), is at most 1.
 */
#pragma once

#include "number/fixed.h"
#include "plan.h"
#include "slope.h"

/*
 * Turns rates into exact scales, lowering the rates until no constraint is
 * broken.
 */
enum plan_result rates_finish(struct plan *p, const double *rate,
    struct rational *c);

/* Lowers rates to private rates; false: nothing binds. */
bool rates_lower(struct plan *p, const double *rate, double *out);

/* Keeps a pair that binds, for later searches. */
void rates_keep(struct plan *p, struct pair pair);

/*
 * The rates base + t dir, for pairs of elements that differ in query need
 * (SLOPE_NONE: for every pair).
 */
struct ray {
	const double *base;
	const double *dir;
	size_t need;
};

/*
 * The largest t with no load above 1 on the pairs kept so far; HUGE_VAL: any.
 * at: the pair that binds.
 */
double rates_kept(struct plan *p, const struct ray *ray, struct pair *at);

/* rates_kept over every pair. */
double rates_step(struct plan *p, const struct ray *ray, struct pair *at);
