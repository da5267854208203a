/*
 * cover: intervals for means, variances and covariances after noisy totals.
 *
 * The totals r_j of unity.c, in records, have independent noise t Y_j, Y_j
 * discrete Laplace.  For the true mean z of the cells on -1..1 and the true
 * variance v there, with D, N and Q the noisy sum of z, number of records and
 * sum of z^2,
 *
 *	D - z N			= t sum_j w_j(z) Y_j
 *	Q - 2 z D + z^2 N - v N	= t sum_j w_j(z, v) Y_j
 *
 * since the left sides are 0 without noise: w = -(1+z), -z, 1-z for the mean,
 * and (1+z)^2 - v, z^2 - 1 - v, (1-z)^2 - v for the variance.  Let x be a
 * number that the right side exceeds with probability at most alpha.  The set
 * of all z with |D - z N| <= x(z) holds the true mean with probability 1 -
 * alpha or more.  The set is
 * enclosed from outside: on an enclosing interval x(z) is at most x for the
 * largest |w_j| there, because the law of a sum of independent symmetric
 * unimodal variables only spreads when a variable is scaled up (Anderson 1955);
 * with this x the interval becomes smaller.  Where the set is empty, or a
 * point, the interval would never cover: all numbers take its place, and the
 * interval covers no less often.
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
 * K-norm noise (knorm.c).  The sums of z, of 2 z^2 - 1 and of y z have the
 * noises X, X2 and X', numbers of one draw, and the number of records has Y, of
 * the same draw, of its own, or none where it is public.  Then the left sides
 * are
 *
 *	X - m Y		X2/2 - 2 m X + (1/2 + m^2 - v) Y
 *	X' - m' X - m X'' + (m m' - c) Y,
 *
 * X'' that of the second column's sum.  Where the records are counted in the
 * same draw, each of X, X2, X', X'' is R U and Y is R V for independent uniform
 * U and V: a point of the body for lam and mu has numbers in -(lam + mu)..lam +
 * mu, whatever lam is.  A mean's sums of x = (1 + z)/2 have a box of 0 to 1
 * instead; twice their noise less Y is R U - m R V with m Y, as knorm_part
 * shows.  spread.c has the laws of all these sums.
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

#define ROUNDS 4
#define NEAR 1e-6	/* a noise beside a normal variable */

/* --- the left sides, for numbers in these intervals ----------------------- */

/* With n weights of Laplace noises. */
static struct cover_sum
cover_parts(const struct cover_noise *noise, const double *w, size_t n)
{
	struct cover_sum s = { .n = 0 };
	double pairs = (double)noise->pairs, times = (double)noise->times;

	for (size_t j = 0; j < n; j++) {
		double x = fabs(w[j]) / pairs;

		s.blur += x * times * noise->step;
		if (x * noise->scale > 0)
			s.part[s.n++] = (struct spread_part){ { x *
			    noise->scale }, 1, 2, times };
	}
	return s;
}

/* With n weights of K-norm noise, the last that of the number of records. */
static struct cover_sum
cover_box(const struct cover_noise *noise, const double *w, size_t n)
{
	size_t own = noise->counted ? 0 : 1;
	struct cover_sum s = cover_parts(noise, w + n - own, own);
	struct spread_part *box = &s.part[s.n++];

	*box = (struct spread_part){ { 0 }, n - own, noise->shape, 1 };
	for (size_t j = 0; j < n - own; j++) {
		box->a[j] = fmax(fabs(w[j]), SPREAD_LEAST) * noise->radius;
		s.blur += fabs(w[j]) * noise->step;
	}
	return s;
}

static double
cover_reach(const struct cover_sum *s, double alpha)
{
	return spread_reach((struct spread){ s->part, s->n, s->normal },
	    alpha) + s->blur;
}

static struct cover_sum
cover_mean_sum(const struct cover_noise *noise, struct cover z)
{
	double far = cover_larger(z.lower, z.upper);
	const double w[] = { 1 + z.upper, far, 1 - z.lower };
	const double a[] = { 1, far };

	if (noise->shape > 0)
		return cover_box(noise, a, 2);
	return cover_parts(noise, w, UNITY_PARTS);
}

