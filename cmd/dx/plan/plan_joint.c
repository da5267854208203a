/*
 * plan_joint: queries q' and scales c chosen together, [KPAK20] problem (6).
 *
 *	squared	n^2 |cq' - q|_2^2 + 2 |c|_2^2
 *	l1	n |cq' - q|_1 + |c|_1
 *	max	n |cq' - q|_inf + ln(K / 0.05) |c|_inf
 *
 * over P = cq' with sum_k |P_ki - P_kj| / c_k <= eps d(i,j).  Not convex, but
 * convex in (P, s) for c = s times a fixed shape (plan_bend), and c is best
 * for fixed P by plan_best.  The two blocks take turns as long as the loss
 * falls.  For one query the shape is no restriction: the squared problem is
 * convex and solved.  For the other losses the squared problem is solved for
 * a row of weights of noise against bias, and their best is taken.
 *
 * Whatever P comes out, it is rounded to a decimal grid and then planned like
 * any other workload: privacy does not depend on anything here.
 */
#include "plan_joint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plan_joint_impl.h"

#define TURNS 4

static double
real(struct rational r)
{
	return (double)r.num / (double)r.den;
}

/* The values of P as a dense workload on grids three decimals finer. */
static bool
rounded(const struct joint *j, const double *p, struct workload *out)
{
	int64_t *x = malloc((j->b.n + 1) * sizeof(*x));
	char buf[WORKLOAD_NAME];
	size_t k, i, sample;
	bool ok = x != NULL;

	*out = (struct workload){ .n = j->b.n };
	for (k = 0; ok && k < j->b.k; k++) {
		int digits = workload_digits(j->w, k) + 6;
		double most = 1e-300;

		for (i = 0; i < j->b.n; i++)
			most = fmax(most, fabs(p[i * j->b.k + k]));
		digits = digits > FIXED_DIGITS ? FIXED_DIGITS : digits;
		while (digits > 0 && most * (double)fixed_pow10(digits) > 1e15)
			digits--;
		for (i = 0; i < j->b.n; i++)
			x[i] = (int64_t)llround(p[i * j->b.k + k] *
			    (double)fixed_pow10(digits));
		ok = workload_dense(out, x, digits, workload_name(j->w, k,
		    buf, &sample));
	}
	free(x);
	return ok;
}

/* A descent that left the numbers is no better than where it began. */
static bool
sane(const struct joint *j)
{
	size_t i;

	for (i = 0; i < j->b.n * j->b.k; i++)
		if (!(fabs(j->best[i]) < 1e15))
			return false;
	return true;
}

/* Exact scales for a workload; the shape for the next turn. */
static enum plan_result
scales(struct joint *j, const struct workload *w, struct rational *c,
    double *value)
{
	enum plan_result r;
	struct plan p;
	double gap;
	size_t k;

	r = plan_open(&p, j->m, w, j->eps);
	if (r != PLAN_OK)
		return r;
	r = plan_best(&p, j->loss, c, &gap);
	*value = 0;
	for (k = 0; k < w->k; k++)
		*value = fmax(*value, real(c[k]));
	for (k = 0; k < w->k; k++)	/* a query at rest keeps a little */
		j->shape[k] = fmax(real(c[k]), 1e-6 * *value);
	plan_close(&p);
	return r;
}

static double
exact_value(const struct joint *j, const struct workload *w,
    const struct rational *c)
{
	size_t k, i, K = j->b.k;
	double *p = malloc((j->b.n * K + 1) * sizeof(*p)), v = HUGE_VAL;
	double *s = malloc((K + 1) * sizeof(*s));

	for (k = 0; p != NULL && s != NULL && k < K; k++) {
		s[k] = real(c[k]);
		for (i = 0; i < j->b.n; i++)
			p[i * K + k] = (double)workload_at(w, k, i) /
			    (double)fixed_pow10(workload_digits(w, k));
	}
	if (p != NULL && s != NULL)
		v = joint_loss(j, p, s, 1);
	free(p);
	free(s);
	return v;
}

