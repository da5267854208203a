/*
 * cover: intervals for means, variances and covariances behind noisy totals.
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
 * mean; degree 2: w = -(1+z), -z, 1-z for the mean, and (1+z)^2 - v, z^2 - 1 -
 * v, (1-z)^2 - v for the variance.  Let x be a number that the right side
 * exceeds with probability at most alpha.  The set of all z with |D - z N| <=
 * x(z) holds the true mean with probability 1 - alpha or more.  The set is
 * enclosed from outside: on an enclosing interval x(z) is at most x for the
 * largest |w_j| there, because the law of a sum of independent symmetric
 * unimodal variables only spreads when a variable is scaled up (Anderson 1955);
 * with this x the interval becomes smaller.
 *
 * For the variance a tenth of alpha goes to an interval of z and the rest to
 * the second line: with the true z within d of D/N the left side is
 * N (V + (z - D/N)^2 - v), V = Q/N - (D/N)^2, hence V - x/N <= v <=
 * V + d^2 + x/N.
 *
 * The discrete law.  Where q = e^(-step/t), a discrete |Y| is at least k steps
 * with probability 2 q^k/(1+q), which lies between q^k and q^(k-1/2).  So Y can
 * be drawn together with a continuous Laplace variable, scale t, within one
 * step of Y: one step for each |w_j| is added to x.
 *
 * Column pairs have the weights in unity.c.  Let h_j(m) = j - 1 - m, j =
 * 0..2, be the coefficients of y - m, and (1+m)^2, m^2 - 1, (1-m)^2 the
 * coefficients of (y - m)^2.  For the true means m, m' of the two columns,
 * their covariance c and the variance v of the first, with N, A, B, P and Q the
 * noisy number of records and sums of y, z, y z and y^2,
 *
 *	A - m N				= t sum_jk h_j(m) Y_jk
 *	Q - 2 m A + m^2 N - v N		= t sum_jk (h2_j(m) - v) Y_jk
 *	P - m' A - m B + m m' N - c N	= t sum_jk (h_j(m) h_k(m') - c) Y_jk.
 *
 * With A/N within d and B/N within d' of the true means, the last left side is
 * N (V + (m - A/N)(m' - B/N) - c), V = P/N - A B/N^2, so c lies within d d' +
 * x/N of V, where the right side exceeds x with probability alpha at most.  A
 * twentieth of alpha goes to each of the two means.  Where sums are averages
 * over p pairs each Y_jk is an average of p variables.
 *
 * Tails.  The sum S of terms w_j Y has the characteristic function f(u) =
 * prod 1/(1 + w_j^2 u^2)^times, hence [Davies 1973] for a period T
 *
 *	P[|S| > x] = 1 - (2/pi) sum_k sin(u_k x) f(u_k) / (k + 1/2)
 *
 * with u_k = 2 pi (k + 1/2)/T, up to P[|S| > T - x].  With the weights divided
 * by the largest, P[|S| > y] <= 2 exp(s (2/3) r^2 - r y), s the variance of S
 * and 0 < r <= 1/2, since -ln(1 - v) <= 4 v/3 for v <= 1/4.  The terms left out
 * beyond the frequency u are at most (2/pi) f(u) (1 + u^2)^times u^(-2
 * times)/(2 times).  The two errors are added.
 *
 * A population.  The n records are independent draws from a law with the mean
 * mu, so that n (z - mu) is nearly normal with variance n s^2, and D - mu N is
 * t sum_j w_j(mu) Y_j and this normal variable.  The sum's two quantiles, mu at
 * either end, give the interval.  Cells on -1..1 allow s^2 at most 1 - mu^2;
 * s^2 is taken as this bound times V / (1 - (D/N)^2) at each mu.  For a column
 * with two values the factor is 1, and the interval is Wilson's (1927); for
 * other columns s^2 moves as little as mu moves.
 *
 * V has noise with variance b = 2 t^2 sum_j w_j(D/N, V)^2 / N^2.  The share
 * P[|x| <= q sqrt(1 + e)] of a normal x has the first derivative q f(q) and the
 * second -q (q^2 + 1) f(q)/2 at e = 0, f the density; so an error e of V/s^2
 * with mean 0 and variance b/s^4 costs b/s^4 q (q^2 + 1) f(q)/4 of the
 * probability, and V + b (q^2 + 1)/(4 s^2) gives the loss back, as Student's
 * quantile does.  An s^2 below the error sqrt(b) is raised to sqrt(b) there.
 *
 * The sum over a column with two values moves in steps of 2, a record, and the
 * normal law is right between two steps: half a step, 1, is added.  For columns
 * with more values the factor is enough.
 */
