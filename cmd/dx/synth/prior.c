/*
 * prior: a law of counts whose width is not known.
 *
 * Of counts without any order nothing is known but their mean.  Each is taken
 * to be drawn from a Poisson law whose rate is that mean times exp(w z), z
 * being normal, but that a part of all cells may be empty for good.  Which w
 * and which part is asked of the noisy counts themselves [Robbins 1956]: a law
 * weighs as much as it makes them likely, times what it is given beforehand.
 * Equal rates are given four times as much as all the rest, as they lose most
 * by a doubt: of 10 to 100 that was the least evil in trials with counts of
 * four shapes.  The mean count under these laws has the least square error
 * that one can have without knowing more, in every linear query at once, as
 * counts have no order.  So where noise drowns the counts the table is nearly
 * equal counts, and where noise is small the noisy counts themselves.
 *
 * Laws.  Small counts are points, so that whole numbers are known as such;
 * from SMALL up a law is a row of bins, evenly spaced in the logarithm, in
 * which the density is flat.  The bins of Poisson's law of a large mean are
 * those of a normal law of the logarithm with the same variance.
 *
 * Answers of queries are sums of many counts: their distances from what is
 * expected are taken to be normal, with the deviations that follow from the
 * same laws.
 */
#include "prior.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#define LAWS 20
#define SMALL 12	/* points 0..SMALL-1 */
#define BINS 32
#define REACH 4.0	/* deviations of the logarithm that the bins span */
#define SEEN 4096	/* counts that are asked which law it is */
#define LITTLE 1e-3	/* a law of less weight is left out */
#define BEYOND 1e-6	/* given to counts that are larger than any law's */
#define CLEAR 20.0	/* deviations over scale: noise hardly counts */

/* w and the part of empty cells, what it is given beforehand. */
struct kind {
	double width, empty, given;
};

static const struct kind kinds[LAWS] = {
	{ 0, 0, 40 }, { 0.1, 0, 1 }, { 0.2, 0, 1 }, { 0.35, 0, 1 },
	{ 0.5, 0, 1 }, { 0.7, 0, 1 }, { 1, 0, 1 }, { 1.4, 0, 1 },
	{ 2, 0, 0.2 }, { 3, 0, 0.2 }, { 4, 0, 0.1 },
	{ 0.3, 0.5, 0.2 }, { 0.8, 0.5, 0.2 }, { 1.5, 0.5, 0.2 },
	{ 0.3, 0.8, 0.2 }, { 0.8, 0.8, 0.2 }, { 1.5, 0.8, 0.2 },
	{ 0.3, 0.95, 0.2 }, { 0.8, 0.95, 0.2 }, { 1.5, 0.95, 0.2 }
};

struct law {
	double point[SMALL];	/* chances of small counts */
	double edge[BINS + 2];	/* of the others; the last ends at n */
	double mass[BINS + 1];
	double weight;
};

/* The chance of a normal number between a and b. */
static double
between(double a, double b)
{
	return (erfc(a / sqrt(2)) - erfc(b / sqrt(2))) / 2;
}

/* The points of Poisson laws with rates m exp(w z - w^2 / 2). */
static void
points(struct law *l, double m, double w, double part)
{
	for (int b = 0; b < BINS; b++) {
		double z = REACH * (2.0 * b / BINS - 1), step = 2 * REACH /
		    BINS, rate = m * exp(w * (z + step / 2) - w * w / 2);
		double p = part * between(z, z + step) * exp(-rate);

		for (int x = 0; x < SMALL; x++) {
			l->point[x] += p;
			p *= rate / (x + 1);
		}
	}
}

/* The bins above the points, with all that these leave. */
static void
bins(struct law *l, double m, double w)
{
	double s = sqrt(w * w + log1p(1 / m)), z, all = 0, left = 1;
	double least = SMALL - 0.5, from;

	for (int x = 0; x < SMALL; x++)
		left -= l->point[x];
	l->edge[0] = least;
	for (int b = 0; b < BINS; b++) {
		z = REACH * (2.0 * (b + 1) / BINS - 1);
		l->edge[b + 1] = fmax(least, m * exp(s * z - s * s / 2));
		from = (log(l->edge[b] / m) + s * s / 2) / s;
		l->mass[b] = l->edge[b + 1] > l->edge[b] ?
		    between(fmax(from, z - 2 * REACH / BINS), z) : 0;
		all += l->mass[b];
	}
	for (int b = 0; b < BINS; b++)
		l->mass[b] *= all > 0 ? fmax(0, left) / all : 0;
}