static struct cover_sum
cover_variance_sum(const struct cover_noise *noise, struct cover z,
    struct cover v)
{
	double far = cover_larger(z.lower, z.upper), least = z.lower > 0 ||
	    z.upper < 0 ? fmin(z.lower * z.lower, z.upper * z.upper) : 0;
	const double a[] = { 0.5, 2 * far, cover_larger(0.5 + least - v.upper,
	    0.5 + far * far - v.lower) }, w[] = {
	    cover_larger((1 + z.lower) * (1 + z.lower) - v.upper,
		(1 + z.upper) * (1 + z.upper) - v.lower),
	    1 - least + v.upper,
	    cover_larger((1 - z.upper) * (1 - z.upper) - v.upper,
		(1 - z.lower) * (1 - z.lower) - v.lower) };

	if (noise->shape > 0)
		return cover_box(noise, a, 3);
	return cover_parts(noise, w, UNITY_PARTS);
}

/* The largest |y z - c|. */
static double
cover_product(struct cover y, struct cover z, struct cover c)
{
	double low = y.lower * z.lower, high = y.upper * z.upper;
	double from = y.lower * z.upper, to = y.upper * z.lower;
	double least = fmin(fmin(low, high), fmin(from, to));
	double most = fmax(fmax(low, high), fmax(from, to));

	return cover_larger(least - c.upper, most - c.lower);
}

/* h_j for all means in z. */
static struct cover
cover_factor(struct cover z, int j)
{
	return (struct cover){ j - 1 - z.upper, j - 1 - z.lower };
}

static struct cover_sum
cover_covariance_sum(const struct cover_noise *noise, struct cover y,
    struct cover z, struct cover c)
{
	const double a[] = { 1, cover_larger(y.lower, y.upper),
	    cover_larger(z.lower, z.upper), cover_product(y, z, c) };
	struct cover_noise own = *noise;
	double w[PAIR_PARTS];

	if (noise->shape > 0)
		return cover_box(noise, a, 4);
	own.times = own.pairs = 1;
	for (int j = 0; j < PAIR_PARTS; j++)
		w[j] = cover_product(cover_factor(y, j / 3),
		    cover_factor(z, j % 3), c);
	return cover_parts(&own, w, PAIR_PARTS);
}

/* --- intervals ------------------------------------------------------------ */

/* Encloses the true mean of column i. */
static struct cover
enclose_mean(const struct unity_moments *m, int i,
    const struct cover_noise *noise)
{
	double n = (double)m->n, sum = (double)m->first[i];
	const struct cover all = { -1, 1 };
	struct cover z = all;

	for (int k = 0; k < ROUNDS && n > 0; k++) {
		struct cover_sum s = cover_mean_sum(noise, z);
		double x = cover_reach(&s, noise->alpha);

		cover_narrow(&z, (sum - x) / n, (sum + x) / n, all);
	}
	return z;
}

struct cover
cover_mean(const struct unity_moments *m, const struct cover_noise *noise)
{
	struct cover z = enclose_mean(m, 0, noise);

	return (struct cover){ (1 + z.lower) / 2, (1 + z.upper) / 2 };
}

/* The noisy z, as at the head of this file, on -1..1. */
static double
middle_of(const struct unity_moments *m)
{
	double n = fmax((double)m->n, 1);

	return fmin(fmax((double)m->first[0] / n, -1), 1);
}

/* The mean square of noise. */
static double
cover_square(const struct cover_sum *s)
{
	double sum = 0;

	for (size_t i = 0; i < s->n; i++) {
		const struct spread_part *b = &s->part[i];

		for (size_t j = 0; j < b->n; j++)
			sum += b->a[j] * b->a[j] * b->shape * (b->shape + 1) /
			    3;
	}
	return sum;
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
	struct cover_sum s = cover_variance_sum(noise, (struct cover){ z, z },
	    (struct cover){ v, v });
	const struct spread_part least = { { NEAR }, 1, 2, 1 };
	double q = spread_reach((struct spread){ &least, 1, 1 }, noise->alpha);
	double by = cover_square(&s) / (n * n);

	if (by > 0)
		v += by * (q * q + 1) / 4 / fmax(v, sqrt(by));
	return v < most ? v / most : 1;
}

/* The error of n (z - mu): the noise, and who was drawn. */
static struct cover_sum
cover_population_sum(const struct unity_moments *m,
    const struct cover_noise *noise, double mu)
{
	double n = fmax((double)m->n, 1), part = part_of_most(m, noise);
	struct cover_sum s = cover_mean_sum(noise, (struct cover){ mu, mu });

	s.normal = sqrt(part * n * (1 - mu * mu));
	s.blur += part;
	return s;
}

