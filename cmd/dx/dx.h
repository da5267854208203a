/*
 * dx: what dx-laplace does with a universe, its queries and a metric.
 *
 * [KPAK20 section 3.1] Answers of linear queries with Laplace noise whose
 * scales a plan chose.  Neighbours swap one record of element i for one of
 * element j, for a budget of epsilon d(i,j).
 */
#ifndef DX_H
#define DX_H

#include "dx/plan/plan.h"
#include "dx/universe/universe.h"
#include "random/noise.h"
#include "release/release.h"
#include "release/report.h"

enum { OPT_STRATEGY = UNIVERSE_OWN, OPT_LOSS, OPT_PLAN, OPT_PLOT, OPT_TOTAL };

enum dx_strategy { DX_1, DX_2, DX_3, DX_OPT, DX_JOINT, DX_STRATEGIES };

#define DX_CELLS ((size_t)40000000)	/* elements times queries */

/* The scales that one strategy gives to all queries. */
struct dx_scales {
	struct rational *c;
	double *bias;		/* joint: |c q' - q| at most; else NULL */
	double gap;		/* negative: none */
};

struct dx {
	struct opts opts;
	struct report report;
	struct release out;
	struct universe u;
	bool strategy[DX_STRATEGIES];
	bool given_strategy, given_loss, plan_only;
	enum plan_loss loss;	/* of opt and joint */
	const char *plot;
	uint64_t total;		/* public n for joint; 0: the counts' */
	bool counted;		/* before planning */
	/* after dx_scales */
	struct plan plan;	/* with epsilon 1 */
	struct dx_scales s;	/* those that are used */
	int *digits;		/* printed decimals of each query */
	int *fine;		/* decimals of its noise */
	struct scale *t;	/* s = 0: no noise */
	i128 *noise;		/* repeat times queries */
};

/* Takes the tool's options and hands the rest to opts_take. */
void dx_take(struct dx *d, int code);

/* Checks options; --explain prints and exits. */
void dx_check(struct dx *d);

/* Reads the universe, plans; --plan prints and exits. */
void dx_read(struct dx *d);

/* Draws noise, counts, releases, frees. */
void dx_write(struct dx *d);

#endif