static void
law_make(struct law *l, const struct kind *k, double mean, double total)
{
	*l = (struct law){ .weight = 0 };
	points(l, mean / (1 - k->empty), k->width, 1 - k->empty);
	l->point[0] += k->empty;
	bins(l, mean / (1 - k->empty), k->width);
	/* no count may drag a distant one to where a law happens to end */
	l->edge[BINS + 1] = fmax(total, l->edge[BINS]) + 1;
	l->mass[BINS] = BEYOND;
}

/* What a noisy count says of the true one: sums over a law. */
struct said {
	double like;		/* how likely the noisy count is */
	double off, square;	/* times that: of the distance from it */
};

static void
add(struct said *s, double part, double off)
{
	s->like += part;
	s->off += part * off;
	s->square += part * off * off;
}

/*
 * Integrals of exp(-|t|), and of it times t and t^2, from a to b >= a, as
 * exp(-t) on one side of 0: those over a side are of one sign.
 */
static void
integrals(double a, double b, double sum[3])
{
	double ea = exp(-a), eb = exp(-b);

	sum[0] = ea - eb;
	sum[1] = ea * (a + 1) - eb * (b + 1);
	sum[2] = ea * (a * a + 2 * a + 2) - eb * (b * b + 2 * b + 2);
}

/* A bin from a to b > a, in scales from the noisy count. */
static void
add_bin(struct said *s, double mass, double a, double b, double scale)
{
	double up[3] = { 0 }, down[3] = { 0 };

	if (b - a < 0.01) {
		add(s, mass * exp(-fabs(a)), scale * (a + b) / 2);
		return;
	}
	if (b > 0)
		integrals(fmax(a, 0), b, up);
	if (a < 0)
		integrals(fmax(-b, 0), -a, down);
	mass /= b - a;
	s->like += mass * (up[0] + down[0]);
	s->off += mass * scale * (up[1] - down[1]);
	s->square += mass * scale * scale * (up[2] + down[2]);
}

static struct said
listen(const struct law *l, double h, double scale)
{
	struct said s = { DBL_MIN, 0, 0 };

	for (int x = 0; x < SMALL; x++)
		if (l->point[x] > 0)
			add(&s, l->point[x] * exp(-fabs(h - x) / scale),
			    x - h);
	for (int b = 0; b <= BINS; b++)
		if (l->mass[b] > 0)
			add_bin(&s, l->mass[b], (l->edge[b] - h) / scale,
			    (l->edge[b + 1] - h) / scale, scale);
	return s;
}

/* Weights from their logarithms. */
static void
weights(double w[LAWS])
{
	double most = w[0], sum = 0;

	for (int k = 1; k < LAWS; k++)
		most = fmax(most, w[k]);
	for (int k = 0; k < LAWS; k++) {
		w[k] = exp(w[k] - most);
		sum += w[k] = w[k] < LITTLE ? 0 : w[k];
	}
	for (int k = 0; k < LAWS; k++)
		w[k] /= sum;
}

/* The laws of n counts that add up to total, weighed by noisy ones. */
static void
weigh(struct law *l, const double *noisy, size_t n, double total,
    double scale)
{
	double w[LAWS], step = n > SEEN ? (double)n / SEEN : 1;
	size_t seen = n > SEEN ? SEEN : n;

	for (int k = 0; k < LAWS; k++) {
		law_make(&l[k], &kinds[k], total / (double)n, total);
		w[k] = log(kinds[k].given);
		for (size_t i = 0; i < seen; i++)
			w[k] += log(listen(&l[k], noisy[(size_t)((double)i *
			    step)], scale).like);
	}
	weights(w);
	for (int k = 0; k < LAWS; k++)
		l[k].weight = w[k];
}

