/*
 * cover: intervals for the mean and the variance behind noisy totals.
 *
 * The totals r_j of unity.c, in records, have independent noise t Y_j, Y_j
 * discrete Laplace.  For the true mean z of the cells on -1..1 and the true
 * variance v there, with D, N and Q the noisy sum of z, number of records and
 * sum of z^2,
 *
 *	D - z N			= t sum_j w_j(z) Y_j
 *	Q - 2 z D + z^2 N - v N	= t sum_j w_j(z, v) Y_j
 *
 * since the left sides are 0 without noise.  Degree 1: w = -(1+z), 1-z for the
 * mean; degree 2: w = -(1+z), -z, 1-z for the mean, and (1+z)^2 - v,
 * z^2 - 1 - v, (1-z)^2 - v for the variance.  Let x be a number that the right
 * side exceeds with probability at most alpha.  The set of all z with
 * |D - z N| <= x(z) holds the true mean with probability 1 - alpha or more.
 * It is enclosed from outside: on an interval that encloses it x(z) is at most
 * the x of the largest |w_j| there, because the law of a sum of independent
 * symmetric unimodal variables only spreads when one of them is scaled up
 * (Anderson 1955); with this x the interval becomes a smaller one.
 *
 * For the variance a tenth of alpha goes to an interval of z and the rest to
 * the second line: with the true z within d of D/N the left side is
 * N (V + (z - D/N)^2 - v), V = Q/N - (D/N)^2, hence V - x/N <= v <=
 * V + d^2 + x/N.
 *
 * The discrete law.  Where q = e^(-step/t), a discrete |Y| is at least k steps
 * with probability 2 q^k/(1+q), which lies between q^k and q^(k-1/2).  So Y
 * can be drawn together with a continuous Laplace variable of scale t within
 * one step of it: one step for each |w_j| is added to x.
 *
 * Tails.  For weights that differ, the tail of |sum w_j Y_j| is the sum of
 * A_j e^(-x/w_j) with A_j = prod_{i != j} w_j^2/(w_j^2 - w_i^2) (partial
 * fractions of prod 1/(1 + w_j^2 s^2)).  Nearly equal weights are moved apart
 * upwards.  For n equal weights the density of the sum is e^-|x| times a
 * polynomial with positive coefficients; and the more of them an average has,
 * the less it spreads (Proschan 1965).
 */
#include "cover.h"

#include <math.h>
#include <stdbool.h>

#define ROUNDS 5
#define EQUALS 60		/* terms of an average that are looked at */
#define APART 1.001		/* ratio of weights that are told apart */
#define MARGIN (1 + 1e-9)	/* for what floating point may lose */

/* Probability that |the sum| exceeds x, for weights that differ. */
static double
tail(const double *w, size_t n, double x)
{
	double sum = 0;

	for (size_t j = 0; j < n; j++) {
		double a = exp(-x / w[j]);

		for (size_t i = 0; i < n; i++)
			if (i != j)
				a *= w[j] * w[j] / (w[j] * w[j] - w[i] * w[i]);
		sum += a;
	}
	return sum;
}

/* Weights above 0 in ascending order and apart; returns their number. */
static size_t
spread_apart(const double *weight, size_t n, double *w)
{
	size_t k = 0;

	for (size_t j = 0; j < n; j++) {
		size_t at = k;

		if (!(fabs(weight[j]) > 0))
			continue;
		for (; at > 0 && w[at - 1] > fabs(weight[j]); at--)
			w[at] = w[at - 1];
		w[at] = fabs(weight[j]);
		k++;
	}
	for (size_t j = 1; j < k; j++)
		if (w[j] < w[j - 1] * APART)
			w[j] = w[j - 1] * APART;
	return k;
}

double
cover_weighted(const double *weight, size_t n, double alpha)
{
	double w[UNITY_PARTS], lo = 0, hi = 1;
	size_t k = spread_apart(weight, n, w);

	if (k == 0)
		return 0;
	while (tail(w, k, hi) > alpha)
		hi *= 2;
	for (int i = 0; i < 40; i++) {
		double mid = (lo + hi) / 2;

		if (tail(w, k, mid) > alpha)
			lo = mid;
		else
			hi = mid;
	}
	return hi * MARGIN;
}

/*
 * P[|sum of n Laplace(1)| > x].  The density on x > 0 is e^-x times the sum
 * over k < n of c_k x^(n-1-k), c_k = (n-1+k)! / ((n-1)! k! (n-1-k)!
 * 2^(n+k)); twice the integral of x^j e^-x is 2 j! e^-x sum_{i<=j} x^i/i!.
 */
