/*
 * dx: dx-laplace on a universe, queries and a metric.
 *
 * [KPAK20 section 3.1] Answers to linear queries with Laplace noise, scales
 * chosen by a plan.  Neighbours swap a record of element i for a record of
 * element j, for a budget of epsilon d(i,j).
 */
#pragma once

#include "dx/plan/plan.h"
#include "dx/plan/tree.h"
#include "dx/universe/universe.h"
#include "number/fixed.h"
#include "random/noise.h"
#include "run/run.h"
#include "tool/opts.h"

enum { OPT_STRATEGY = UNIVERSE_OWN, OPT_LOSS, OPT_PLAN, OPT_TOTAL };

enum dx_strategy {
	DX_1, DX_2, DX_3, DX_OPT, DX_JOINT, DX_TREE, DX_SINGLE, DX_STRATEGIES
};

/* Does a strategy measure new queries and fit counts to the answers? */
static inline bool
dx_is_fitted(enum dx_strategy s)
{
	return s >= DX_TREE;
}

#define DX_CELLS ((size_t)40000000)	/* elements times queries */
#define DX_ANSWERS ((size_t)1 << 24)	/* queries on fitted counts */
#define DX_LAWS ((size_t)1 << 16)	/* and with --interval, --within */

/*
 * The scales that a strategy gives to the queries.  For tree and cells: the
 * scale of noise with an equal mean squared error.
 */
struct dx_scales {
	struct rational *c;
	double *bias;		/* joint: |c q' - q| at most; else NULL */
	double gap;		/* negative: none */
};

struct dx {
	struct opts opts;	/* not written to after dx_check */
	struct report report;
	struct release out;
	struct universe u;
	bool strategy[DX_STRATEGIES];
	bool given_strategy, given_loss, plan_only;
	enum plan_loss loss;	/* for opt and joint */
	uint64_t total;		/* public n for joint; 0: not known yet */
	bool counted;		/* before planning */
	/* after dx_fit */
	struct rational eps;	/* for the release */
	struct plan plan;	/* with epsilon 1 */
	enum dx_strategy fitted;	/* tree or cells, where at work */
	struct tree tree;	/* the same */
	struct rational *measured;	/* fitted: scales for epsilon 1, 0:
					   not measured */
	size_t measures;
	double *variances;	/* of the tree's nodes */
	double error95;		/* fitted: the largest, for epsilon 1 */
	double *reach;		/* fitted: half widths of --interval */
	struct dx_scales s;	/* the scales in use */
	int *digits;		/* each query's printed decimals */
	int *fine;		/* each noise's decimals; fitted: the first */
	struct scale *t;	/* s = 0: no noise; fitted: for each measured
				   query */
	struct rng rng;
	i128 *exact;		/* answers; NULL: from fitted counts */
	bool rows;		/* is each query a printed row? */
};

/*
 * The steps of run/run.h; dx_open reads the universe and plans; --plan prints
 * and exits there.  Those of dx_run.c:
 */
extern const struct run_steps dx_steps;
void dx_count(void *arg);
void dx_ask(void *arg);
void dx_declare(void *arg);
bool dx_rows(void *arg, uint64_t rel);

/* Exits with words where a plan failed. */
void dx_failed(const struct dx *d, enum plan_result r);

/*
 * Opens the plan, or chooses the counts of a fitted strategy; works out one
 * strategy.  With epsilon 1.
 */
void dx_begin(struct dx *d, enum dx_strategy which);
void dx_strategy(struct dx *d, enum dx_strategy which, struct dx_scales *s);
void dx_free_scales(struct dx_scales *s);

/* Only under the other losses do bias and noise share a unit. */
static inline enum plan_loss
dx_joint_loss(const struct dx *d)
{
	return d->given_loss ? d->loss : PLAN_SQUARED;
}

/* A release's strategy. */
enum dx_strategy dx_chosen(const struct dx *d);

/* Everything for the release: queries, plan, epsilon, noise. */
void dx_fit(struct dx *d);

/* Decimals of the grid where a scale has a thousand steps. */
int dx_scale_digits(struct rational c);

/* Room for the queries' grids and this many noises. */
void dx_room(struct dx *d, size_t noises);

/* Scale and error of query k, for the report. */
void dx_describe(struct dx *d, size_t k);

/* Prints the plan and exits. */
noreturn void dx_print_plan(struct dx *d);

/* Takes tree or cells instead of opt if the expected error is smaller. */
void dx_prefer(struct dx *d);

/*
 * Strategies tree and cells: noise on separate counts, and the asked queries'
 * answers from the best fitting element counts.  Chooses the counts and their
 * scales for epsilon 1; grids and noise for d->eps, false where they do not
 * fit.
 */
enum plan_result dx_fitted_choose(struct dx *d, enum dx_strategy which);
bool dx_fitted_settle(struct dx *d);

/* An answer's variance, and the scale with as much, for epsilon 1. */
double dx_fitted_variance(const struct dx *d, size_t k);
struct rational dx_fitted_scale(const struct dx *d, size_t k);

/* The choice and the expected error, in words. */
void dx_fitted_describe(const struct dx *d, char *buf, size_t size);

/*
 * Draws and least squares for a release: the counts of the first 0..n elements
 * on the grid d->fine, to be freed.
 */
i128 *dx_fitted_counts(struct dx *d);

/* The answer to query k from such counts, on the grid d->digits. */
struct answer dx_fitted_answer(const struct dx *d, size_t k,
    const i128 *prefix);

/* The queries' largest 95 % error for epsilon 1. */
double dx_fitted_error95(const struct dx *d);

extern const char *const dx_names[DX_STRATEGIES];
