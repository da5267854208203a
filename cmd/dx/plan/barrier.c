/*
 * barrier: strategy opt's convex program by a barrier Newton method.
 *
 *	minimise f(x) = sum_k n_k (w_k / x_k)^p  subject to  a x <= 1, x > 0,
 *
 * or f(x) = sum_k n_k ln(w_k / x_k), called the power p = 0.
 *
 * In rates the constraints are linear and f is convex, so the optimum is found:
 * t f(x) - sum log(1 - a x) is minimised for growing t by Newton steps with
 * backtracking.  At the minimum y = 1 / (t (1 - a x)) is dual feasible, and in
 * any case
 *
 *	min_x f(x) + y (a x - 1)
 *	    = (1 + 1/p) sum_k m_k x_k* - sum y,  m = a' y,
 *	      x_k* = (p n_k w_k^p / m_k)^(1/(p+1)),
 *
 * is a lower bound for any y >= 0; along the ray s y the bound is largest at s
 * = (p P / ((p+1) Y))^(p+1) with P the first sum and Y = sum y.  For p = 0 the
 * minimum is at x_k* = n_k / m_k:
 *
 *	sum_k n_k ln(w_k m_k / n_k) + N - Y,
 *
 * with N the sum of n_k, and along the ray largest at s = N / Y.
 */
#include "barrier.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "number/memory.h"

#define GAP 1e-11	/* relative duality gap to stop at */
#define NEWTON 60	/* steps for one t at most */

struct state {
	const struct barrier *b;
	double *x, *dx, *trial;
	double *slack;		/* 1 - a x */
	double *h;		/* Hessian, then the factor */
	double t;
};

double
barrier_cost(const struct barrier *b, const double *x)
{
	double f = 0;

	for (size_t k = 0; k < b->k; k++)
		if (b->power == 0)
			f += b->times[k] * log(b->cost[k] / x[k]);
		else
			f += b->times[k] * pow(b->cost[k] / x[k], b->power);
	return f;
}

/* The unit of a gap: a logarithm of 1 is a relative gap of 1. */
static double
magnitude(const struct barrier *b, double f)
{
	return b->power == 0 ? b->all : f;
}

/* Slacks at x; false when x is not strictly feasible. */
static bool
slacks(const struct barrier *b, const double *x, double *slack)
{
	for (size_t k = 0; k < b->k; k++)
		if (!(x[k] > 0))
			return false;
	for (size_t i = 0; i < b->rows; i++) {
		slack[i] = 1;
		for (size_t k = 0; k < b->k; k++)
			slack[i] -= b->a[i * b->k + k] * x[k];
		if (!(slack[i] > 0))
			return false;
	}
	return true;
}

static double
potential(const struct state *s, const double *x, const double *slack)
{
	double v = s->t * barrier_cost(s->b, x);

	for (size_t i = 0; i < s->b->rows; i++)
		v -= log(slack[i]);
	return v;
}

/* Gradient to dx (negated), Hessian to h (lower half). */
static void
derivatives(struct state *s)
{
	const struct barrier *b = s->b;
	size_t n = b->k;
	double p = b->power, g;

	memset(s->h, 0, n * n * sizeof(*s->h));
	for (size_t k = 0; k < n; k++) {
		g = s->t * b->times[k] / s->x[k];
		if (b->power > 0)
			g *= p * pow(b->cost[k] / s->x[k], p);
		s->dx[k] = g;
		s->h[k * n + k] = g * (p + 1) / s->x[k];
	}
	for (size_t i = 0; i < b->rows; i++) {
		const double *a = b->a + i * n;
		double y = 1 / s->slack[i];

		for (size_t k = 0; k < n; k++) {
			if (!(a[k] > 0))
				continue;
			s->dx[k] -= y * a[k];
			for (size_t l = 0; l <= k; l++)
				s->h[k * n + l] += y * y * a[k] * a[l];
		}
	}
}

