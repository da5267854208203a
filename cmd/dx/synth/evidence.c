/*
 * evidence: how far to believe noisy counts.
 *
 * Drawing: if records fall into cells by chance, a count differs from the
 * expected count by the root of this, even where the expectation is right.  So
 * a count whose noise is not much larger than the root teaches something: at
 * least the part expected / (expected + variance of the noise) of a distance is
 * kept.
 *
 * The distances from the expected counts, squared in units of noise and
 * drawing, add up to a sum with the mean d, the degrees of freedom, and a
 * variance from the noise law: (2 + k) d at most, where k is the excess
 * kurtosis, 3 for Laplace noise and less for sums.  A sum in the range of
 * chance says nothing.  For a larger sum the part 1 - (d - 2) / S of every
 * distance is kept, with S the sum in noise units [James, Stein 1961]: for
 * normal noise this estimate errs less than the counts themselves whatever the
 * truth, and loses as much as 2 / d of the gain from knowing the best factor.
 *
 * Deviations.  To believe noise costs about the root of variance over mean: the
 * counts' error beside the error of the right expectation, which drawing has
 * too.  A normal law is beyond z deviations with a chance of exp(-z^2/2) at
 * most, so with this chance RISK over the root, the mean cost is the part RISK
 * of the error without the counts; and no threshold is higher than needed, as
 * distances below are lost.
 *
 * Groups.  Where groups of counts are judged together, expectations are wrong
 * by an error with the variance g `wrong', for one guess g of a row in each
 * group: 0, or LARGEST and twofold steps below.  The best linear estimate keeps
 * the part
 *	(drawing + g wrong) / (noise + drawing + g wrong)
 * of a distance.  Each guess is as likely as the guess makes a group's
 * distances.  How often groups have a guess follows from the evidence of all
 * groups: where most are as expected, a group must be clearer to be believed
 * [Robbins 1956].
 */
#include "evidence.h"

#include <math.h>

#include "number/fixed.h"
#include "random/meter.h"
#include "random/noise.h"

#define RISK 0.015
#define LARGE 4.0	/* square of a distance, of the counts */
#define STEPS 12
#define MOST ((int64_t)1 << 50)	/* a count, cut */
#define LARGEST 64.0	/* as where all records are in one cell of 64 */
#define SURE 0.4	/* squares of Laplace noise vary 1 / SURE times as
			   much as squares of normal noise */
#define OFF 0.03	/* groups that are off, as if seen before, */
#define EQUAL 3.0	/* and groups that are not */
#define TIMES 20	/* until shares are steady */

void
evidence_add(struct evidence *e, double off, double mean, double variance)
{
	e->noise += off * off / variance;
	e->drawn += off * off / (variance + mean);
}

double
evidence_part(const struct evidence *e, double excess, double chance)
{
	/* a gamma law with this mean and variance [Wilson, Hilferty 1931] */
	double nu = 2 * e->degrees / (2 + excess), root = 2 / (9 * nu);
	double most = 1 - root + chance * sqrt(root);

	if (!(e->degrees > 0) || !(e->noise > 0) ||
	    e->drawn <= e->degrees * pow(most, 3))
		return 0;
	return fmax(0, 1 - fmax(0, e->degrees - 2) / e->noise);
}

/*
 * The square of the counts' relative error is taken from a row of twofold
 * steps; each step weighs as much as the step makes the squares likely, for
 * normal noise, and keeps the part of the distances with the least error then.
 */
double
evidence_odds(const struct evidence *e, double rate, double *part)
{
	double most = -HUGE_VAL, all = 0, like[STEPS], rho[STEPS];

	for (int j = 0; j < STEPS; j++) {
		rho[j] = 1 + ldexp(LARGE, -j) * rate;
		like[j] = (e->drawn * (1 - 1 / rho[j]) -
		    e->degrees * log(rho[j])) / 2;
		most = fmax(most, like[j]);
	}
	*part = 0;
	for (int j = 0; j < STEPS; j++) {
		all += exp(like[j] - most);
		*part += exp(like[j] - most) * (1 - 1 / rho[j]);
	}
	*part /= all;
	return most + log(all / STEPS);
}

