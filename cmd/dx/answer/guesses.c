/*
 * guesses: how far groups of expected counts are off, judged together.
 *
 * Where groups of counts are judged together, expectations are wrong by an
 * error with the variance g `wrong', for one guess g of a row in each group: 0,
 * or LARGEST and twofold steps below.  The best linear estimate keeps the part
 *	(drawing + g wrong) / (noise + drawing + g wrong)
 * of a distance.  Each guess is as likely as the guess makes a group's
 * distances.  How often groups have a guess follows from the evidence of all
 * groups: where most are as expected, a group must be clearer to be believed
 * [Robbins 1956].
 */
#include "guesses.h"

#include <math.h>

#define LARGEST 64.0	/* as where all records are in one cell of 64 */
#define SURE 0.4	/* squares of Laplace noise vary 1 / SURE times as
			   much as squares of normal noise */
#define OFF 0.03	/* groups that are off, as if seen before, */
#define EQUAL 3.0	/* and groups that are not */
#define TIMES 20	/* until shares are steady */

static double
guesses_variance(const struct distance *d, int guess)
{
	return guess > 0 ? ldexp(LARGEST, 1 - guess) * d->wrong : 0;
}

void
guesses_hear(struct guesses *said, const struct distance *d, double degrees)
{
	double v = d->noise + d->drawing, rho;

	if (!(v > 0))
		return;
	for (int g = 0; g < GUESSES; g++) {
		rho = 1 + guesses_variance(d, g) / v;
		said->of[g] += (d->off * d->off / v * (1 - 1 / rho) -
		    degrees * log(rho)) / 2 * SURE;
	}
}

/* Chances from the odds beforehand and log odds. */
static struct guesses
guesses_chances(const struct guesses *before, const struct guesses *said)
{
	struct guesses to;
	double most = -HUGE_VAL, all = 0;

	for (int g = 0; g < GUESSES; g++)
		most = fmax(most, said->of[g]);
	for (int g = 0; g < GUESSES; g++) {
		to.of[g] = before->of[g] * exp(said->of[g] - most);
		all += to.of[g];
	}
	for (int g = 0; g < GUESSES; g++)
		to.of[g] /= all;
	return to;
}

void
guesses_judge(struct guesses *group, size_t n)
{
	struct guesses before = { { EQUAL } }, usual, sum, one;

	for (int g = 1; g < GUESSES; g++)
		before.of[g] = OFF / (GUESSES - 1);
	usual = before;
	for (int i = 0; i < TIMES; i++) {
		sum = before;
		for (size_t k = 0; k < n; k++) {
			one = guesses_chances(&usual, &group[k]);
			for (int g = 0; g < GUESSES; g++)
				sum.of[g] += one.of[g];
		}
		usual = sum;
	}
	for (size_t k = 0; k < n; k++)
		group[k] = guesses_chances(&usual, &group[k]);
}

double
guesses_kept(const struct guesses *chance, const struct distance *d)
{
	double kept = 1;

	if (!(d->noise > 0))
		return kept;
	for (int g = 0; g < GUESSES; g++)
		kept -= chance->of[g] * d->noise / (d->noise + d->drawing +
		    guesses_variance(d, g));
	return kept;
}
