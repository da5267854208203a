/*
 * histogram: a table from noisy counts of all cells.
 *
 * The mean counts that follow from the noisy ones, where cells are taken to be
 * without any order (prior.h), are the best that can be said then, of every
 * query.  Such a mean moves each count a little, and queries whose cells have
 * something in common, as along a slope, add these moves up: what the noisy
 * answers of all queries miss beside what single counts miss tells whether
 * there is such an order, as without one squares of sums are sums of squares.
 *
 * Where there is, two estimates are made that look at queries.  The projection
 * is the table of n records, none negative, that is nearest to the noisy
 * counts.  It is the better one where the noise is small, and poor where most
 * of very many cells are empty: each keeps a little of its noise, and an
 * answer adds up thousands of them.  The smooth estimate begins with equal
 * counts and, as mwem does, corrects the query on which it is off by the most
 * standard deviations of the noisy answer, as long as that is more than CLEAR;
 * it is the nearest to equal counts, in relative entropy, that agrees with all
 * noisy answers as far as these say anything.  One that is off by about the
 * noise itself on all queries is trusted, and so is the mean of two such,
 * which has less error than either (in trials 5 to 30 % less).  Otherwise the
 * one that is off by less is taken.
 */
#include "histogram.h"

#include <math.h>
#include <stdlib.h>

#include "mwem.h"

#define CLEAR 2			/* deviations that count */
#define TRUSTED 1.25		/* deviations in the root mean square */
#define ALIKE 1.5		/* squares of sums over sums of squares */
#define FEW 2.5			/* and over the root of the number of queries */
#define LONE 6.5		/* the same, where a query is one cell */
#define CORRECTIONS 600		/* of the smooth estimate, at most */
#define WORK 4e8		/* and steps of arithmetic, about */
#define EVERY 8			/* corrections between two replays */
#define LAST 60			/* replays at the end, at most */
#define PARTS 1048576.0

/* Adds the same to all counts so that they add up to n. */
static void
level(int64_t *h, size_t n, uint64_t total)
{
	int64_t off = (int64_t)total, each;

	for (size_t i = 0; i < n; i++)
		off -= h[i];
	each = (int64_t)fixed_floor_div(off, (i128)n);
	off -= each * (int64_t)n;
	for (size_t i = 0; i < n; i++)
		h[i] += each + ((int64_t)i < off);
}

/* The nearest table in squares: max(0, h - t) with the t for which it adds
   up to n. */
static void
project(const int64_t *h, size_t n, uint64_t total, double *y)
{
	double lo = 0, hi = 0, t, sum;

	for (size_t i = 0; i < n; i++) {
		lo = fmin(lo, (double)h[i] - (double)total);
		hi = fmax(hi, (double)h[i]);
	}
	for (int step = 0; step < 100; step++) {
		t = lo + (hi - lo) / 2;
		sum = 0;
		for (size_t i = 0; i < n; i++)
			sum += fmax(0, (double)h[i] - t);
		if (sum > (double)total)
			lo = t;
		else
			hi = t;
	}
	for (size_t i = 0; i < n; i++)
		y[i] = fmax(0, (double)h[i] - hi);
}

/*
 * The deviations of noisy answers take the place of the scales c, where they
 * fit; false without memory.
 */
static bool
weigh(struct normal *q, const int64_t *h, double deviation, bool *fit)
{
	double *v = malloc((q->entries + 1) * sizeof(*v)), c;
	uint64_t total = 1;
	bool ok = v != NULL && normal_variance(q, v);

	*fit = ok;
	for (size_t e = 0; *fit && e < q->entries; e++) {
		c = sqrt(v[e]) * deviation * PARTS;
		if (c >= 1 && c < 0x1p100)
			*fit = rational_make(&q->c[e], (i128)c, (i128)PARTS);
	}
	for (size_t i = 0; i < q->w->n; i++)
		total += (uint64_t)(h[i] < 0 ? -h[i] : h[i]);
	free(v);
	*fit = *fit && normal_multiply(q, total, NORMAL_ANSWER,
	    (int64_t)1 << 50);
	return ok;
}

/*
 * Corrections that can be afforded: each looks at all answers; replays are
 * short for 0/1 queries, which only touch what they hold.
 */
static size_t
corrections(const struct mwem *a)
{
	const struct workload *w = a->q->w;
	double n = (double)w->n, k = (double)a->q->live, answers = k;
	double most = fmin(CORRECTIONS, k);

	for (size_t b = 0; b < w->blocks; b++) {
		bool dense = w->block[b].kind == WORKLOAD_DENSE;

		answers += dense ? n / 4 : n;
		if (dense && !mwem_binary(a, b))
			most = fmin(most, sqrt(WORK / n));
	}
	most = fmin(most, WORK / answers);
	return most < 1 ? 1 : (size_t)most;
}

