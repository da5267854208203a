/* dx_impl: what the sources of dx share. */
#ifndef DX_IMPL_H
#define DX_IMPL_H

#include "dx.h"

/* Exits with words where a plan failed. */
void dx_failed(struct dx *d, enum plan_result r);

/* Opens the plan and works out one strategy, with epsilon 1. */
void dx_open_plan(struct dx *d);
void dx_strategy(struct dx *d, enum dx_strategy which, struct dx_scales *s);
void dx_free_scales(struct dx_scales *s);

/* Bias and noise have one unit only in the other losses. */
static inline enum plan_loss
dx_joint_loss(const struct dx *d)
{
	return d->given_loss ? d->loss : PLAN_SQUARED;
}

/* Queries, plan, epsilon, noise: all that the release needs. */
void dx_fit(struct dx *d);

/* Scale and error of query k, for the report. */
void dx_describe(struct dx *d, size_t k);

/* Prints the plan and exits. */
noreturn void dx_print_plan(struct dx *d);

/* A table of improvement factors as an SVG, through gnuplot. */
void dx_plot(const struct dx *d, const double *improvement,
    const char *const *strategy, const size_t *query, size_t rows);

extern const char *const dx_names[DX_STRATEGIES];

#endif
