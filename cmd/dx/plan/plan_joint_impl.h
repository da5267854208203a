/* plan_joint_impl: what the sources of plan_joint share. */
#ifndef PLAN_JOINT_IMPL_H
#define PLAN_JOINT_IMPL_H

#include "plan_bend.h"
#include "plan_joint.h"

struct joint {
	const struct metric *m;
	const struct workload *w;
	struct rational eps;
	enum plan_loss loss;
	double n;
	struct bend b;
	double *q, *shape, *best;
	double value;		/* of best with scales s shape */
};

/* The loss of P with scales s c. */
double joint_loss(const struct joint *j, const double *p, const double *c,
    double s);

/* Bends for the present shape; keeps the best; false without memory. */
bool joint_bend(struct joint *j, bool *better);

#endif
