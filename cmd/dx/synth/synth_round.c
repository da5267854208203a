/*
 * synth_round: rounding counts up or down.
 *
 * A count between two whole numbers may become either, as long as the sum
 * stays.  Cells are taken by pairs, one rounded down and one rounded up: the
 * two change places if the queries' answers, each as a part of the width, come
 * nearer to the answers before rounding, in squares.  Without exchanges a
 * single query over n cells is off by about the root of n/6 times the
 * coefficients' deviation, more than the noise where epsilon is large.  Looks
 * at the table and public things alone.
 */
#include <math.h>
#include <stdlib.h>

#include "synth.h"
#include "tool/err.h"

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
nearer_open(struct nearer *r, const struct synth *s)
{
	const struct normal *q = &s->q;
	size_t n = s->u.w.n, k = r->k;

	for (size_t b = 0; b < k; b++)
		if (s->u.w.block[b].kind != WORKLOAD_DENSE)
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
			double c = part * (double)(s->u.w.block[b].q[i] -
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

void
synth_nearer(const struct synth *s, const double *y, const size_t *order,
    i128 *count)
{
	struct nearer r = { .y = y, .count = count, .k = s->u.w.blocks };
	size_t n = s->u.n, i, j, strides = (size_t)fmin(STRIDES, WORK /
	    ((double)n * (double)r.k));

	if (strides >= FEWEST && nearer_open(&r, s))
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
