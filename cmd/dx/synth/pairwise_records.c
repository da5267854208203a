/*
 * pairwise_records: records that fit counts of attributes and of pairs.
 *
 * Looks at released counts and public numbers alone.
 *
 * Independent attributes come first: each value as often as its attribute's
 * count says, to within one record, in a random order.  Then record after
 * record one attribute's value is changed if the change lessens the sum of
 * squared misses over the counts, each in noise units, to the value that
 * lessens the sum most.  So single attributes stay, pairs without a count
 * follow from the counted pairs, and differences hidden by noise are left
 * alone.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pairwise.h"
#include "tool/err.h"

#define SWEEPS 30
#define SETTLED 1e-3	/* of all values: fewer moves end it */

struct fit {
	const struct pairwise *w;
	size_t m;
	uint16_t *record;
	double **off;		/* records less the wanted count, for each
				   count */
	double *weight;		/* of squared misses */
	size_t *near;		/* counts that hold each attribute */
	size_t *nears;
	double *cost;		/* of each value of an attribute */
};

/* Value v of attribute a of a record: its cell in a count of a. */
static size_t
place(const struct pairwise *w, const struct counted *c, size_t a, size_t v,
    const uint16_t *x)
{
	if (c->a == c->b)
		return v;
	return c->a == a ? v * w->values[c->b] + x[c->b] :
	    x[c->a] * w->values[c->b] + v;
}

static void
open_fit(struct fit *f)
{
	const struct pairwise *w = f->w;
	size_t most = 0;
	double least = HUGE_VAL;

	f->off = err_alloc(NULL, w->counts, sizeof(*f->off));
	f->weight = err_alloc(NULL, w->counts, sizeof(*f->weight));
	f->near = err_alloc(NULL, w->d * (w->counts + 1), sizeof(*f->near));
	f->nears = err_alloc(NULL, w->d, sizeof(*f->nears));
	for (size_t a = 0; a < w->d; a++)
		most = w->values[a] > most ? w->values[a] : most;
	f->cost = err_alloc(NULL, most + 1, sizeof(*f->cost));
	for (size_t i = 0; i < w->counts; i++)
		least = fmin(least, w->of[i].variance);
	for (size_t i = 0; i < w->counts; i++) {
		const struct counted *c = &w->of[i];

		f->weight[i] = (1 + least) / (1 + c->variance);
		f->near[c->a * w->counts + f->nears[c->a]++] = i;
		if (c->b != c->a)
			f->near[c->b * w->counts + f->nears[c->b]++] = i;
		f->off[i] = err_alloc(NULL, c->cells, sizeof(**f->off));
	}
}

static void
close_fit(struct fit *f)
{
	for (size_t i = 0; i < f->w->counts; i++)
		free(f->off[i]);
	free(f->off);
	free(f->weight);
	free(f->near);
	free(f->nears);
	free(f->cost);
}

/* Each value of attribute a as often as its count says, in a random order. */
static void
alone(struct fit *f, size_t a, struct rng *r)
{
	const struct pairwise *w = f->w;
	double run = 0, part = w->total > 0 ? (double)f->m / w->total : 0;
	size_t at = 0, j;
	uint16_t x;

	for (size_t v = 0; v < w->values[a]; v++)
		for (run += w->of[a].count[v] * part; at < f->m &&
		    ((double)at + 0.5 < run || v + 1 == w->values[a]); at++)
			f->record[at * w->d + a] = (uint16_t)v;
	for (size_t i = f->m; i > 1; i--) {
		j = (size_t)rng_below(r, i);
		x = f->record[j * w->d + a];
		f->record[j * w->d + a] = f->record[(i - 1) * w->d + a];
		f->record[(i - 1) * w->d + a] = x;
	}
}

/* The counts' misses. */
static void
miss(struct fit *f)
{
	const struct pairwise *w = f->w;
	double part = w->total > 0 ? (double)f->m / w->total : 0;

	for (size_t i = 0; i < w->counts; i++) {
		const struct counted *c = &w->of[i];

		for (size_t e = 0; e < c->cells; e++)
			f->off[i][e] = -c->count[e] * part;
		for (size_t k = 0; k < f->m; k++) {
			const uint16_t *x = f->record + k * w->d;

			f->off[i][place(w, c, c->a, x[c->a], x)]++;
		}
	}
}

/* Moves attribute a of a record to its best value; was a better value found? */
static bool
move(struct fit *f, uint16_t *x, size_t a)
{
	const struct pairwise *w = f->w;
	const size_t *near = f->near + a * w->counts;
	size_t best, u = x[a], n = w->values[a];
	double leave = 0;

	for (size_t k = 0; k < f->nears[a]; k++) {
		const struct counted *c = &w->of[near[k]];

		leave += f->weight[near[k]] * (1 - 2 * f->off[near[k]][
		    place(w, c, a, u, x)]);
	}
	if (leave >= 0)
		return false;
	memset(f->cost, 0, n * sizeof(*f->cost));
	for (size_t k = 0; k < f->nears[a]; k++) {
		const struct counted *c = &w->of[near[k]];
		const double *off = f->off[near[k]] + place(w, c, a, 0, x);
		size_t step = place(w, c, a, 1, x) - place(w, c, a, 0, x);

		for (size_t v = 0; v < n; v++)
			f->cost[v] += f->weight[near[k]] * (1 + 2 *
			    off[v * step]);
	}
	best = u == 0;
	for (size_t v = 0; v < n; v++)
		if (v != u && f->cost[v] < f->cost[best])
			best = v;
	if (n < 2 || f->cost[best] + leave >= 0)
		return false;
	for (size_t k = 0; k < f->nears[a]; k++) {
		const struct counted *c = &w->of[near[k]];

		f->off[near[k]][place(w, c, a, u, x)]--;
		f->off[near[k]][place(w, c, a, best, x)]++;
	}
	x[a] = (uint16_t)best;
	return true;
}

static void
descend(struct fit *f, struct rng *r)
{
	size_t d = f->w->d, moves, a;

	for (int s = 0; s < SWEEPS; s++) {
		moves = 0;
		for (size_t i = 0; i < f->m * d; i++) {
			a = (size_t)rng_below(r, d);
			moves += move(f, f->record + (i + (size_t)s * 7) %
			    f->m * d, a);
		}
		if ((double)moves < SETTLED * (double)(f->m * d))
			break;
	}
}

void
pairwise_records(const struct pairwise *w, size_t m, struct rng *r,
    uint16_t *record)
{
	struct fit f = { .w = w, .m = m, .record = record };

	open_fit(&f);
	for (size_t a = 0; a < w->d; a++)
		alone(&f, a, r);
	miss(&f);
	descend(&f, r);
	close_fit(&f);
}