/* The interval's end on one side: where the error is just this large. */
static double
far_end(const struct unity_moments *m, const struct cover_noise *noise,
    double side)
{
	double n = fmax((double)m->n, 1), z = middle_of(m), mu = z;

	for (int k = 0; k < 2 * ROUNDS; k++) {
		struct cover_sum s = cover_population_sum(m, noise, mu);

		mu = z + side / n * cover_reach(&s, noise->alpha);
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
	return (struct cover_side){ cover_population_sum(m, noise, far_end(m,
	    noise, side)), m->n < 1 ? 0 : (double)m->n };
}

static void
cover_add(struct cover_sum *s, const struct cover_side *c)
{
	for (size_t i = 0; i < c->error.n; i++, s->n++) {
		s->part[s->n] = c->error.part[i];
		for (size_t j = 0; j < s->part[s->n].n; j++)
			s->part[s->n].a[j] /= c->n;
	}
	s->normal = hypot(s->normal, c->error.normal / c->n);
	s->blur += c->error.blur / c->n;
}

/*
 * The errors of two means are independent: each noise with its weight over the
 * number of records, and sampling errors, whose variances add up.  The
 * difference's lower end goes with the first mean's lower end and the second
 * mean's upper end [Newcombe 1998].
 */
double
cover_difference(const struct cover_side *a, const struct cover_side *b,
    double alpha)
{
	struct cover_sum s = { .n = 0 };

	if (!(a->n > 0 && b->n > 0))
		return 2;
	cover_add(&s, a);
	cover_add(&s, b);
	return fmin(2, cover_reach(&s, alpha));
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
	const struct cover all = { 0, 1 };
	struct cover z, v = all;
	double n = (double)m->n, mean, d, middle;

	few.alpha = noise->alpha / 10;
	rest.alpha = noise->alpha - few.alpha;
	if (!(n > 0))
		return v;
	z = enclose_mean(m, 0, &few);
	mean = (double)m->first[0] / n;
	d = distance(&z, mean);
	middle = (double)unity_square_mean(m->second[0], m->n) - mean * mean;
	for (int k = 0; k < ROUNDS; k++) {
		struct cover_sum s = cover_variance_sum(&rest, z, v);
		double x = cover_reach(&s, rest.alpha);

		cover_narrow(&v, middle - x / n, middle + d * d + x / n, all);
	}
	return v;
}

struct cover
cover_covariance(const struct unity_moments *m,
    const struct cover_noise *noise)
{
	struct cover_noise few = *noise, rest = *noise;
	const struct cover all = { -1, 1 };
	struct cover y, z, c = all;
	double n = (double)m->n, a, b, d, middle;

	few.alpha = noise->alpha / 20;
	rest.alpha = noise->alpha - 2 * few.alpha;
	if (!(n > 0))
		return c;
	few.times /= few.pairs;
	few.pairs = 1;
	y = enclose_mean(m, 0, &few);
	z = enclose_mean(m, 1, &few);
	a = (double)m->first[0] / n;
	b = (double)m->first[1] / n;
	d = distance(&y, a) * distance(&z, b);
	middle = (double)m->product / n - a * b;
	for (int i = 0; i < ROUNDS; i++) {
		struct cover_sum s = cover_covariance_sum(&rest, y, z, c);
		double x = cover_reach(&s, rest.alpha);

		cover_narrow(&c, middle - d - x / n, middle + d + x / n, all);
	}
	return c;
}

/* The least of variances in the middle is near v = 1/2; the ends have 0. */
double
cover_error95(const struct cover_noise *noise, enum cover_part part, double z)
{
	const struct cover mean = { z, z }, v = { (1 - z) / 2, (1 - z) / 2 };
	const struct cover none = { 0, 0 };
	struct cover_sum s;

	if (part == COVER_MEAN)
		s = cover_mean_sum(noise, mean);
	else if (part == COVER_VARIANCE)
		s = cover_variance_sum(noise, mean, v);
	else
		s = cover_covariance_sum(noise, mean, mean, none);
	return cover_reach(&s, 0.05) / (part == COVER_MEAN ? 2 : 4);
}
