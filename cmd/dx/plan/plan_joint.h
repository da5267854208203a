/*
 * plan_joint: queries q' and scales c chosen together, [KPAK20] problem (6).
 *
 * A query that is bent a little needs less noise.  The answer is then biased by
 * at most n max |q' - q|, which only pays for few records.
 */
#pragma once

#include "metric.h"
#include "workload.h"
#include "number/fixed.h"
#include "plan.h"

#define JOINT_ELEMENTS ((size_t)2000)
#define JOINT_CELLS ((size_t)10000)	/* elements times queries: seconds */

struct joint_plan {
	struct workload w;	/* the bent queries, dense */
	struct rational *c;
	double *bias;		/* n max_i |q'_ki - q_ki| */
	double value;		/* the loss; opt's with q' = q */
	double opt;
};

/*
 * Block coordinate descent from the scales of plan_best: never worse than
 * plan_best, optimal for one query under squared loss, a heuristic otherwise.
 * Bias is weighed against the noise at eps; the scales are exact for the bent
 * queries and epsilon 1.  n is public; the loss is not PLAN_RELATIVE.  Needs at
 * most JOINT_ELEMENTS elements.
 */
enum plan_result plan_joint(struct joint_plan *j, const struct metric *m,
    const struct workload *w, double eps, enum plan_loss loss, double n);

void plan_joint_free(struct joint_plan *j);
