/*
 * cover_pair: intervals for what the noisy totals of pairs of columns say.
 *
 * As in cover.c, with the weights of unity_pair.c.  Let h_j(m) = j - 1 - m, j =
 * 0..2, be the coefficients of y - m, and (1+m)^2, m^2 - 1, (1-m)^2 those of
 * (y - m)^2.  For the true means m, m' of the two columns, their covariance c
 * and the variance v of the first, with N, A, B, P and Q the noisy number of
 * records and sums of y, z, y z and y^2,
 *
 *	A - m N				= t sum_jk h_j(m) Y_jk
 *	Q - 2 m A + m^2 N - v N		= t sum_jk (h2_j(m) - v) Y_jk
 *	P - m' A - m B + m m' N - c N	= t sum_jk (h_j(m) h_k(m') - c) Y_jk.
 *
 * With A/N within d and B/N within d' of the true means, the last left side is
 * N (V + (m - A/N)(m' - B/N) - c), V = P/N - A B/N^2, so c lies within d d' +
 * x/N of V, where x is exceeded with probability alpha at most by the right
 * side.  A twentieth of alpha goes to each of the two means.  Where sums are
 * averages over p pairs each Y_jk is an average of p of them.
 *
 * Tails.  The sum S of terms w_j Y has the characteristic function f(u) =
 * prod 1/(1 + w_j^2 u^2)^times, hence [Davies 1973] for a period T
 *
 *	P[|S| > x] = 1 - (2/pi) sum_k sin(u_k x) f(u_k) / (k + 1/2)
 *
 * with u_k = 2 pi (k + 1/2)/T, up to P[|S| > T - x].  With the weights divided
 * by the largest, P[|S| > y] <= 2 exp(s (2/3) r^2 - r y), s the variance of S
 * and 0 < r <= 1/2, since -ln(1 - v) <= 4 v/3 for v <= 1/4.  What is left out
 * beyond the frequency u is at most (2/pi) f(u) (1 + u^2)^times
 * u^(-2 times)/(2 times).  Both errors are added.
 */
#include "cover_pair.h"

#include <math.h>

#define ROUNDS 4
#define TERMS 8192		/* of the series, at most */
#define PI 3.14159265358979323846
#define PART 1e-5		/* of alpha, for each of two errors */
#define ROUNDING 1e-11		/* of sums of floating point */
#define NEAR 1e-4		/* what is enough of a quantile */

/* A sum of weighted Laplace variables, the largest weight 1. */
struct weighted {
	const double *w;
	size_t n, times;
	double largest;
};

/* f(u) */
static double
transform(const struct weighted *s, double u)
{
	double all = 1;

	for (size_t j = 0; j < s->n; j++) {
		double w = s->w[j] / s->largest;

		all *= 1 + w * w * u * u;
	}
	return pow(all, -(double)s->times);
}

/* A bound y with P[|S| > y] <= p. */
static double
beyond(const struct weighted *s, double p)
{
	double sum = 0, rate, need = log(2 / p);

	for (size_t j = 0; j < s->n; j++)
		sum += s->w[j] / s->largest * (s->w[j] / s->largest);
	sum *= 2 * (double)s->times;
	rate = fmin(0.5, sqrt(1.5 * need / sum));
	return need / rate + sum * rate * 2 / 3;
}

/* The terms f(u_k) / (k + 1/2), how many, and what they leave out at most. */
struct series {
	double f[TERMS];
	size_t n;
	double period, left;
};

static void
fill(struct series *f, const struct weighted *s, double least)
{
	double m = (double)s->times;

	f->left = 1;
	for (f->n = 0; f->n < TERMS && f->left > least; f->n++) {
		double place = (double)f->n + 0.5, u = 2 * PI * place /
		    f->period;
		double f_u = transform(s, u);

		f->f[f->n] = f_u / place;
		f->left = f_u * pow(1 + 1 / (u * u), m) / (PI * m);
	}
}

/* P[|S| > x] without its errors; the sines by the sum of angles. */
static double
tail(const struct series *f, double x)
{
	double step = 2 * PI * x / f->period, sum = 0;
	double sine = sin(step / 2), cosine = cos(step / 2);
	double by_sine = sin(step), by_cosine = cos(step);

	for (size_t k = 0; k < f->n; k++) {
		double next = sine * by_cosine + cosine * by_sine;

		sum += f->f[k] * sine;
		cosine = cosine * by_cosine - sine * by_sine;
		sine = next;
	}
	return 1 - 2 / PI * sum;
}

