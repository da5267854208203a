/*
 * learn: scores of outputs, learned from a part of the runs.
 *
 * An event about a vector may lie in several numbers at once: noise split over
 * the numbers hides in each number a loss that the vector shows.  For
 * independent numbers the vector's likelihood ratio is the product of the
 * numbers' ratios, so the score F_JOINT adds the log ratios of the numbers'
 * bins; events {score >= t} are then the most telling (Neyman and Pearson).
 * F_WORDS is the log ratio of the text as a whole, for outputs with many
 * values.
 *
 * Learning only proposes events.  Events are tested on runs that had no part in
 * learning, so a bad score costs power, never confidence.
 */
#include "event.h"

#include <math.h>
#include <stdlib.h>

#include "number/sort.h"
#include "tool/err.h"

#define BINS 24

/* A feature cut into bins: (cut[b-1], cut[b]], the last without end. */
struct bins {
	double cut[BINS];
	size_t n;		/* cuts */
	double score[BINS + 2];	/* the last: missing */
};

/* Bin of sample i; b->n + 1 if the sample lacks the feature. */
static size_t
bin_of(const struct bins *b, const double *col, size_t i)
{
	if (col == NULL || isnan(col[i]))
		return b->n + 1;
	return sort_count(b->cut, b->n, col[i], false);
}

/* The two sides' training values, sorted; returns the number of values. */
static size_t
learn_pool(const struct side side[2], int f, size_t train, double *x)
{
	size_t n = side_values(&side[0], f, 0, train, x);

	n += side_values(&side[1], f, 0, train, x + n);
	qsort(x, n, sizeof(*x), sort_rising);
	return n;
}

static double
log_ratio(uint64_t l, uint64_t r)
{
	return log(((double)l + 1) / ((double)r + 1));
}

static void
train_bins(struct bins *b, const struct side side[2], int f, size_t train,
    double *x)
{
	uint64_t hits[2][BINS + 2] = { { 0 } };
	size_t n = learn_pool(side, f, train, x), i;

	b->n = 0;
	for (i = 0; i < BINS && n > 0; i++) {
		double at = x[(n - 1) * (i + 1) / (BINS + 1)];

		if (b->n == 0 || at > b->cut[b->n - 1])
			b->cut[b->n++] = at;
	}
	for (int s = 0; s < 2; s++)
		for (i = 0; i < train; i++)
			hits[s][bin_of(b, side[s].col[f], i)]++;
	for (i = 0; i < b->n + 2; i++)
		b->score[i] = log_ratio(hits[0][i], hits[1][i]);
}

static void
add_bins(const struct bins *b, struct side *s, int f)
{
	double *sum = side_column(s, F_JOINT);

	for (size_t i = 0; i < s->n; i++)
		sum[i] += b->score[bin_of(b, s->col[f], i)];
}

/* Distinct texts, by hashes, with each text's log ratio. */
static void
learn_words(struct side side[2], size_t train, double *x)
{
	size_t n = learn_pool(side, F_TEXT, train, x), i, k = 0;
	uint64_t *hits;

	for (i = 0; i < n; i++)
		if (k == 0 || x[i] > x[k - 1])
			x[k++] = x[i];
	if (k > train / 4)
		return;		/* hardly any text came twice */
	hits = err_alloc(NULL, 2 * k + 2, sizeof(*hits));
	for (int s = 0; s < 2; s++)
		for (i = 0; i < train; i++)
			hits[2 * sort_count(x, k, side[s].col[F_TEXT][i],
			    false) + (size_t)s]++;
	for (int s = 0; s < 2; s++)
		for (i = 0; i < side[s].n; i++) {
			double at = side[s].col[F_TEXT][i];
			size_t p = sort_count(x, k, at, false);
			double *score = side_column(&side[s], F_WORDS);

			score[i] = 0;
			if (p < k && !(x[p] > at))
				score[i] = log_ratio(hits[2 * p],
				    hits[2 * p + 1]);
		}
	free(hits);
}

/* The joint score of several numbers. */
static void
learn_numbers(struct side side[2], size_t train, double *x)
{
	struct bins b;

	for (int s = 0; s < 2; s++)
		for (size_t i = 0; i < side[s].n; i++)
			side_column(&side[s], F_JOINT)[i] = 0;
	for (int f = F_VALUE; f < F_VALUE + AUDIT_NUMBERS; f++) {
		if (side[0].col[f] == NULL && side[1].col[f] == NULL)
			continue;
		train_bins(&b, side, f, train, x);
		add_bins(&b, &side[0], f);
		add_bins(&b, &side[1], f);
	}
}

void
audit_learn(struct side side[2], size_t train)
{
	double *x = err_alloc(NULL, 2 * train + 1, sizeof(*x));

	if (side[0].col[F_VALUE + 1] != NULL ||
	    side[1].col[F_VALUE + 1] != NULL)
		learn_numbers(side, train, x);
	learn_words(side, train, x);
	free(x);
}