#include "cover.h"

#include <math.h>

#define ROUNDS 4
#define EQUALS 60		/* terms looked at in an average */
#define TERMS 8192		/* in the series, at most */
#define PI 3.14159265358979323846
#define PART 1e-5		/* of alpha, for each of two errors */
#define ROUNDING 1e-11		/* in floating-point sums */
#define NEAR 1e-4		/* accuracy enough for a quantile */

/* A sum of weighted Laplace variables, the largest weight 1. */
struct weighted {
	const double *w;
	size_t n, times;
	double largest, normal;
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
	return pow(all, -(double)s->times) * exp(-s->normal * s->normal *
	    u * u / 2);
}

/* A bound y with P[|S| > y] <= p. */
static double
beyond(const struct weighted *s, double p)
{
	double sum = 0, rate, need = log(2 / p);

	for (size_t j = 0; j < s->n; j++)
		sum += s->w[j] / s->largest * (s->w[j] / s->largest);
	sum *= 2 * (double)s->times;
	sum = sum * 2 / 3 + s->normal * s->normal / 2;
	rate = fmin(0.5, sqrt(need / sum));
	return need / rate + sum * rate;
}

/* The terms f(u_k) / (k + 1/2), how many, and a bound for the rest. */
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

/* P[|S| > x] without the errors; the sines by angle sums. */
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
cover_spread(const double *weight, size_t n, size_t times, double normal,
    double alpha)
{
	struct weighted s = { weight, n, times, 0, 0 };
	double lo = 0, hi, small = alpha * PART;
	struct series f;

	for (size_t j = 0; j < n; j++)
		s.largest = fmax(s.largest, fabs(weight[j]));
	if (!(s.largest > 0))
		return 0;
	s.normal = normal / s.largest;
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

/*
 * An average over many spreads no more than an average over few [Proschan
 * 1965].
 */
double
cover_average(size_t n, double alpha)
{
	static const double one[] = { 1 };

	n = n < EQUALS ? n : EQUALS;
	return cover_spread(one, 1, n, 0, alpha) / (double)n;
}

static double
exceeded(const double *w, size_t n, const struct cover_noise *noise,
    double normal)
{
	double sum = 0;

	for (size_t j = 0; j < n; j++)
		sum += fabs(w[j]) * (double)noise->times;
	return (noise->scale * cover_spread(w, n, noise->times, normal /
	    noise->scale, noise->alpha) + sum * noise->step) /
	    (double)noise->pairs;
}

/* Encloses the true mean of column i, from a partition with n weights. */
static struct cover
enclose_mean(const struct unity_moments *m, int i, size_t weights,
    const struct cover_noise *noise)
{
	double n = (double)m->n, sum = (double)m->first[i];
	struct cover z = { -1, 1 };

	for (int k = 0; k < ROUNDS && n > 0; k++) {
		double w[] = { 1 + z.upper, 1 - z.lower,
		    cover_larger(z.lower, z.upper) };
		double x = exceeded(w, weights, noise, 0);

		cover_narrow(&z, (sum - x) / n, (sum + x) / n);
	}
	return z;
}

struct cover
cover_mean(const struct unity_moments *m, size_t totals,
    const struct cover_noise *noise)
{
	struct cover z = enclose_mean(m, 0, totals, noise);

	return (struct cover){ (1 + z.lower) / 2, (1 + z.upper) / 2 };
}

/* |x| beyond the result has probability alpha, for a standard normal x. */
static double
normal_quantile(double alpha)
{
	double q = 0;

	/* Newton from the left of a convex function never overshoots */
	for (int k = 0; k < 100; k++)
		q += (erfc(q * M_SQRT1_2) - alpha) * exp(q * q / 2) *
		    sqrt(PI / 2);
	return q;
}

/* The noisy z, as at the head of this file, on -1..1. */
static double
middle_of(const struct unity_moments *m)
{
	double n = fmax((double)m->n, 1);

	return fmin(fmax((double)m->first[0] / n, -1), 1);
}

/*
 * The variance, with a share for a shortfall, over the largest that z
 * allows.
 */
static double
part_of_most(const struct unity_moments *m, const struct cover_noise *noise)
{
	double n = fmax((double)m->n, 1), z = middle_of(m), most = 1 - z * z;
	double v = fmax((double)unity_square_mean(m->second[0],
	    (long double)n) - z * z, 0);
	double w[] = { (1 + z) * (1 + z) - v, z * z - 1 - v,
	    (1 - z) * (1 - z) - v };
	double q = normal_quantile(noise->alpha), by = 2 * noise->scale *
	    noise->scale / (n * n) * (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);

	if (by > 0)
		v += by * (q * q + 1) / 4 / fmax(v, sqrt(by));
	return v < most ? v / most : 1;
}

/* The interval's end on one side: where the error is just this large. */
static double
far_end(const struct unity_moments *m, const struct cover_noise *noise,
    double side)
{
	double n = fmax((double)m->n, 1), z = middle_of(m), mu = z;
	double part = part_of_most(m, noise);

	for (int k = 0; k < 2 * ROUNDS; k++) {
		double w[] = { 1 + mu, 1 - mu, mu };

		mu = z + side / n * (exceeded(w, 3, noise, sqrt(part * n *
		    (1 - mu * mu))) + part);
		mu = fmin(fmax(mu, -1), 1);
	}
	return mu;
}

struct cover
cover_population(const struct unity_moments *m, const struct cover_noise *noise)
{
	if (m->n < 1)
		return (struct cover){ 0, 1 };
	return (struct cover){ (1 + far_end(m, noise, -1)) / 2,
	    (1 + far_end(m, noise, 1)) / 2 };
}

struct cover_side
cover_side(const struct unity_moments *m, const struct cover_noise *noise,
    double side)
{
	double n = fmax((double)m->n, 1), mu = far_end(m, noise, side);
	double by = (noise->scale + noise->step) / n;

	return (struct cover_side){ { by * (1 + mu), by * mu, by * (1 - mu) },
	    sqrt(part_of_most(m, noise) * (1 - mu * mu) / n), m->n < 1 };
}

/*
 * The errors of two means are independent: Laplace noise, each total's with its
 * weight over the number of records, and sampling errors, whose variances add
 * up.  The difference's lower end goes with the first mean's lower end and the
 * second mean's upper end [Newcombe 1998].
 */
double
cover_difference(const struct cover_side *a, const struct cover_side *b,
    double alpha)
{
	double w[2 * UNITY_PARTS];

	for (size_t j = 0; j < UNITY_PARTS; j++) {
		w[j] = a->weight[j];
		w[j + UNITY_PARTS] = b->weight[j];
	}
	if (a->empty || b->empty)
		return 2;
	return fmin(2, cover_spread(w, 2 * UNITY_PARTS, 1,
	    hypot(a->error, b->error), alpha));
}

/* The largest distance of a number from the enclosed set. */
static double
distance(const struct cover *c, double x)
{
	return cover_larger(c->lower - x, c->upper - x);
}

struct cover
cover_variance(const struct unity_moments *m, const struct cover_noise *noise)
{
	struct cover_noise few = *noise, rest = *noise;
	struct cover z, v = { 0, 1 };
	double n = (double)m->n, mean, d, middle, least;

	few.alpha = noise->alpha / 10;
	rest.alpha = noise->alpha - few.alpha;
	if (!(n > 0))
		return v;
	z = enclose_mean(m, 0, 3, &few);
	mean = (double)m->first[0] / n;
	d = distance(&z, mean);
	middle = (double)unity_square_mean(m->second[0], m->n) - mean * mean;
	least = z.lower < 0 && z.upper > 0 ? 0 : fmin(z.lower * z.lower,
	    z.upper * z.upper);
	for (int k = 0; k < ROUNDS; k++) {
		double w[] = {
		    cover_larger((1 + z.lower) * (1 + z.lower) - v.upper,
			(1 + z.upper) * (1 + z.upper) - v.lower),
		    1 - least + v.upper,
		    cover_larger((1 - z.upper) * (1 - z.upper) - v.upper,
			(1 - z.lower) * (1 - z.lower) - v.lower) };
		double x = exceeded(w, 3, &rest, 0);

		cover_narrow(&v, middle - x / n, middle + d * d + x / n);
	}
	return v;
}

/* The largest |h_j(m) h_k(m') - c| over m, m' and c. */
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
	few.times = 3;
	y = enclose_mean(m, 0, 3, &few);
	z = enclose_mean(m, 1, 3, &few);
	a = (double)m->first[0] / n;
	b = (double)m->first[1] / n;
	d = distance(&y, a) * distance(&z, b);
	middle = (double)m->product / n - a * b;
	for (int i = 0; i < ROUNDS; i++) {
		double w[PAIR_PARTS], x;

		for (int j = 0; j < PAIR_PARTS; j++)
			w[j] = weight_of(&y, j / 3, &z, j % 3, &c);
		x = exceeded(w, PAIR_PARTS, &rest, 0);
		cover_narrow(&c, middle - d - x / n, middle + d + x / n);
	}
	return c;
}
