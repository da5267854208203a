/*
 * blend_search: what a blend costs, and how that changes.
 *
 * A blend is private after its rates are divided by the largest load
 *
 *	max_ij (r_i + r_j + sum_k |b_ki - b_kj|) / d(i,j)  [KPAK20 Theorem 1],
 *
 * and half the sum of the variances of all queries is tr(V P) times its
 * square, V = sum q q'.  The maximum is taken as the norm of all loads for a
 * large power of two, |t| as sqrt(t^2 + soft^2), so that both have
 * derivatives.  With G = P V P those of tr(V P) are -G_ii by r_i^2 and -2 B G
 * by B; with T = V Y', R = Y T, Z = T' D^-1 - R X,
 *
 *	B G = (S^-1 Z) without its last row,
 *	G_ii = V_ii / r_i^4 - sum_k X_ki (T_ik / r_i^2 + Z_ki).
 */
#include "blend.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool
blend_search_open(struct blend_search *s, size_t n, size_t rows,
    size_t limits)
{
	size_t u = rows + 1;

	*s = (struct blend_search){ .limits = limits };
	if (!blend_open(&s->a, n, rows))
		return false;
	s->r = calloc(2 * n + limits + 2 * u * n + n * rows + 1,
	    sizeof(*s->r));
	if (s->r == NULL)
		return false;
	s->a.r = s->r;
	s->load = s->r + n;
	s->t = s->load + limits;
	s->z = s->t + u * n;
	s->slope = s->z + u * n;
	return true;
}

void
blend_search_close(struct blend_search *s)
{
	blend_close(&s->a);
	free(s->r);
	s->r = NULL;
}

/* T', row by row. */
static void
multiply(struct blend_search *s)
{
	const struct blend *a = &s->a;
	size_t n = a->n, k, i, j;

	memset(s->t, 0, (a->rows + 1) * n * sizeof(*s->t));
	for (k = 0; k <= a->rows; k++)
		for (i = 0; i < n; i++) {
			const double *v = s->v + i * n;
			double y = a->y[k * n + i], *t = s->t + k * n;

			for (j = 0; j < n; j++)
				t[j] += y * v[j];
		}
}

/* tr(V P); makes Z. */
static double
trace(struct blend_search *s)
{
	const struct blend *a = &s->a;
	size_t n = a->n, u = a->rows + 1, k, l, i;
	double sum = 0, r;

	multiply(s);
	for (i = 0; i < n; i++)
		sum += s->v[i * n + i] * a->spread[i];
	for (i = 0; i < u * n; i++)
		/* NOLINTNEXTLINE(clang-analyzer-*): n is 0 for no i */
		s->z[i] = s->t[i] * a->spread[i % n];
	for (k = 0; k < u; k++)
		for (l = 0; l < u; l++) {
			for (r = 0, i = 0; i < n; i++)
				r += a->y[k * n + i] * s->t[l * n + i];
			sum -= a->s[k * u + l] * r;
			for (i = 0; i < n; i++)
				s->z[k * n + i] -= r * a->x[l * n + i];
		}
	return sum;
}

/* The gradient of tr(V P), times a factor. */
static void
trace_slope(const struct blend_search *s, double factor, const double *x,
    double *g)
{
	const struct blend *a = &s->a;
	size_t n = a->n, u = a->rows + 1, k, l, i;
	double f;

	for (i = 0; i < n; i++) {
		f = s->v[i * n + i] * a->spread[i] * a->spread[i];
		for (k = 0; k < u; k++)
			f -= a->x[k * n + i] * (s->t[k * n + i] *
			    a->spread[i] + s->z[k * n + i]);
		g[i] = -factor * f * 4 * x[i] * s->r[i];
	}
	memset(g + n, 0, n * a->rows * sizeof(*g));
	for (k = 0; k < a->rows; k++)
		for (l = 0; l < u; l++) {
			f = -2 * factor * a->s[k * u + l];
			for (i = 0; i < n; i++)
				g[n + i * a->rows + k] += f * s->z[l * n + i];
		}
}

/* All loads, softened; the largest of the exact ones. */
static double
loads(struct blend_search *s)
{
	size_t p = s->a.rows, l, k;
	double most = 0, hard, soft, t;

	for (l = 0; l < s->limits; l++) {
		const struct limit *at = &s->limit[l];
		const double *a = s->a.b + at->i * p, *b = s->a.b + at->j * p;

		hard = soft = s->r[at->i] + s->r[at->j];
		for (k = 0; k < p; k++) {
			t = a[k] - b[k];
			hard += fabs(t);
			soft += sqrt(t * t + s->soft * s->soft);
		}
		s->load[l] = soft / at->d;
		most = fmax(most, hard / at->d);
	}
	return most;
}

/* t^p for p = 2^doublings. */
static double
power(const struct blend_search *s, double t)
{
	int i;

	for (i = 0; i < s->doublings; i++)
		t *= t;
	return t;
}

/* The norm of all loads; they become its derivatives by each of them. */
static double
norm(struct blend_search *s)
{
	double most = 0, sum = 0, root, p, t;
	size_t l;
	int i;

	for (l = 0; l < s->limits; l++)
		most = fmax(most, s->load[l]);
	for (l = 0; l < s->limits; l++) {
		t = s->load[l] / most;
		p = power(s, t);
		sum += p;
		s->load[l] = t > 0 ? p / t : 0;
	}
	for (root = sum, i = 0; i < s->doublings; i++)
		root = sqrt(root);
	for (l = 0; l < s->limits; l++)
		s->load[l] *= root / sum;
	return most * root;
}

/* The gradient of the norm by rates and coefficients, to s->slope. */
static void
norm_slope(struct blend_search *s)
{
	size_t n = s->a.n, p = s->a.rows, l, k;
	double *row = s->slope + n, w, t;

	memset(s->slope, 0, (n + n * p) * sizeof(*s->slope));
	for (l = 0; l < s->limits; l++) {
		const struct limit *at = &s->limit[l];
		const double *a = s->a.b + at->i * p, *b = s->a.b + at->j * p;

		w = s->load[l] / at->d;
		if (s->load[l] < 1e-14)
			continue;
		s->slope[at->i] += w;
		s->slope[at->j] += w;
		for (k = 0; k < p; k++) {
			t = a[k] - b[k];
			t *= w / sqrt(t * t + s->soft * s->soft);
			row[at->i * p + k] += t;
			row[at->j * p + k] -= t;
		}
	}
}

double
blend_loss(void *arg, const double *x, double *g)
{
	struct blend_search *s = arg;
	size_t n = s->a.n, i;
	double all, length;

	for (i = 0; i < n; i++)
		s->r[i] = s->least + x[i] * x[i];
	s->a.b = x + n;
	if (!blend_solve(&s->a))
		return HUGE_VAL;
	all = trace(s);
	s->most = loads(s);
	length = norm(s);
	norm_slope(s);
	s->error = all * s->most * s->most;
	if (!(all > 0) || !(all * length * length < HUGE_VAL))
		return HUGE_VAL;
	trace_slope(s, length * length, x, g);
	for (i = 0; i < n; i++)
		g[i] += 2 * all * length * s->slope[i] * 2 * x[i];
	for (i = n; i < n + n * s->a.rows; i++)
		g[i] += 2 * all * length * s->slope[i];
	return all * length * length;
}
