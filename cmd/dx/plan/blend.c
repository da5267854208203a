/*
 * blend: counts of single elements and a few other queries.
 *
 * With D = diag(r^2), B the rows and U the rows and a row of ones below them,
 * the covariance of the weighted least squares estimates that keep the public
 * total is 2 P, the limit for c to infinity of
 *
 *	(D + B'B + c 1 1')^-1 = D^-1 - Y' S^-1 Y,
 *	Y = U D^-1,  S = diag(1, ..., 1, 0) + U D^-1 U'
 *
 * (Woodbury): S has as many rows as U.  X = S^-1 Y is kept.
 */
#include "blend.h"

#include <math.h>
#include <stdlib.h>

bool
blend_open(struct blend *a, size_t n, size_t rows)
{
	size_t u = rows + 1;

	*a = (struct blend){ .n = n, .rows = rows };
	a->spread = calloc(n + 2 * u * n + u * u, sizeof(*a->spread));
	if (a->spread == NULL)
		return false;
	a->y = a->spread + n;
	a->x = a->y + u * n;
	a->s = a->x + u * n;
	return true;
}

void
blend_close(struct blend *a)
{
	free(a->spread);
	a->spread = NULL;
}

/* A coefficient of U. */
static double
coefficient(const struct blend *a, size_t k, size_t i)
{
	return k < a->rows ? a->b[i * a->rows + k] : 1;
}

/* The inverse of a positive definite matrix, in place, without pivots. */
static bool
invert(double *s, size_t k)
{
	size_t p, i, j;
	double pivot, f;

	for (p = 0; p < k; p++) {
		pivot = s[p * k + p];
		if (!(pivot > 0) || !(pivot < HUGE_VAL))
			return false;
		s[p * k + p] = 1;
		for (j = 0; j < k; j++)
			s[p * k + j] /= pivot;
		for (i = 0; i < k; i++) {
			if (i == p)
				continue;
			f = s[i * k + p];
			s[i * k + p] = 0;
			for (j = 0; j < k; j++)
				s[i * k + j] -= f * s[p * k + j];
		}
	}
	return true;
}

/* S and Y. */
static void
normal_matrix(struct blend *a)
{
	size_t u = a->rows + 1, n = a->n, k, l, i;
	double sum;

	for (k = 0; k < u; k++)
		for (i = 0; i < n; i++)
			a->y[k * n + i] = coefficient(a, k, i) * a->spread[i];
	for (k = 0; k < u; k++)
		for (l = 0; l <= k; l++) {
			sum = k == l && k < a->rows;
			for (i = 0; i < n; i++)
				sum += a->y[k * n + i] * coefficient(a, l, i);
			a->s[k * u + l] = a->s[l * u + k] = sum;
		}
}

bool
blend_solve(struct blend *a)
{
	size_t u = a->rows + 1, n = a->n, k, l, i;
	double f;

	for (i = 0; i < n; i++)
		a->spread[i] = 1 / (a->r[i] * a->r[i]);
	normal_matrix(a);
	if (!invert(a->s, u))
		return false;
	for (k = 0; k < u; k++) {
		for (i = 0; i < n; i++)
			a->x[k * n + i] = 0;
		for (l = 0; l < u; l++) {
			f = a->s[k * u + l];
			for (i = 0; i < n; i++)
				a->x[k * n + i] += f * a->y[l * n + i];
		}
	}
	return true;
}

void
blend_apply(const struct blend *a, const double *q, double *z)
{
	size_t n = a->n, k, i;
	double part;

	for (i = 0; i < n; i++)
		z[i] = a->spread[i] * q[i];
	for (k = 0; k <= a->rows; k++) {
		for (part = 0, i = 0; i < n; i++)
			part += a->y[k * n + i] * q[i];
		for (i = 0; i < n; i++)
			z[i] -= a->x[k * n + i] * part;
	}
}

double
blend_trace(const struct blend *a, const double *v)
{
	double *z = calloc(a->n + 1, sizeof(*z)), sum = 0;
	size_t i;

	for (i = 0; i < a->n && z != NULL; i++) {
		blend_apply(a, v + i * a->n, z);
		sum += z[i];
	}
	free(z);
	return sum;
}
