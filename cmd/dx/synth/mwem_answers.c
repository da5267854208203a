/*
 * mwem_answers: y's answers and the queries' scores.
 *
 * Prefixes and ranges come from running sums, a marginal from one pass over the
 * elements, as any query does.
 */
#include <math.h>

#include "mwem.h"

/* The sum of (q_i - low) y_i, in four independent sums. */
static double
dot(const int64_t *q, int64_t low, const double *y, size_t n)
{
	double s[4] = { 0, 0, 0, 0 };
	size_t i;

	for (i = 0; i + 4 <= n; i += 4)
		for (size_t j = 0; j < 4; j++)
			s[j] += (double)(q[i + j] - low) * y[i + j];
	for (; i < n; i++)
		s[0] += (double)(q[i] - low) * y[i];
	return s[0] + s[1] + s[2] + s[3];
}

static void
guess_block(struct mwem *a, size_t b)
{
	const struct block *p = &a->q->w->block[b];
	const struct normal_block *f = &a->q->block[b];
	double *to = a->guess + a->at[b];
	const double *y = a->mass;
	size_t n = a->q->w->n;

	switch (p->kind) {
	case WORKLOAD_DENSE:
		to[0] = dot(p->q, f->low, y, n) / (double)f->step;
		break;
	case WORKLOAD_PREFIX:
	case WORKLOAD_RANGE:
		to[0] = 0;
		for (size_t i = 0; i < n; i++)
			to[i + 1] = to[i] + y[i];
		break;
	case WORKLOAD_MARGINAL:
		for (size_t i = 0; i < p->count; i++)
			to[i] = 0;
		for (size_t i = 0; i < n; i++)
			to[p->cell[i]] += y[i];
		break;
	}
}

/*
 * The distance of twice the centered answers, times half of the query's
 * multiplier, cut at 2^62.
 */
static int64_t
score(int64_t mult, i128 truth, double guess)
{
	double g = guess * (double)(mult / 2), most = (double)FIXED_MAX;
	i128 u;

	if (!(g > -most && g < most))
		g = g >= most ? most : g <= -most ? -most : 0;
	u = truth * (mult / 2) - llrint(g);
	u = u < 0 ? -u : u;
	return (int64_t)(u < FIXED_MAX ? u : FIXED_MAX);
}

/* score for a 0/1 query that counts x of n records, y in the table. */
static int64_t
score_count(const struct mwem *a, int64_t mult, int64_t x, double y)
{
	return score(mult, 2 * (i128)x - a->n, 2 * y - (double)a->total);
}

/* Scores of all ranges but that of all elements. */
static int64_t *
score_ranges(const struct mwem *a, size_t b, int64_t *to)
{
	const int64_t *x = a->truth + a->at[b];
	const int64_t *mult = a->q->mult + a->q->block[b].entry;
	const double *y = a->guess + a->at[b];
	size_t n = workload_line(a->q->w);

	for (size_t i = 0; i < n; i++)
		for (size_t j = i; j < n; j++)
			if (i > 0 || j + 1 < n)
				*to++ = score_count(a, mult[j - i], x[j + 1] -
				    x[i], y[j + 1] - y[i]);
	return to;
}

/* The scores of a->guess. */
static void
score_all(struct mwem *a)
{
	int64_t *to = a->score;

	for (size_t b = 0; b < a->q->w->blocks; b++) {
		const struct block *p = &a->q->w->block[b];
		const int64_t *mult = a->q->mult + a->q->block[b].entry;
		size_t first = a->at[b] + (p->kind == WORKLOAD_PREFIX);

		if (p->kind == WORKLOAD_RANGE) {
			to = score_ranges(a, b, to);
			continue;
		}
		if (p->kind == WORKLOAD_DENSE) {
			if (!normal_constant(a->q, b, 0))
				*to++ = score(*mult, a->truth[first], 2 *
				    a->guess[first] - (double)a->total *
				    (double)a->q->block[b].width);
			continue;
		}
		for (size_t i = 0; i < p->count; i++)
			if (!normal_constant(a->q, b, i))
				*to++ = score_count(a, mult[i],
				    a->truth[first + i], a->guess[first + i]);
	}
}

void
mwem_scores(struct mwem *a)
{
	for (size_t b = 0; b < a->q->w->blocks; b++)
		guess_block(a, b);
	score_all(a);
}
