/*
 * figure/strategy: an error that no strategy goes below, for epsilon 1.
 *
 * Reads n and m, the distances of n elements, and m queries of n coefficients
 * each, without their mean.
 *
 * The bound.  Let a strategy measure the rows of B with Laplace noise of scale
 * 1 each, and G = B'B.  It is private only if |B_i - B_j|_1 <= d(i,j), so that
 * (e_i - e_j)' G (e_i - e_j) <= d(i,j)^2.  With weights y >= 0 of pairs and
 * L = sum y_ij (e_i - e_j)(e_i - e_j)' therefore tr(G L) <= sum y_ij d^2, and
 * by the inequality of Cauchy and Schwarz for the nuclear norm |.|*
 *
 *	|W L^(1/2)|*^2 <= tr(W G^+ W') tr(L^(1/2) G L^(1/2)),
 *
 * so that the error 2 tr(W G^+ W') is at least 2 |W L^(1/2)|*^2 / sum y d^2.
 * Weights are raised where their pair binds.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 130		/* elements */
#define ROUNDS 25
#define SWEEPS 30

static size_t n, m, rank;
static double d[MOST][MOST];
static double *query;		/* m x n */
static double *factor;		/* rank x n: V = factor' factor */

static double *
numbers(size_t k)
{
	double *x = calloc(k + 1, sizeof(*x));

	if (x == NULL)
		exit(1);
	return x;
}

/* V = sum q q' as factor' factor, by Cholesky's steps with pivots. */
static void
split(void)
{
	double *v = numbers(n * n), first = 0, all, s;
	size_t i, j, k, top;

	factor = numbers(n * n);
	for (k = 0; k < m; k++)
		for (i = 0; i < n; i++)
			for (j = 0; j < n; j++)
				v[i * n + j] += query[k * n + i] *
				    query[k * n + j];
	for (rank = 0; rank + 1 < n; rank++) {
		for (all = 0, top = i = 0; i < n; i++) {
			all += v[i * n + i];
			if (v[i * n + i] > v[top * n + top])
				top = i;
		}
		if (rank == 0)
			first = all;
		if (all < 1e-9 * first)
			break;
		s = 1 / sqrt(v[top * n + top]);
		for (i = 0; i < n; i++)
			factor[rank * n + i] = v[top * n + i] * s;
		for (i = 0; i < n; i++)
			for (j = 0; j < n; j++)
				v[i * n + j] -= factor[rank * n + i] *
				    factor[rank * n + j];
	}
	free(v);
}

/* One of Jacobi's rotations of rows (and, for a, columns) p and q. */
static void
rotate(double *a, double *u, size_t p, size_t q)
{
	double t = (a[q * rank + q] - a[p * rank + p]) / (2 * a[p * rank + q]);
	double c, s, x, y;
	size_t k;

	t = (t >= 0 ? 1 : -1) / (fabs(t) + sqrt(t * t + 1));
	c = 1 / sqrt(t * t + 1);
	s = t * c;
	for (k = 0; k < rank; k++) {
		x = a[k * rank + p];
		y = a[k * rank + q];
		a[k * rank + p] = c * x - s * y;
		a[k * rank + q] = s * x + c * y;
	}
	for (k = 0; k < rank; k++) {
		x = a[p * rank + k];
		y = a[q * rank + k];
		a[p * rank + k] = c * x - s * y;
		a[q * rank + k] = s * x + c * y;
		x = u[p * rank + k];
		y = u[q * rank + k];
		u[p * rank + k] = c * x - s * y;
		u[q * rank + k] = s * x + c * y;
	}
}

/* Eigenvalues on the diagonal of a, eigenvectors as the rows of u. */
static void
eigen(double *a, double *u)
{
	double off, all;
	size_t p, q;
	int sweep;

	for (p = 0; p < rank; p++)
		for (q = 0; q < rank; q++)
			u[p * rank + q] = p == q;
	for (sweep = 0; sweep < SWEEPS; sweep++) {
		for (off = all = 0, p = 0; p < rank; p++) {
			all += a[p * rank + p];
			for (q = 0; q < p; q++)
				off += a[p * rank + q] * a[p * rank + q];
		}
		if (off < 1e-18 * all * all)
			break;
		for (p = 0; p < rank; p++)
			for (q = p + 1; q < rank; q++)
				if (a[p * rank + q] != 0)
					rotate(a, u, p, q);
	}
}

/* factor L factor'; returns sum y d^2. */
static double
weigh(double y[MOST][MOST], double *a)
{
	double sum = 0, t;
	size_t i, j, p, q;

	memset(a, 0, rank * rank * sizeof(*a));
	for (i = 0; i < n; i++)
		for (j = 0; j < i; j++) {
			sum += y[i][j] * d[i][j] * d[i][j];
			for (p = 0; p < rank; p++) {
				t = y[i][j] * (factor[p * n + i] -
				    factor[p * n + j]);
				for (q = 0; q < rank; q++)
					a[p * rank + q] += t *
					    (factor[q * n + i] -
					    factor[q * n + j]);
			}
		}
	return sum;
}

/* (factor L factor')^(-1/4) factor, from its eigenvectors. */
static void
directions(const double *a, const double *u, double *f)
{
	size_t p, q, i;
	double e;

	memset(f, 0, rank * n * sizeof(*f));
	for (p = 0; p < rank; p++) {
		e = fmax(a[p * rank + p], 0);
		e = e > 0 ? 1 / sqrt(sqrt(e)) : 0;
		for (q = 0; q < rank; q++)
			for (i = 0; i < n; i++)
				f[p * n + i] += e * u[p * rank + q] *
				    factor[q * n + i];
	}
}

static double
bound(void)
{
	static double y[MOST][MOST];
	double *a = numbers(rank * rank), *u = numbers(rank * rank);
	double *f = numbers(rank * n), best = 0, sum, norm, s;
	size_t i, j, p;
	int round;

	for (i = 0; i < n; i++)
		for (j = 0; j < i; j++)
			y[i][j] = 1 / (d[i][j] * d[i][j]);
	for (round = 0; round < ROUNDS; round++) {
		sum = weigh(y, a);
		eigen(a, u);
		for (norm = 0, p = 0; p < rank; p++)
			norm += sqrt(fmax(a[p * rank + p], 0));
		best = fmax(best, 2 * norm * norm / sum);
		directions(a, u, f);
		for (i = 0; i < n; i++)
			for (j = 0; j < i; j++) {
				for (s = 0, p = 0; p < rank; p++)
					s += pow(f[p * n + i] - f[p * n + j],
					    2);
				y[i][j] *= s / (d[i][j] * d[i][j]) * sum /
				    norm;
			}
	}
	free(a);
	free(u);
	free(f);
	return sqrt(best / (double)m);
}

static double
number(void)
{
	double x;

	if (scanf("%lf", &x) != 1)
		exit(1);
	return x;
}

int
main(void)
{
	size_t i;

	if (scanf("%zu %zu", &n, &m) != 2 || n < 2 || n > MOST)
		return 1;
	for (i = 0; i < n * n; i++)
		d[i / n][i % n] = number();
	query = numbers(m * n);
	for (i = 0; i < m * n; i++)
		query[i] = number();
	split();
	printf("%.17g\n", bound());
	return 0;
}
