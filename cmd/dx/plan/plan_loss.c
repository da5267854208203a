/* plan_loss: the losses of problem (6), and bending for a fixed shape. */
#include <math.h>
#include <string.h>

#include "plan_joint_impl.h"

#define WEIGHTS 10	/* of noise against bias that are tried, l1 and max */
#define DELTA 0.05

/* The loss of P with scales c = s shape. */
double
joint_loss(const struct joint *j, const double *p, const double *c, double s)
{
	size_t cells = j->b.n * j->b.k, i;
	double bias = 0, noise = 0, e;

	for (i = 0; i < cells; i++) {
		e = fabs(p[i] - j->q[i]) * j->n;
		if (!(e < HUGE_VAL))	/* fmax would hide it */
			return HUGE_VAL;
		bias = j->loss == PLAN_MAX ? fmax(bias, e) : bias +
		    (j->loss == PLAN_L1 ? e : e * e);
	}
	for (i = 0; i < j->b.k; i++) {
		e = s * c[i];
		noise = j->loss == PLAN_MAX ? fmax(noise, e) : noise +
		    (j->loss == PLAN_L1 ? e : 2 * e * e);
	}
	return bias + noise * (j->loss == PLAN_MAX ?
	    log((double)j->b.k / DELTA) : 1);
}

/* Squares of the differences over the steepest pair: what bending moves. */
static double
stakes(const struct joint *j)
{
	const struct bend *b = &j->b;
	double worst = 0, at = 1, sum, squares, d;
	size_t e, k;

	for (e = 0; e < b->limits; e++) {
		const struct limit *l = &b->limit[e];

		for (sum = squares = 0, k = 0; k < b->k; k++) {
			d = fabs(j->q[l->i * b->k + k] -
			    j->q[l->j * b->k + k]);
			sum += d / b->shape[k];
			squares += d * d;
		}
		if (l->d > 0 && sum / l->d > worst) {
			worst = sum / l->d;
			at = squares / 2;
		}
	}
	return at;
}

/*
 * Weight of s^2 beside squares of weight n^2 / n^2: the loss itself, or one
 * of a row from much bending to little.
 */
static double
weight_of_scale(const struct joint *j, double stake, int t)
{
	double c = 0;
	size_t k;

	if (j->loss != PLAN_SQUARED)
		return stake * pow(10, 1 - 0.5 * t);
	for (k = 0; k < j->b.k; k++)
		c += 2 * j->b.shape[k] * j->b.shape[k];
	return c / (j->n * j->n);
}

/* P for the present shape; keeps the best by the true loss. */
bool
joint_bend(struct joint *j, bool *better)
{
	struct bend *b = &j->b;
	int tries = j->loss == PLAN_SQUARED ? 1 : WEIGHTS, t;
	size_t cells = b->n * b->k, i;
	double stake = stakes(j), v;

	*better = false;
	for (i = 0; i < cells; i++)
		b->weight[i] = 1;
	for (t = 0; t < tries; t++) {
		b->weight_s = weight_of_scale(j, stake, t);
		if (!bend_solve(b))
			return false;
		v = joint_loss(j, b->p, b->shape, bend_need(b, b->p));
		if (v < j->value * (1 - 1e-6)) {
			j->value = v;
			memcpy(j->best, b->p, cells * sizeof(*b->p));
			*better = true;
		}
	}
	return true;
}