double
evidence_chance(double variance, double mean)
{
	return sqrt(2 * log(sqrt(1 + variance / fmax(mean, 1)) / RISK));
}

double
evidence_count(double part, double count, double mean, double variance)
{
	part = fmax(part, mean / (mean + variance));
	return mean + part * (count - mean);
}

static double
guess_variance(const struct distance *d, int guess)
{
	return guess > 0 ? ldexp(LARGEST, 1 - guess) * d->wrong : 0;
}

void
evidence_hear(struct guesses *said, const struct distance *d, double degrees)
{
	double v = d->noise + d->drawing, rho;

	if (!(v > 0))
		return;
	for (int g = 0; g < EVIDENCE_GUESSES; g++) {
		rho = 1 + guess_variance(d, g) / v;
		said->of[g] += (d->off * d->off / v * (1 - 1 / rho) -
		    degrees * log(rho)) / 2 * SURE;
	}
}

/* Chances from the odds beforehand and log odds. */
static struct guesses
chances(const struct guesses *before, const struct guesses *said)
{
	struct guesses to;
	double most = -HUGE_VAL, all = 0;

	for (int g = 0; g < EVIDENCE_GUESSES; g++)
		most = fmax(most, said->of[g]);
	for (int g = 0; g < EVIDENCE_GUESSES; g++) {
		to.of[g] = before->of[g] * exp(said->of[g] - most);
		all += to.of[g];
	}
	for (int g = 0; g < EVIDENCE_GUESSES; g++)
		to.of[g] /= all;
	return to;
}

void
evidence_judge(struct guesses *group, size_t n)
{
	struct guesses before = { { EQUAL } }, usual, sum, one;

	for (int g = 1; g < EVIDENCE_GUESSES; g++)
		before.of[g] = OFF / (EVIDENCE_GUESSES - 1);
	usual = before;
	for (int i = 0; i < TIMES; i++) {
		sum = before;
		for (size_t k = 0; k < n; k++) {
			one = chances(&usual, &group[k]);
			for (int g = 0; g < EVIDENCE_GUESSES; g++)
				sum.of[g] += one.of[g];
		}
		usual = sum;
	}
	for (size_t k = 0; k < n; k++)
		group[k] = chances(&usual, &group[k]);
}

double
evidence_kept(const struct guesses *chance, const struct distance *d)
{
	double kept = 1;

	if (!(d->noise > 0))
		return kept;
	for (int g = 0; g < EVIDENCE_GUESSES; g++)
		kept -= chance->of[g] * d->noise / (d->noise + d->drawing +
		    guess_variance(d, g));
	return kept;
}

double
evidence_noisy(int64_t x, const struct scale *t, struct rng *r)
{
	i128 m = x;

	if (r != NULL && t->s > 0)
		m = METER_NOISY(m + noise_laplace(r, t), m, t);
	return (double)fixed_clamp_wide(m, -MOST, MOST);
}

double
evidence_look(const double *h, size_t n, double all, double *total,
    double *variance)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += h[i];
	if (*variance > 0) {
		*total += (sum - *total) * *variance / (*variance + all);
		*variance *= all / (*variance + all);
	}
	return sum;
}

/* max(0, h - t) with the t that makes the sum equal the total. */
void
evidence_project(double *h, size_t n, double total)
{
	double lo = 0, hi = 0, t, sum;

	for (size_t i = 0; i < n; i++) {
		lo = fmin(lo, h[i] - total);
		hi = fmax(hi, h[i]);
	}
	for (int step = 0; step < 100; step++) {
		t = lo + (hi - lo) / 2;
		sum = 0;
		for (size_t i = 0; i < n; i++)
			sum += fmax(0, h[i] - t);
		if (sum > total)
			lo = t;
		else
			hi = t;
	}
	for (size_t i = 0; i < n; i++)
		h[i] = fmax(0, h[i] - hi);
}