static double
tail_equal(size_t n, double x)
{
	double sum = 0;

	for (size_t k = 0; k < n; k++) {
		size_t j = n - 1 - k;
		double part = 0;
		double log_c = lgamma((double)(n + k)) - lgamma((double)n) -
		    lgamma((double)k + 1) - (double)(n + k) * log(2);

		for (size_t i = 0; i <= j; i++)
			part += exp(log_c - x + (double)i * log(x) -
			    lgamma((double)i + 1));
		sum += 2 * part;
	}
	return sum;
}

/* The law of an average is no wider than that of an average of fewer. */
double
cover_average(size_t n, double alpha)
{
	double lo = 0, hi = 1;

	n = n < EQUALS ? n : EQUALS;
	while (tail_equal(n, hi) > alpha)
		hi *= 2;
	for (int i = 0; i < 40; i++) {
		double mid = (lo + hi) / 2;

		if (tail_equal(n, mid) > alpha)
			lo = mid;
		else
			hi = mid;
	}
	return hi * MARGIN / (double)n;
}

/* x of the head of this file, in records. */
static double
exceeded(const double *w, size_t n, const struct cover_noise *noise)
{
	double steps = 0;

	for (size_t j = 0; j < n; j++)
		steps += fabs(w[j]);
	return noise->scale * cover_weighted(w, n, noise->alpha) +
	    steps * noise->step;
}

/* Sums of z and of z^2, and the number of records. */
struct noisy {
	double d, q, n;
};

static struct noisy
noisy_sums(const i128 *part, enum unity_degree degree)
{
	const double record = ldexp(1, UNITY_RECORD);
	double a = (double)part[0] / record, b = (double)part[1] / record;
	double c = degree == UNITY_LINE ? 0 : (double)part[2] / record;

	if (degree == UNITY_LINE)
		return (struct noisy){ b - a, 0, a + b };
	return (struct noisy){ c - a, a - b + c, a + b + c };
}

/* The set of z, from outside. */
static struct cover
enclose_mean(const struct noisy *s, enum unity_degree degree,
    const struct cover_noise *noise)
{
	struct cover z = { -1, 1 };

	for (int i = 0; i < ROUNDS && s->n > 0; i++) {
		double w[UNITY_PARTS] = { 1 + z.upper, 1 - z.lower,
		    cover_larger(z.lower, z.upper) };
		double x = exceeded(w, (size_t)degree + 1, noise);

		cover_narrow(&z, (s->d - x) / s->n, (s->d + x) / s->n);
	}
	return z;
}

struct cover
cover_mean(const i128 *part, enum unity_degree degree,
    const struct cover_noise *noise)
{
	struct noisy s = noisy_sums(part, degree);
	struct cover z = enclose_mean(&s, degree, noise);

	return (struct cover){ (1 + z.lower) / 2, (1 + z.upper) / 2 };
}

struct cover
cover_variance(const i128 *part, const struct cover_noise *noise)
{
	struct noisy s = noisy_sums(part, UNITY_SQUARE);
	struct cover_noise few = *noise, rest = *noise;
	struct cover z, v = { 0, 1 };
	double d, middle, least;

	few.alpha = noise->alpha / 10;
	rest.alpha = noise->alpha - few.alpha;
	z = enclose_mean(&s, UNITY_SQUARE, &few);
	d = cover_larger(z.lower - s.d / s.n, z.upper - s.d / s.n);
	middle = s.q / s.n - s.d / s.n * (s.d / s.n);
	least = z.lower < 0 && z.upper > 0 ? 0 : fmin(z.lower * z.lower,
	    z.upper * z.upper);
	for (int i = 0; i < ROUNDS && s.n > 0; i++) {
		double w[UNITY_PARTS] = {
		    cover_larger((1 + z.lower) * (1 + z.lower) - v.upper,
			(1 + z.upper) * (1 + z.upper) - v.lower),
		    cover_larger((1 - z.upper) * (1 - z.upper) - v.upper,
			(1 - z.lower) * (1 - z.lower) - v.lower),
		    1 - least + v.upper };
		double x = exceeded(w, UNITY_PARTS, &rest);

		cover_narrow(&v, middle - x / s.n, middle + d * d + x / s.n);
	}
	return (struct cover){ v.lower / 4, v.upper / 4 };
}