/* Cholesky's factor in place; false when h is not positive definite. */
static bool
factor(double *h, size_t n)
{
	double v;

	for (size_t j = 0; j < n; j++)
		for (size_t i = j; i < n; i++) {
			v = h[i * n + j];
			for (size_t k = 0; k < j; k++)
				v -= h[i * n + k] * h[j * n + k];
			if (i == j && !(v > 0))
				return false;
			h[i * n + j] = i == j ? sqrt(v) : v / h[j * n + j];
		}
	return true;
}

static void
solve(const double *h, size_t n, double *v)
{
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < i; k++)
			v[i] -= h[i * n + k] * v[k];
		v[i] /= h[i * n + i];
	}
	for (size_t i = n; i-- > 0;) {
		for (size_t k = i + 1; k < n; k++)
			v[i] -= h[k * n + i] * v[k];
		v[i] /= h[i * n + i];
	}
}

/* A Newton step; false when x no longer moves. */
static bool
newton(struct state *s)
{
	const struct barrier *b = s->b;
	double now = potential(s, s->x, s->slack), decrement = 0, step = 1;

	derivatives(s);
	memcpy(s->trial, s->dx, b->k * sizeof(*s->dx));
	if (!factor(s->h, b->k))
		return false;
	solve(s->h, b->k, s->dx);
	for (size_t k = 0; k < b->k; k++)
		decrement += s->trial[k] * s->dx[k];
	if (!(decrement > 1e-12))
		return false;
	for (int halved = 0; halved < 40; halved++) {
		for (size_t k = 0; k < b->k; k++)
			s->trial[k] = s->x[k] + step * s->dx[k];
		if (slacks(b, s->trial, s->slack) && potential(s, s->trial,
		    s->slack) <= now - 0.1 * step * decrement) {
			memcpy(s->x, s->trial, b->k * sizeof(*s->x));
			return true;
		}
		step /= 2;
	}
	slacks(b, s->x, s->slack);
	return false;
}

/* The dual bound at y = 1 / slack, scaled to be the largest. */
static double
dual(const struct state *s, double *m)
{
	const struct barrier *b = s->b;
	double p = b->power, sum = 0, y = 0, ray;

	memset(m, 0, b->k * sizeof(*m));
	for (size_t i = 0; i < b->rows; i++) {
		y += 1 / s->slack[i];
		for (size_t k = 0; k < b->k; k++)
			m[k] += b->a[i * b->k + k] / s->slack[i];
	}
	if (b->power == 0) {
		for (size_t k = 0; k < b->k; k++)
			sum += b->times[k] * log(b->cost[k] * m[k] /
			    (b->times[k] * y));
		return sum + b->all * log(b->all);
	}
	for (size_t k = 0; k < b->k; k++)
		sum += (1 + 1 / p) * m[k] *
		    pow(p * b->times[k] * pow(b->cost[k], p) / m[k],
		    1 / (p + 1));
	ray = pow(p * sum / ((p + 1) * y), p + 1);
	return pow(ray, p / (p + 1)) * sum - ray * y;
}

static void
run(struct state *s, struct barrier *b)
{
	double f, bound;

	b->lower = b->power == 0 ? -HUGE_VAL : 0;
	slacks(b, s->x, s->slack);
	s->t = (double)b->rows / magnitude(b, barrier_cost(b, s->x));
	for (;;) {
		for (int i = 0; i < NEWTON && newton(s); i++)
			;
		f = barrier_cost(b, s->x);
		bound = dual(s, s->trial);
		if (bound > b->lower)
			b->lower = bound;
		if (f - b->lower <= GAP * magnitude(b, f) ||
		    s->t > 1e15 * (double)b->rows / magnitude(b, f))
			break;
		s->t *= 30;
	}
}

void
barrier_solve(struct barrier *b, double *x)
{
	size_t k = b->k;
	double *all = err_alloc(NULL, 2 * k + b->rows + k * k, sizeof(*all));
	struct state s = { .b = b, .x = x };

	s.dx = all;
	s.trial = all + k;
	s.slack = all + 2 * k;
	s.h = s.slack + b->rows;
	run(&s, b);
	free(all);
}