double
cover_sum(const double *weight, size_t n, size_t times, double alpha)
{
	struct weighted s = { weight, n, times, 0 };
	double lo = 0, hi, small = alpha * PART;
	struct series f;

	for (size_t j = 0; j < n; j++)
		s.largest = fmax(s.largest, fabs(weight[j]));
	if (!(s.largest > 0))
		return 0;
	hi = beyond(&s, alpha);
	f.period = hi + beyond(&s, small);
	fill(&f, &s, small);
	while (hi - lo > hi * NEAR) {
		double mid = (lo + hi) / 2;

		if (tail(&f, mid) > alpha - small - f.left - ROUNDING)
			lo = mid;
		else
			hi = mid;
	}
	return hi * s.largest;
}

/* x of the head of this file, in records; averages over `pairs' pairs. */
static double
exceeded(const double *w, size_t n, size_t pairs,
    const struct cover_noise *noise)
{
	size_t times = pairs * PAIR_PARTS / n;
	double sum = 0, each = 1 / (double)pairs;

	for (size_t j = 0; j < n; j++)
		sum += fabs(w[j]) * (double)times;
	return each * (noise->scale * cover_sum(w, n, times, noise->alpha) +
	    sum * noise->step);
}

/* The true mean of column i. */
static struct cover
enclose_mean(const struct unity_moments *m, int i, size_t pairs,
    const struct cover_noise *noise)
{
	double n = (double)m->n, sum = (double)m->first[i];
	struct cover z = { -1, 1 };

	for (int k = 0; k < ROUNDS && n > 0; k++) {
		double w[] = { 1 + z.upper, cover_larger(z.lower, z.upper),
		    1 - z.lower };
		double x = exceeded(w, 3, pairs, noise);

		cover_narrow(&z, (sum - x) / n, (sum + x) / n);
	}
	return z;
}

/* The largest distance of a number from what is enclosed. */
static double
distance(const struct cover *c, double x)
{
	return cover_larger(c->lower - x, c->upper - x);
}

struct cover
cover_one_variance(const struct unity_moments *m, int i, size_t pairs,
    const struct cover_noise *noise)
{
	struct cover_noise few = *noise, rest = *noise;
	struct cover z, v = { 0, 1 };
	double n = (double)m->n, mean, d, middle, least;

	few.alpha = noise->alpha / 10;
	rest.alpha = noise->alpha - few.alpha;
	if (!(n > 0))
		return v;
	z = enclose_mean(m, i, pairs, &few);
	mean = (double)m->first[i] / n;
	d = distance(&z, mean);
	middle = (double)unity_square_mean(m->second[i], m->n) - mean * mean;
	least = z.lower < 0 && z.upper > 0 ? 0 : fmin(z.lower * z.lower,
	    z.upper * z.upper);
	for (int k = 0; k < ROUNDS; k++) {
		double w[] = {
		    cover_larger((1 + z.lower) * (1 + z.lower) - v.upper,
			(1 + z.upper) * (1 + z.upper) - v.lower),
		    1 - least + v.upper,
		    cover_larger((1 - z.upper) * (1 - z.upper) - v.upper,
			(1 - z.lower) * (1 - z.lower) - v.lower) };
		double x = exceeded(w, 3, pairs, &rest);

		cover_narrow(&v, middle - x / n, middle + d * d + x / n);
	}
	return v;
}

/* The largest |h_j(m) h_k(m') - c| of all m, m' and c. */
static double
weight_of(const struct cover *a, int j, const struct cover *b, int k,
    const struct cover *c)
{
	double low = j - 1 - a->upper, high = j - 1 - a->lower;
	double from = k - 1 - b->upper, to = k - 1 - b->lower;
	double least = fmin(fmin(low * from, low * to),
	    fmin(high * from, high * to));
	double most = fmax(fmax(low * from, low * to),
	    fmax(high * from, high * to));

	return cover_larger(least - c->upper, most - c->lower);
}

struct cover
cover_covariance(const struct unity_moments *m,
    const struct cover_noise *noise)
{
	struct cover_noise few = *noise, rest = *noise;
	struct cover y, z, c = { -1, 1 };
	double n = (double)m->n, a, b, d, middle;

	few.alpha = noise->alpha / 20;
	rest.alpha = noise->alpha - 2 * few.alpha;
	if (!(n > 0))
		return c;
	y = enclose_mean(m, 0, 1, &few);
	z = enclose_mean(m, 1, 1, &few);
	a = (double)m->first[0] / n;
	b = (double)m->first[1] / n;
	d = distance(&y, a) * distance(&z, b);
	middle = (double)m->product / n - a * b;
	for (int i = 0; i < ROUNDS; i++) {
		double w[PAIR_PARTS], x;

		for (int j = 0; j < PAIR_PARTS; j++)
			w[j] = weight_of(&y, j / 3, &z, j % 3, &c);
		x = exceeded(w, PAIR_PARTS, 1, &rest);
		cover_narrow(&c, middle - d - x / n, middle + d + x / n);
	}
	return c;
}
