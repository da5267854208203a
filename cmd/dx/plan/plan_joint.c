/*
 * plan_joint: queries q' and scales c chosen together, [KPAK20] problem (6).
 *
 *	squared	n^2 |cq' - q|_2^2 + 2 |c|_2^2
 *	l1	n |cq' - q|_1 + |c|_1
 *	max	n |cq' - q|_inf + ln(K / 0.05) |c|_inf
 *
 * over P = cq' with sum_k |P_ki - P_kj| / c_k <= eps d(i,j).  Not convex, but
 * convex in (P, s) for c = s times a fixed shape (project.h), and c is best for
 * fixed P by plan_best.  The two blocks take turns as long as the loss falls.
 * For one query the shape is no restriction: the squared problem is convex and
 * solved.  For l1 and max the squared problem is solved with several weights
 * for noise against bias, and the best solution is taken.
 *
 * The resulting P is rounded to a decimal grid and then planned like any
 * workload: privacy does not depend on plan_joint.
 */
#include "plan_joint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "number/memory.h"
#include "project.h"

#define TURNS 4
#define WEIGHTS 10	/* tried for noise against bias, l1 and max */
#define DELTA 0.05

/* Block coordinate descent: move the queries, then plan their scales. */
struct descent {
	const struct metric *m;
	const struct workload *w;
	double eps;
	enum plan_loss loss;
	double n;
	struct projection b;
	double *best;
	double value;		/* of best with scales s shape */
};

/* A workload's coefficients, n x K. */
static double *
coefficients(const struct workload *w)
{
	double *p = err_alloc(NULL, w->n, w->k * sizeof(*p));

	for (size_t k = 0; k < w->k; k++)
		for (size_t i = 0; i < w->n; i++)
			p[i * w->k + k] = (double)workload_at(w, k, i) /
			    (double)fixed_pow10(workload_digits(w, k));
	return p;
}

/* A sum of losses, or the largest, with one more; `times' squares count. */
static double
add_loss(enum plan_loss loss, double sum, double e, double times)
{
	if (loss == PLAN_MAX)
		return fmax(sum, e);
	return sum + (loss == PLAN_L1 ? e : times * e * e);
}

/* The loss of P with scales c = s shape. */
static double
loss_of(const struct descent *j, const double *p, const double *c, double s)
{
	size_t cells = j->b.n * j->b.k;
	double bias = 0, noise = 0, e;

	for (size_t i = 0; i < cells; i++) {
		e = fabs(p[i] - j->b.q[i]) * j->n;
		if (!(e < HUGE_VAL))	/* fmax would hide a NaN */
			return HUGE_VAL;
		bias = add_loss(j->loss, bias, e, 1);
	}
	for (size_t i = 0; i < j->b.k; i++)
		noise = add_loss(j->loss, noise, s * c[i], 2);
	if (j->loss == PLAN_MAX)
		noise *= log((double)j->b.k / DELTA);
	return bias + noise;
}

/*
 * The weight of s^2 beside squares with weight n^2 / n^2: the squared loss's
 * own, or a weight between much bias and little.
 */
static double
weight_of_scale(const struct descent *j, int t)
{
	double c = 0;

	for (size_t k = 0; k < j->b.k; k++)
		c += 2 * j->b.shape[k] * j->b.shape[k];
	if (j->loss != PLAN_SQUARED)
		c *= pow(10, 3 - 0.5 * t);
	return c / (j->n * j->n);
}

/*
 * Finds P for the present shape; keeps the best by the true loss.  False
 * without a P.
 */
static bool
project(struct descent *j)
{
	struct projection *b = &j->b;
	int tries = j->loss == PLAN_SQUARED ? 1 : WEIGHTS;
	size_t cells = b->n * b->k;
	bool better = false;
	double v;

	for (int t = 0; t < tries; t++) {
		b->weight = weight_of_scale(j, t);
		project_solve(b);
		v = loss_of(j, b->p, b->shape, project_need(b, b->p));
		if (v < j->value * (1 - 1e-6)) {
			j->value = v;
			memcpy(j->best, b->p, cells * sizeof(*b->p));
			better = true;
		}
	}
	return better;
}

/* P's values as a dense workload on grids three decimals finer. */
static void
round_queries(const struct descent *j, const double *p, struct workload *out)
{
	int64_t *x = err_alloc(NULL, j->b.n, sizeof(*x));

	*out = (struct workload){ .n = j->b.n };
	for (size_t k = 0; k < j->b.k; k++) {
		int digits = workload_digits(j->w, k) + 6;
		double most = 1e-300;

		for (size_t i = 0; i < j->b.n; i++)
			most = fmax(most, fabs(p[i * j->b.k + k]));
		digits = FIXED_LEAST(digits, FIXED_DIGITS);
		while (digits > 0 && most * (double)fixed_pow10(digits) > 1e15)
			digits--;
		for (size_t i = 0; i < j->b.n; i++)
			x[i] = (int64_t)llround(p[i * j->b.k + k] *
			    (double)fixed_pow10(digits));
		workload_dense(out, x, digits);
	}
	free(x);
}