/* Mean and variance of a count, whatever the law. */
static double
believe(const struct law *l, double h, double scale, double *variance)
{
	struct said all = { 0 }, s;

	for (int k = 0; k < LAWS; k++)
		if (l[k].weight > 0) {
			s = listen(&l[k], h, scale);
			all.off += l[k].weight * s.off / s.like;
			all.square += l[k].weight * s.square / s.like;
		}
	*variance = fmax(all.square - all.off * all.off, 1e-9);
	return h + all.off;
}

/* What is missing in the sum is missing where it is least certain. */
static void
settle(double *y, const double *variance, size_t n, double total)
{
	double off = total, all = 0, sum = 0;

	for (size_t i = 0; i < n; i++) {
		off -= y[i];
		all += variance[i];
	}
	for (size_t i = 0; i < n; i++)
		sum += y[i] = fmax(0, y[i] + off * variance[i] / all);
	for (size_t i = 0; i < n && sum > 0; i++)
		y[i] *= total / sum;
}

bool
prior_cells(const double *noisy, size_t n, double total, double scale,
    double *y)
{
	struct law *l = malloc(LAWS * sizeof(*l));
	double *variance = malloc((n + 1) * sizeof(*variance));
	bool ok = l != NULL && variance != NULL;

	if (ok) {
		weigh(l, noisy, n, total, scale);
		for (size_t i = 0; i < n; i++)
			y[i] = believe(l, noisy[i], scale, &variance[i]);
		settle(y, variance, n, total);
	}
	free(l);
	free(variance);
	return ok;
}

/* log erfc(x), also where erfc(x) would be 0. */
static double
log_erfc(double x)
{
	if (x < 20)
		return log(erfc(x));
	return -x * x - log(x * sqrt(M_PI)) + log1p(-1 / (2 * x * x));
}

/*
 * Log density, at d, of a normal number of deviation s plus Laplace noise; the
 * mean of the normal number there, which is -s^2 times the derivative.
 */
static double
part(double d, double s, double scale, double *mean)
{
	double r = s / scale, a, b;

	*mean = 0;
	if (!(s > 0))
		return -fabs(d) / scale - log(2 * scale);
	if (r > CLEAR) {
		/* the noise may be normal, too */
		b = s * s + 2 * scale * scale;
		*mean = d * (s * s / b);
		return -d * d / b / 2 - log(2 * M_PI * b) / 2;
	}
	a = -d / scale + log_erfc((r - d / s) / sqrt(2));
	b = d / scale + log_erfc((r + d / s) / sqrt(2));
	*mean = s * r * tanh((a - b) / 2);
	if (!(fabs(*mean) < fabs(d)))
		*mean = d;
	return r * r / 2 - log(4 * scale) + fmax(a, b) +
	    log1p(exp(-fabs(a - b)));
}

/*
 * The deviation of one of n counts under a law.  Their squares add up to the
 * square of the total at most.
 */
static double
deviation(const struct kind *k, double n, double total)
{
	double mean = total / n, m = mean / (1 - k->empty);
	double square = exp(k->width * k->width) * (m * m + m) *
	    (1 - k->empty);

	return sqrt(fmin(square - mean * mean, total * total / n));
}

void
prior_answers(struct prior_answer *a, size_t k, size_t n, double total)
{
	double w[LAWS], mean, off, s[LAWS];

	for (int j = 0; j < LAWS; j++) {
		s[j] = deviation(&kinds[j], (double)n, total);
		w[j] = log(kinds[j].given);
		for (size_t i = 0; i < k; i++)
			w[j] += part(a[i].off, s[j] * a[i].spread, a[i].scale,
			    &mean);
	}
	weights(w);
	for (size_t i = 0; i < k; i++) {
		off = 0;
		for (int j = 0; j < LAWS; j++) {
			if (w[j] == 0)
				continue;
			(void)part(a[i].off, s[j] * a[i].spread, a[i].scale,
			    &mean);
			off += w[j] * mean;
		}
		a[i].off = off;
	}
}
