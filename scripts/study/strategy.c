/*
 * study/strategy NAME DIR: a universe with a metric and queries, and how well
 * any strategy could answer them.
 *
 * NAME is WORLD-N-METRIC-QUERIES-K, such as line-100-smooth-ranges-200; see
 * the tables below.  Writes DIR/universe.csv, DIR/queries.csv for -Q and
 * DIR/distances.csv for --metric matrix: (with --close, as decimals are cut
 * off), and prints the root mean square error where all elements get the same
 * noise and the public total is used, and one that no strategy goes below (or
 * 0: not worked out), for epsilon 1.
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
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 600		/* elements */
#define BOUND 130		/* elements for which the bound is worked out */
#define ROUNDS 25
#define SWEEPS 30

static size_t n, m, rank;
static double at[MOST][3];	/* coordinates or attributes */
static double d[MOST][MOST];
static double *query;		/* m x n */
static double *factor;		/* rank x n: V = factor' factor */

static double
uniform(void)
{
	static uint64_t s = 88172645463325252u;

	s ^= s << 13;
	s ^= s >> 7;
	s ^= s << 17;
	return (double)(s >> 11) * 0x1p-53;
}

static double *
numbers(size_t k)
{
	double *x = calloc(k + 1, sizeof(*x));

	if (x == NULL)
		exit(1);
	return x;
}

/* Elements: a line, a square map, a table of three attributes, towns. */
static void
place(const char *world)
{
	size_t side = (size_t)floor(sqrt((double)n) + 0.5), i;

	for (i = 0; i < n; i++)
		if (strcmp(world, "line") == 0) {
			at[i][0] = (double)i;
		} else if (strcmp(world, "map") == 0) {
			at[i][0] = (double)(i % side);
			at[i][1] = (double)(i / side);
		} else if (strcmp(world, "table") == 0) {
			at[i][0] = (double)(i % 2);
			at[i][1] = (double)(i / 2 % 6);
			at[i][2] = (double)(i / 12);
		} else {
			at[i][0] = uniform();
			at[i][1] = uniform();
		}
}

static double
between(const char *metric, const double *a, const double *b)
{
	double x = fabs(a[0] - b[0]), y = fabs(a[1] - b[1]);
	double far = sqrt(x * x + y * y), t = (double)n / 10;

	if (strcmp(metric, "step") == 0)
		return x;
	if (strcmp(metric, "smooth") == 0)
		return fmax(x / t, 1);
	if (strcmp(metric, "blowfish") == 0)
		return ceil(x / t);
	if (strcmp(metric, "euclid") == 0)
		return far;
	if (strcmp(metric, "manhattan") == 0)
		return x + y;
	if (strcmp(metric, "attr") == 0)
		return (x > 0) + 0.2 * (y > 0) + 0.5 * (a[2] != b[2]);
	if (strcmp(metric, "roads") == 0)	/* between near towns */
		return far * far < 3 / (double)n ?
		    far * sqrt((double)n) + 0.05 : 1000 * far;
	return 1;
}

/* All distances; those of roads along the shortest path. */
static void
measure(const char *metric)
{
	size_t i, j, k;

	for (i = 0; i < n; i++)
		for (j = 0; j < n; j++)
			d[i][j] = i == j ? 0 : between(metric, at[i], at[j]);
	for (k = 0; k < n && strcmp(metric, "roads") == 0; k++)
		for (i = 0; i < n; i++)
			for (j = 0; j < n; j++)
				d[i][j] = fmin(d[i][j], d[i][k] + d[k][j]);
}

static size_t
any(size_t k)
{
	return (size_t)(uniform() * (double)k);
}

/* Is element i in the box from a to b? */
static bool
inside(size_t i, size_t a, size_t b)
{
	size_t k;

	for (k = 0; k < 2; k++)
		if (at[i][k] < fmin(at[a][k], at[b][k]) ||
		    at[i][k] > fmax(at[a][k], at[b][k]))
			return false;
	return true;
}