/* A descent that ends at infinity or NaN is not better than the start. */
static bool
sane(const struct descent *j)
{
	for (size_t i = 0; i < j->b.n * j->b.k; i++)
		if (!(fabs(j->best[i]) < 1e15))
			return false;
	return true;
}

/* Exact scales for a workload; the shape for the next turn. */
static enum plan_result
scales(struct descent *j, const struct workload *w, struct rational *c,
    double *value)
{
	enum plan_result r;
	struct plan p;
	double gap;
	size_t k;

	r = plan_open(&p, j->m, w);
	if (r == PLAN_OK)
		r = plan_best(&p, j->loss, c, &gap);
	plan_close(&p);
	if (r != PLAN_OK)
		return r;
	*value = 0;
	for (k = 0; k < w->k; k++)
		*value = fmax(*value, rational_real(c[k]) / j->eps);
	for (k = 0; k < w->k; k++)	/* a query at rest keeps a little */
		j->b.shape[k] = fmax(rational_real(c[k]) / j->eps,
		    1e-6 * *value);
	return r;
}

static double
exact_value(const struct descent *j, const struct workload *w,
    const struct rational *c)
{
	double *p = coefficients(w), v;
	double *s = err_alloc(NULL, w->k, sizeof(*s));

	for (size_t k = 0; k < w->k; k++)
		s[k] = rational_real(c[k]) / j->eps;
	v = loss_of(j, p, s, 1);
	free(p);
	free(s);
	return v;
}

/*
 * One turn: project, round, plan; keeps the better result.  Elements at
 * distance 0 may get different rows: then the result is not a plan.  Without
 * noise nothing can be better.
 */
static enum plan_result
turn(struct descent *j, struct joint_plan *out, bool *better)
{
	struct rational *c = err_alloc(NULL, j->b.k, sizeof(*c));
	struct workload w = WORKLOAD_INIT;
	enum plan_result r = PLAN_OK;
	double v = HUGE_VAL, most = 0;

	if (project(j) && sane(j)) {
		round_queries(j, j->best, &w);
		r = scales(j, &w, c, &most);
		if (r == PLAN_OK)
			v = exact_value(j, &w, c);
	}
	*better = v < out->value * (1 - 1e-6);
	if (*better) {
		workload_free(&out->w);
		out->w = w;
		w = (struct workload)WORKLOAD_INIT;
		memcpy(out->c, c, j->b.k * sizeof(*c));
		out->value = j->value = v;
		*better = most > 0;
	}
	workload_free(&w);
	free(c);
	return r == PLAN_INFINITE ? PLAN_OK : r;
}

static void
setup(struct descent *j)
{
	j->b.n = j->w->n;
	j->b.k = j->w->k;
	j->b.q = coefficients(j->w);
	j->b.p = coefficients(j->w);
	j->best = coefficients(j->w);
	j->b.shape = err_alloc(NULL, j->b.k, sizeof(*j->b.shape));
	project_open(&j->b, j->m, j->eps);
}

static void
biases(const struct descent *j, struct joint_plan *out)
{
	double *p = coefficients(&out->w), *bias;

	for (size_t i = 0; i < j->b.n * j->b.k; i++) {
		bias = &out->bias[i % j->b.k];
		*bias = fmax(*bias, j->n * fabs(p[i] - j->b.q[i]));
	}
	free(p);
}

static enum plan_result
descend_turns(struct descent *j, struct joint_plan *out)
{
	enum plan_result r;
	bool better = true;
	double most;

	setup(j);
	round_queries(j, j->b.q, &out->w);
	r = scales(j, &out->w, out->c, &most);
	if (r != PLAN_OK)
		return r;
	out->opt = out->value = j->value = exact_value(j, &out->w, out->c);
	for (int t = 0; t < TURNS && better && most > 0 && r == PLAN_OK; t++)
		r = turn(j, out, &better);
	if (r == PLAN_OK)
		biases(j, out);
	return r;
}

enum plan_result
plan_joint(struct joint_plan *out, const struct metric *m,
    const struct workload *w, double eps, enum plan_loss loss, double n)
{
	struct descent j = { .m = m, .w = w, .eps = eps, .loss = loss, .n = n };
	enum plan_result r;

	*out = (struct joint_plan){ .w = WORKLOAD_INIT };
	out->c = err_alloc(NULL, w->k, sizeof(*out->c));
	out->bias = err_alloc(NULL, w->k, sizeof(*out->bias));
	r = descend_turns(&j, out);
	project_close(&j.b);
	free(j.best);
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
