/*
 * mwem_answers: answers of the data and of y, and the queries' scores.
 *
 * Prefixes and ranges come from running sums, a marginal from one pass over the
 * elements, as any query does.
 */
#include <math.h>
#include <string.h>

#include "dx/plan/workload.h"
#include "mwem.h"
#include "dx/plan/normal.h"
#include "number/fixed.h"

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
	size_t n = a->q->w->n, places = mwem_places(a->q->w, p);
	double *to = a->guess + a->at[b];

	memset(to, 0, places * sizeof(*to));
	if (p->kind == WORKLOAD_DENSE)
		to[0] = dot(p->q, a->q->block[b].low, a->mass, n) /
		    (double)a->q->block[b].step;
	if (p->kind != WORKLOAD_DENSE)
		for (size_t i = 0; i < n; i++)
			to[mwem_place(p, i) + 1] += a->mass[i];
	if (p->cell == NULL)
		for (size_t c = 1; c < places; c++)
			to[c] += to[c - 1];
}

/* The exact answer of block b from the difference of two places. */
static i128
block_truth(const struct mwem *a, size_t b, size_t from, size_t to)
{
	const int64_t *x = a->truth + a->at[b];

	if (a->q->w->block[b].kind == WORKLOAD_DENSE)
		return x[0];
	return 2 * ((i128)x[to] - x[from]) - a->n;
}

/* The same of y, in the same parts of records. */
static double
block_guess(const struct mwem *a, size_t b, size_t from, size_t to)
{
	const double *y = a->guess + a->at[b];
	double all = (double)a->total, g;

	if (a->q->w->block[b].kind == WORKLOAD_DENSE)
		g = 2 * y[0] - all * (double)a->q->block[b].width;
	else
		g = 2 * (y[to] - y[from]) - all;
	return ldexp(g, (int)a->shift);
}

i128
mwem_truth(const struct mwem *a, size_t k)
{
	size_t to, from = 0, b = normal_find(a->q, k, &to);

	(void)workload_interval(a->q->w, k, &from, &to);
	return block_truth(a, b, from, to + 1);
}

/*
 * The distance of twice the centered answers, times half of the query's
 * multiplier, cut at 2^62.
 */
static int64_t
score(int64_t mult, i128 truth, double of_y)
{
	double g = of_y * (double)(mult / 2), most = (double)FIXED_MAX;
	i128 u;

	if (isnan(g))
		g = 0;
	u = truth * (mult / 2) - llrint(fmax(-most, fmin(g, most)));
	u = FIXED_MOST(u, -u);
	return (int64_t)FIXED_LEAST(u, FIXED_MAX);
}

/* Scores of a block's queries in order: ranges by their first element. */
static int64_t *
score_block(const struct mwem *a, size_t b, int64_t *to)
{
	const struct normal *q = a->q;
	const struct block *p = &q->w->block[b];
	size_t line = 0, first = 0, end = 1, e;

	if (p->kind == WORKLOAD_RANGE)
		line = workload_line(q->w);
	for (size_t in = 0; in < p->count; in++) {
		e = q->block[b].entry + (end - first - 1);
		if (q->entry[e].times > 0)
			*to++ = score(q->mult[e],
			    block_truth(a, b, first, end),
			    block_guess(a, b, first, end));
		if (end == line)
			end = ++first;
		end++;
	}
	return to;
}

void
mwem_scores(struct mwem *a)
{
	int64_t *to = a->score;

	for (size_t b = 0; b < a->q->w->blocks; b++) {
		guess_block(a, b);
		to = score_block(a, b, to);
	}
}