/* How far the scores say that an estimate is off, in deviations. */
static double
distance(const struct mwem *a)
{
	double sum = 0, one;

	for (size_t i = 0; i < a->q->live; i++) {
		one = (double)a->score[i] / (double)a->q->unit;
		sum += one * one;
	}
	return sqrt(sum / (double)a->q->live);
}

/* How many whole cells the noise of a query is about that of, on average. */
static double
width(const struct normal *q, double deviation)
{
	double sum = 0, one;

	for (size_t b = 0; b < q->w->blocks; b++)
		for (size_t e = 0; e < q->block[b].entries; e++) {
			if (normal_times(q, b, e) == 0)
				continue;
			one = rational_real(q->c[q->block[b].entry + e]) /
			    (deviation * (double)q->block[b].width);
			sum += (double)normal_times(q, b, e) * one * one;
		}
	return sum / (double)q->live;
}

/*
 * Do queries miss more than the counts y and noisy ones differ by chance?
 * Chance has more room where queries are few, or of few cells: the noise of
 * one cell has a longer tail than that of many.
 */
static bool
ordered(struct mwem *a, const int64_t *h, double deviation, const double *y)
{
	size_t n = a->q->w->n;
	double few = FEW + LONE / fmax(1, width(a->q, deviation));
	double sum, one, square = 0;

	mwem_scores_of(a, y);
	sum = distance(a) * deviation;
	for (size_t i = 0; i < n; i++) {
		one = (double)h[i] - y[i];
		square += one * one / (double)n;
	}
	return sum * sum > square * (ALIKE + few /
	    sqrt((double)a->q->live));
}

/* The smooth estimate, in a. */
static bool
correct(struct mwem *a)
{
	int64_t most, clear = CLEAR * a->q->unit;
	size_t k;

	while (a->done < a->rounds) {
		mwem_scores(a);
		k = mwem_worst(a, &most);
		/* where most queries say something, less is clear as well */
		if (most < clear && a->done > a->q->live / 2)
			clear = a->q->unit;
		if (most < clear)
			break;
		a->replays = a->done % EVERY == EVERY - 1;
		if (!mwem_learn(a, k, mwem_truth(a, k)))
			return false;
	}
	mwem_replay(a, LAST);
	return true;
}

/* Chooses between the projection, in y, and the smooth estimate, or both. */
static bool
combine(struct mwem *a, double *y)
{
	size_t n = a->q->w->n;
	double *smooth = malloc((n + 1) * sizeof(*smooth)), sharp, even;

	if (smooth == NULL)
		return false;
	mwem_scores_of(a, y);
	sharp = distance(a);
	mwem_scores(a);
	even = distance(a);
	mwem_result(a, smooth);
	for (size_t i = 0; i < n; i++)
		if (sharp < TRUSTED && even < TRUSTED)
			y[i] = (y[i] + smooth[i]) / 2;
		else if (even < sharp)
			y[i] = smooth[i];
	free(smooth);
	return true;
}

bool
histogram_fit(const struct workload *w, uint64_t total, int64_t *h,
    double deviation, double *y)
{
	struct normal q;
	struct mwem a = { .q = &q, .total = total };
	bool ok = normal_open(&q, w), fit = false;

	for (size_t i = 0; i < w->n; i++)
		y[i] = total > 0 ? (double)h[i] : 0;
	if (ok && total > 0)
		ok = prior_cells(y, w->n, (double)total, deviation / sqrt(2),
		    y);
	level(h, w->n, total);
	if (ok && q.live > 0 && total > 0)
		ok = weigh(&q, h, deviation, &fit);
	if (fit) {
		a.rounds = corrections(&a);
		ok = mwem_open(&a, h);
		if (ok && ordered(&a, h, deviation, y)) {
			project(h, w->n, total, y);
			ok = correct(&a) && combine(&a, y);
		}
		mwem_close(&a);
	}
	normal_close(&q);
	return ok;
}

double
histogram_error(const struct normal *q, double deviation, double *most)
{
	double *v = malloc((q->entries + 1) * sizeof(*v)), sum = 0, one;

	*most = 0;
	if (v == NULL || !normal_variance(q, v)) {
		free(v);
		return -1;
	}
	for (size_t b = 0; b < q->w->blocks; b++)
		for (size_t e = 0; e < q->block[b].entries; e++) {
			if (normal_times(q, b, e) == 0)
				continue;
			one = deviation * sqrt(v[q->block[b].entry + e]) /
			    (double)q->block[b].width;
			sum += (double)normal_times(q, b, e) * one;
			*most = one > *most ? one : *most;
		}
	free(v);
	return sum / (double)q->live;
}
