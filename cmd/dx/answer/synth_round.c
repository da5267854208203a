/*
 * synth_round: a synthetic histogram in whole numbers.  Post-processing.
 *
 * Counts are whole (or on the grid of --digits) and add up to the whole number
 * that is next to the total.  Rounding runs along the elements: with Y the sum
 * of y up to an element, the element's count is the difference of floor(Y + u).
 * In universe order, u = 1/2, no prefix is off by more than 1/2 and no range by
 * more than 1; for queries that are neither, the order and u are random, so
 * that no pattern in the universe can meet the rounding's; then some counts are
 * rounded the other way, with the queries in mind.
 *
 * A count between two whole numbers may become either, as long as the sum
 * stays.  Cells are taken by pairs, one rounded down and one rounded up: the
 * two change places if the queries' answers, each as a part of the width, come
 * nearer to the answers before rounding, in squares.  Without exchanges a
 * single query over n cells is off by about the root of n/6 times the
 * coefficients' deviation, more than the noise where epsilon is large.  Looks
 * at the table and public things alone.
 */
#include "synth_round.h"

#include <math.h>
#include <stdlib.h>

#include "number/fixed.h"
#include "tool/err.h"

#define PARTS ((uint64_t)1 << 53)
#define WORK 1e6	/* coefficients looked at, about */
#define STRIDES 16.0	/* pairs of each cell, at most, */
#define FEWEST 4	/* and at least: less is not worth the time */

struct nearer {
	const double *y;	/* in steps of the counts */
	i128 *count;
	size_t k;
	double *q;		/* k coefficients of each cell */
	double *off;		/* of each query */
};

/* Coefficients, and how far the counts are off.  False: leave them. */
static bool
nearer_open(struct nearer *r, const struct normal *q)
{
	size_t n = q->w->n, k = r->k;

	for (size_t b = 0; b < k; b++)
		if (q->w->block[b].kind != WORKLOAD_DENSE)
			return false;
	r->q = err_alloc(NULL, n * k + 1, sizeof(*r->q));
	r->off = err_alloc(NULL, k + 1, sizeof(*r->off));
	for (size_t b = 0; b < k; b++) {
		const struct normal_block *f = &q->block[b];
		double part = 0;

		if (f->width > 0)
			part = 1 / ((double)f->step * (double)f->width);
		r->off[b] = 0;
		for (size_t i = 0; i < n; i++) {
			double c = part * (double)(q->w->block[b].q[i] -
			    f->low);

			r->q[i * k + b] = c;
			r->off[b] += c * ((double)r->count[i] - r->y[i]);
		}
	}
	return true;
}

/* Moves 1 from cell j to cell i, if the answers come nearer. */
static void
move(struct nearer *r, size_t i, size_t j)
{
	const double *p = r->q + i * r->k, *q = r->q + j * r->k;
	double change = 0;

	for (size_t b = 0; b < r->k; b++)
		change += (p[b] - q[b]) * (p[b] - q[b] + 2 * r->off[b]);
	if (!(change < 0))
		return;
	for (size_t b = 0; b < r->k; b++)
		r->off[b] += p[b] - q[b];
	r->count[i]++;
	r->count[j]--;
}

/*
 * Rounds some counts of y the other way, so that dense queries have answers
 * nearer to y's; order: a random order of cells.
 */
static void
exchange(const struct normal *q, const double *y, const size_t *order,
    i128 *count)
{
	struct nearer r = { .y = y, .count = count, .k = q->w->blocks };
	size_t n = q->w->n, i, j, strides = (size_t)fmin(STRIDES, WORK /
	    ((double)n * (double)r.k));

	if (strides >= FEWEST && nearer_open(&r, q))
		for (size_t at = 0; at < strides * n; at++) {
			i = order[at % n];
			j = order[(at + at / n + 1) % n];
			if ((double)count[i] < y[i] && (double)count[j] > y[j])
				move(&r, i, j);
			else if ((double)count[i] > y[i] &&
			    (double)count[j] < y[j])
				move(&r, j, i);
		}
	free(r.q);
	free(r.off);
}

static void
shuffle(struct rng *r, size_t *order, size_t n)
{
	size_t j, x;

	for (size_t i = n; i > 1; i--) {
		j = (size_t)rng_below(r, i);
		x = order[i - 1];
		order[i - 1] = order[j];
		order[j] = x;
	}
}

void
synth_round(const struct normal *q, int digits, struct rng *r, const double *y,
    i128 *count)
{
	size_t n = q->w->n, *order = err_alloc(NULL, n, sizeof(*order)), i;
	double *steps = err_alloc(NULL, n, sizeof(*steps));
	i128 all, done = 0, now;
	double sum = 0, run = 0, u = 0.5, total;

	for (i = 0; i < n; i++) {
		order[i] = i;
		sum += y[i];
	}
	all = (i128)(sum + 0.5) * fixed_pow10(digits);
	if (!workload_has(q->w, WORKLOAD_PREFIX) &&
	    !workload_has(q->w, WORKLOAD_RANGE)) {
		shuffle(r, order, n);
		u = ((double)rng_below(r, PARTS) + 0.5) / (double)PARTS;
	}
	total = sum > 0 ? (double)all / sum : 0;
	for (i = 0; i < n; i++) {
		run += y[order[i]];
		now = (i128)floor(run * total + u);
		if (i + 1 == n)
			now = all;
		now = FIXED_LEAST(FIXED_MOST(now, done), all);
		count[order[i]] = now - done;
		done = now;
		steps[order[i]] = y[order[i]] * total;
	}
	exchange(q, steps, order, count);
	free(steps);
	free(order);
}
