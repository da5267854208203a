/*
 * waves: counts in a row, against what their definition promises.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "dx/synth/waves.h"
#include "random/noise.h"

#define MOST 60
#define SCALE 1000		/* of Laplace noise */
#define EXCESS 3.0

/* Noise without its mean. */
static void
noise(double *off, size_t n, struct rng *r)
{
	struct scale t = { SCALE, 1 };
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += off[i] = (double)noise_laplace(r, &t);
	for (size_t i = 0; i < n; i++)
		off[i] -= sum / (double)n;
}

static struct waves
row(double *off, size_t n, double mean)
{
	return (struct waves){ .n = n, .off = off, .mean = mean,
	    .variance = 2.0 * SCALE * SCALE, .excess = EXCESS };
}

/* Nothing is lost of what is large; the sum stays 0. */
Test(waves, what_is_clear_is_kept)
{
	double off[MOST], want[MOST], sum;
	struct rng r;
	bool clear;

	rng_seeded(&r, 1, "kept");
	for (size_t n = 2; n <= MOST; n++) {
		struct waves w = row(off, n, 5);

		noise(off, n, &r);
		for (size_t i = 0; i < n; i++)
			want[i] = off[i] *= 1e9;
		cr_assert(waves_keep(&w, &clear));
		cr_assert(clear);
		sum = 0;
		for (size_t i = 0; i < n; i++) {
			cr_assert(fabs(off[i] - want[i]) < 1e3, "%zu", n);
			sum += off[i];
		}
		cr_assert(fabs(sum) < 1);
	}
}

/* Noise is believed once in many times: expected a part of 0.1 at most. */
Test(waves, noise_is_not_believed)
{
	double off[MOST], sum = 0;
	int believed = 0;
	struct rng r;
	bool clear;

	rng_seeded(&r, 2, "noise");
	for (int run = 0; run < 4000; run++) {
		size_t n = 4 + (size_t)run % (MOST - 4);
		/* 30 times what drawing does */
		double mean = 2.0 * SCALE * SCALE / 900;
		struct waves w = row(off, n, mean);

		noise(off, n, &r);
		cr_assert(waves_keep(&w, &clear));
		believed += clear;
		for (size_t i = 0; i < n; i++)
			sum += off[i] * off[i] / (double)n;
	}
	cr_assert(believed < 30, "%d", believed);
	/* of the variance, beside 1/900 by drawing */
	cr_assert(sum / 4000 / (2.0 * SCALE * SCALE) < 0.006, "%g",
	    sum / 4000 / (2.0 * SCALE * SCALE));
}

/* How often a row of such deviations, beside noise, is seen. */
static int
seen(const double *true_off, size_t n)
{
	double off[MOST];
	struct rng r;
	int count = 0;
	bool clear;

	rng_seeded(&r, 3, "seen");
	for (int run = 0; run < 300; run++) {
		struct waves w = row(off, n, 5000);

		noise(off, n, &r);
		for (size_t i = 0; i < n; i++)
			off[i] += true_off[i];
		cr_assert(waves_keep(&w, &clear));
		count += clear;
	}
	return count;
}

/*
 * A slope is seen where its squares are 25 times the variance of one count;
 * the same deviations in another order, in which they are no slope, rarely.
 */
Test(waves, a_slope_is_seen_early)
{
	double slope[20], mixed[20], size = 0;
	int early, late;

	for (int i = 0; i < 20; i++)
		size += (i - 9.5) * (i - 9.5);
	for (int i = 0; i < 20; i++)
		slope[i] = (i - 9.5) * sqrt(25 * 2.0 * SCALE * SCALE / size);
	for (int i = 0; i < 20; i++)
		mixed[i] = slope[7 * i % 20];
	early = seen(slope, 20);
	late = seen(mixed, 20);
	cr_assert(early > 200, "%d", early);
	cr_assert(late < early / 2, "%d of %d", late, early);
}

/* Clear or not, the squares are no more than a little above the noise's. */
Test(waves, rows_err_no_more_than_their_counts)
{
	double off[MOST], true_off[MOST], sum = 0, all = 0;
	struct rng r;
	bool clear;

	rng_seeded(&r, 4, "squares");
	for (int run = 0; run < 4000; run++) {
		size_t n = 4 + (size_t)run % (MOST - 4);
		struct waves w = row(off, n, 5000);

		noise(off, n, &r);
		for (size_t i = 0; i < n; i++) {
			all += off[i] * off[i];
			true_off[i] = 3000 * sin((double)i * (run % 7 + 1) / 5);
			off[i] += true_off[i];
		}
		cr_assert(waves_keep(&w, &clear));
		for (size_t i = 0; i < n; i++)
			sum += pow(off[i] - true_off[i], 2);
	}
	cr_assert(sum < 1.02 * all, "%g", sum / all);
	cr_assert(sum > 0.4 * all, "%g", sum / all);
}