/* Random queries of K: boxes (ranges on a line), balls, coefficients. */
static void
ask(const char *kind, size_t k)
{
	size_t a, b, i;
	double far;

	query = numbers(k * n);
	for (m = 0; m < k; m++) {
		double *q = query + m * n;

		a = any(n);
		b = any(n);
		far = 0.7 * d[a][b];
		for (i = 0; i < n; i++)
			q[i] = strcmp(kind, "ranges") == 0 ? inside(i, a, b) :
			    strcmp(kind, "balls") == 0 ? d[a][i] <= far :
			    strcmp(kind, "binary") == 0 ? uniform() < 0.5 :
			    floor(1000 * uniform()) / 1000;
	}
}

/* All cells of all pairs of the three attributes of a table. */
static void
ask_pairs(void)
{
	size_t skip, i, j, k;
	bool alike;

	query = numbers(3 * n * n);
	for (skip = 0; skip < 3; skip++)
		for (i = 0; i < n; i++) {
			double *q = query + m * n;

			memset(q, 0, n * sizeof(*q));
			for (j = 0; j < n; j++) {
				alike = true;
				for (k = 0; k < 3; k++)
					alike = alike && (k == skip ||
					    at[i][k] == at[j][k]);
				q[j] = alike;
				if (alike && j < i)
					break;	/* was there before */
			}
			m += j == n;
		}
}

/* Coefficients without their mean, as the total is public. */
static void
centre(void)
{
	size_t i, k;
	double mean;

	for (k = 0; k < m; k++) {
		for (mean = 0, i = 0; i < n; i++)
			mean += query[k * n + i] / (double)n;
		for (i = 0; i < n; i++)
			query[k * n + i] -= mean;
	}
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

/* The error where each element's count has noise of scale 2 / min d. */
static double
elements(void)
{
	double least = HUGE_VAL, sum = 0;
	size_t i, j;

	for (i = 0; i < n; i++)
		for (j = 0; j < i; j++)
			least = fmin(least, d[i][j]);
	for (i = 0; i < m * n; i++)
		sum += query[i] * query[i];
	return sqrt(2 * sum / (double)m) * 2 / least;
}

static FILE *
create(const char *dir, const char *name)
{
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "w");
	if (f == NULL) {
		perror(path);
		exit(1);
	}
	return f;
}

static void
save(const char *dir)
{
	FILE *f = create(dir, "universe.csv");
	size_t i, k;

	fprintf(f, "x\n");
	for (i = 0; i < n; i++)
		fprintf(f, "%zu\n", i);
	fclose(f);
	f = create(dir, "queries.csv");
	for (k = 0; k < m; k++)
		fprintf(f, "%sq%zu", k > 0 ? "," : "", k);
	for (i = 0; i < n; i++)
		for (k = 0; k < m; k++)
			fprintf(f, "%s%g", k > 0 ? "," : "\n",
			    query[k * n + i]);
	fprintf(f, "\n");
	fclose(f);
	f = create(dir, "distances.csv");
	for (i = 0; i < n; i++)
		for (k = 0; k < n; k++)
			fprintf(f, "%.6f%s", d[i][k], k + 1 < n ? "," : "\n");
	fclose(f);
}

int
main(int argc, char **argv)
{
	char world[16], metric[16], kind[16];
	size_t k;

	if (argc != 3 || sscanf(argv[1], "%15[a-z]-%zu-%15[a-z]-%15[a-z]-%zu",
	    world, &n, metric, kind, &k) != 5 || n < 2 || n > MOST) {
		fprintf(stderr, "usage: strategy NAME DIR\n");
		return 2;
	}
	place(world);
	measure(metric);
	if (strcmp(kind, "pairs") == 0)
		ask_pairs();
	else
		ask(kind, k);
	save(argv[2]);
	centre();
	printf("%g ", elements());
	if (n <= BOUND)
		split();
	printf("%g\n", n <= BOUND ? bound() : 0);
	return 0;
}