/* One turn: bend, round, plan; keeps what is better. */
static enum plan_result
turn(struct joint *j, struct joint_plan *out, bool *better)
{
	struct rational *c = malloc((j->b.k + 1) * sizeof(*c));
	struct workload w = { 0 };
	enum plan_result r = PLAN_NO_MEMORY;
	double v, most;

	if (c != NULL && joint_bend(j, better)) {
		r = PLAN_OK;
		*better = *better && sane(j);
		if (*better)
			r = rounded(j, j->best, &w) ?
			    scales(j, &w, c, &most) : PLAN_NO_MEMORY;
	}
	if (r == PLAN_INFINITE) {	/* equals at distance 0 came apart */
		r = PLAN_OK;
		*better = false;
	}
	if (r == PLAN_OK && *better) {
		v = exact_value(j, &w, c);
		*better = v < out->value * (1 - 1e-6);
		if (*better) {
			workload_free(&out->w);
			out->w = w;
			w = (struct workload){ 0 };
			memcpy(out->c, c, j->b.k * sizeof(*c));
			out->value = j->value = v;
			*better = most > 0;	/* else no noise is left */
		}
	}
	workload_free(&w);
	free(c);
	return r;
}

static bool
setup(struct joint *j)
{
	size_t cells, k, i;

	j->b.n = j->w->n;
	j->b.k = j->w->k;
	cells = j->b.n * j->b.k + 1;
	j->q = malloc(cells * sizeof(double));
	j->best = malloc(cells * sizeof(double));
	j->b.p = malloc(cells * sizeof(double));
	j->b.weight = malloc(cells * sizeof(double));
	j->shape = malloc((j->b.k + 1) * sizeof(double));
	if (j->q == NULL || j->best == NULL || j->b.p == NULL ||
	    j->b.weight == NULL || j->shape == NULL)
		return false;
	for (k = 0; k < j->b.k; k++)
		for (i = 0; i < j->b.n; i++)
			j->q[i * j->b.k + k] = j->best[i * j->b.k + k] =
			    (double)workload_at(j->w, k, i) /
			    (double)fixed_pow10(workload_digits(j->w, k));
	j->b.q = j->q;
	j->b.shape = j->shape;
	return bend_open(&j->b, j->m, real(j->eps));
}

static void
biases(const struct joint *j, struct joint_plan *out)
{
	size_t k, i;

	for (k = 0; k < j->b.k; k++) {
		double unit = (double)fixed_pow10(workload_digits(&out->w, k));

		out->bias[k] = 0;
		for (i = 0; i < j->b.n; i++)
			out->bias[k] = fmax(out->bias[k], j->n *
			    fabs((double)workload_at(&out->w, k, i) / unit -
			    j->q[i * j->b.k + k]));
	}
}

static enum plan_result
descend(struct joint *j, struct joint_plan *out)
{
	enum plan_result r;
	bool better = true;
	double most;
	int t;

	if (!setup(j) || !rounded(j, j->q, &out->w))
		return PLAN_NO_MEMORY;
	r = scales(j, &out->w, out->c, &most);
	if (r != PLAN_OK)
		return r;
	out->opt = out->value = j->value = exact_value(j, &out->w, out->c);
	for (t = 0; t < TURNS && better && most > 0 && r == PLAN_OK; t++)
		r = turn(j, out, &better);
	if (r == PLAN_OK)
		biases(j, out);
	return r;
}

enum plan_result
plan_joint(struct joint_plan *out, const struct metric *m,
    const struct workload *w, struct rational eps, enum plan_loss loss,
    double n)
{
	struct joint j = { .m = m, .w = w, .eps = eps, .loss = loss, .n = n };
	enum plan_result r = PLAN_NO_MEMORY;

	*out = (struct joint_plan){ .w = WORKLOAD_INIT };
	out->c = malloc((w->k + 1) * sizeof(*out->c));
	out->bias = malloc((w->k + 1) * sizeof(*out->bias));
	if (out->c != NULL && out->bias != NULL)
		r = descend(&j, out);
	bend_close(&j.b);
	free(j.q);
	free(j.best);
	free(j.b.p);
	free(j.b.weight);
	free(j.shape);
	if (r != PLAN_OK)
		plan_joint_free(out);
	return r;
}

void
plan_joint_free(struct joint_plan *j)
{
	workload_free(&j->w);
	free(j->c);
	free(j->bias);
	*j = (struct joint_plan){ .w = WORKLOAD_INIT };
}
