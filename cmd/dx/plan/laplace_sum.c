/*
 * laplace_sum: the law of a sum of independent Laplace noises.
 *
 * S = sum_i b_i L_i has the characteristic function
 * f(t) = prod_i 1 / (1 + b_i^2 t^2).  With a period R the sum
 *
 *	F(x) = h x / pi + (2 / pi) sum_(j >= 1) sin(j h x) f(j h) / j,
 *	h = 2 pi / R,
 *
 * is the probability that S modulo R lies in [-x, x] (Poisson), so F exceeds
 * P[|S| <= x] by P[|S| > R - x] at most.  This tail, and every reach whose tail
 * is too small for doubles, has Chernoff's bound: for 0 < u b_i < 1
 *
 *	P[|S| > y] <= 2 e^(-u y) prod_i 1 / (1 - u^2 b_i^2).
 *
 * The reach belongs to a tail smaller by 10^-8, more than the roundings and the
 * omitted terms.
 */
#include "laplace_sum.h"

#include <math.h>
#include <stdlib.h>

#include "number/memory.h"

#define ROUNDINGS 1e-8
#define TAIL 1e-12		/* of S beyond half the period */
#define TERMS 20000
#define PI 3.14159265358979323846

/* Equal or nearly equal scales, and how many. */
struct alike {
	double scale, count;
};

struct sum {
	struct alike *part;
	size_t parts;
	double h;
	double f[TERMS];	/* f(j h) / j for j = 1, 2, ... */
	size_t terms;
};

static int
falling(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x < *y) - (*x > *y);
}

/* Gathers equal scales; zeros are left out. */
static void
gather_parts(struct sum *s, double *scale, size_t n)
{
	qsort(scale, n, sizeof(*scale), falling);
	for (size_t i = 0; i < n && scale[i] > 0; i++)
		if (s->parts > 0 && scale[i] >=
		    s->part[s->parts - 1].scale * (1 - 1e-12))
			s->part[s->parts - 1].count++;
		else
			s->part[s->parts++] = (struct alike){ scale[i], 1 };
}

/* Chernoff's y for a tail; u is tried in parts of the largest scale's limit. */
static double
chernoff(const struct sum *s, double tail)
{
	double best = HUGE_VAL, b = s->part[0].scale, r, y;

	for (int u = 1; u < 20; u++) {
		y = log(2 / tail);
		for (size_t i = 0; i < s->parts; i++) {
			r = u / 20.0 * s->part[i].scale / b;
			y -= s->part[i].count * log1p(-r * r);
		}
		best = fmin(best, y * b * 20.0 / u);
	}
	return best;
}

/* The terms that matter. */
static void
transform(struct sum *s)
{
	double t, log_f;
	size_t i;

	s->h = PI / chernoff(s, TAIL);
	for (s->terms = 0; s->terms < TERMS; s->terms++) {
		t = s->h * (double)(s->terms + 1);
		for (log_f = 0, i = 0; i < s->parts; i++)
			log_f -= s->part[i].count * log1p(t * t *
			    s->part[i].scale * s->part[i].scale);
		s->f[s->terms] = exp(log_f) / (double)(s->terms + 1);
		if (s->f[s->terms] < 1e-15)
			break;
	}
}

/* F(x); the sines by a recurrence, renewed now and then. */
static double
within(const struct sum *s, double x)
{
	double c = cos(s->h * x), a = sin(s->h * x), sum = 0;
	double re = 1, im = 0, t;

	for (size_t j = 0; j < s->terms; j++) {
		if (j % 64 == 0) {
			re = cos(s->h * x * (double)j);
			im = sin(s->h * x * (double)j);
		}
		t = re * c - im * a;
		im = re * a + im * c;
		re = t;
		sum += im * s->f[j];
	}
	return s->h * x / PI + 2 / PI * sum;
}

static double
reach_of(struct sum *s, double tail)
{
	double lo = 0, hi = chernoff(s, tail), mid;

	if (s->parts == 1 && s->part[0].count < 2)
		return -s->part[0].scale * log(tail) * (1 + 1e-12);
	if (tail < 100 * ROUNDINGS)
		return hi;
	transform(s);
	for (int i = 0; i < 30; i++) {
		mid = (lo + hi) / 2;
		if (within(s, mid) >= 1 - tail + ROUNDINGS)
			hi = mid;
		else
			lo = mid;
	}
	return hi;
}

double
laplace_sum_reach(double *scale, size_t n, double tail)
{
	struct sum *s = err_alloc(NULL, 1, sizeof(*s));
	double reach;

	s->part = err_alloc(NULL, n, sizeof(*s->part));
	gather_parts(s, scale, n);
	reach = s->parts == 0 ? 0 : reach_of(s, tail);
	free(s->part);
	free(s);
	return reach;
}
