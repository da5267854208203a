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

#include "dx/synth/pairwise.h"
#include "tool/err.h"

#define SWEEPS 30
#define SETTLED 1e-3	/* of all values: fewer moves end it */
#define TRIED 512	/* values of an attribute for a move, at most */

struct fit {
	const struct pairwise *w;
	double **off;		/* records less the wanted count, for each
				   count */
	double *weight;		/* of squared misses */
	size_t *near;		/* counts that hold each attribute */
	size_t *nears;
};

static void
open_fit(struct fit *f)
{
	const struct pairwise *w = f->w;
	double least = HUGE_VAL;

	f->off = err_alloc(NULL, w->counts, sizeof(*f->off));
	f->weight = err_alloc(NULL, w->counts, sizeof(*f->weight));
	f->near = err_alloc(NULL, w->d * (w->counts + 1), sizeof(*f->near));
	f->nears = err_alloc(NULL, w->d, sizeof(*f->nears));
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
}

/* How many fitted records stand for one of the total. */
static double
record_part(const struct pairwise *w)
{
	return w->total > 0 ? (double)w->m / w->total : 0;
}

/* The counts' misses. */
static void
miss(struct fit *f)
{
	const struct pairwise *w = f->w;
	double part = record_part(w);

	for (size_t i = 0; i < w->counts; i++) {
		const struct counted *c = &w->of[i];

		for (size_t e = 0; e < c->cells; e++)
			f->off[i][e] = -c->count[e] * part;
		for (size_t k = 0; k < w->m; k++) {
			const uint16_t *x = w->record + k * w->d;

			f->off[i][pairwise_cell(w, c, x)]++;
		}
	}
}

/* Adds a record x, or takes it away, in the counts that hold attribute a. */
static void
add_record(struct fit *f, const uint16_t *x, size_t a, double by)
{
	const size_t *near = f->near + a * f->w->counts;

	for (size_t k = 0; k < f->nears[a]; k++)
		f->off[near[k]][pairwise_cell(f->w, &f->w->of[near[k]], x)] +=
		    by;
}

/* By how much another record x would raise the squared misses. */
static double
price(const struct fit *f, const uint16_t *x, size_t a)
{
	const size_t *near = f->near + a * f->w->counts;
	double sum = 0;

	for (size_t k = 0; k < f->nears[a]; k++)
		sum += f->weight[near[k]] * (1 + 2 * f->off[near[k]][
		    pairwise_cell(f->w, &f->w->of[near[k]], x)]);
	return sum;
}

/*
 * Moves attribute a of a record to its best value, of so many values in a row;
 * was a better value found?
 */
static bool
move(struct fit *f, uint16_t *x, size_t a, struct rng *r)
{
	size_t values = f->w->values[a], first = 0;
	uint16_t was = x[a], best = was;
	double least, one;

	if (values == 1)
		return false;
	if (values > TRIED)
		first = (size_t)rng_below(r, values);
	add_record(f, x, a, -1);
	least = price(f, x, a);
	/* where the record is welcome, other values are not tried */
	for (size_t v = 0; v < FIXED_LEAST(values, TRIED) && (best != was ||
	    least > 0); v++) {
		x[a] = (uint16_t)((first + v) % values);
		one = price(f, x, a);
		if (one < least) {
			least = one;
			best = x[a];
		}
	}
	x[a] = best;
	add_record(f, x, a, 1);
	return best != was;
}

static void
move_records(struct fit *f, struct rng *r)
{
	size_t d = f->w->d, m = f->w->m, moves, a;

	for (int s = 0; s < SWEEPS; s++) {
		moves = 0;
		for (size_t i = 0; i < m * d; i++) {
			a = (size_t)rng_below(r, d);
			moves += move(f, f->w->record + (i + (size_t)s * 7) %
			    m * d, a, r);
		}
		if ((double)moves < SETTLED * (double)(m * d))
			break;
	}
}

void
pairwise_fit(struct pairwise *w, struct rng *r)
{
	struct fit f = { .w = w };

	open_fit(&f);
	miss(&f);
	move_records(&f, r);
	close_fit(&f);
}

/* Each value of attribute a as often as its count says, in a random order. */
static void
alone(struct pairwise *w, size_t a, struct rng *r)
{
	double run = 0, part = record_part(w);
	size_t at = 0, j;
	uint16_t x;

	for (size_t v = 0; v < w->values[a]; v++)
		for (run += w->of[a].count[v] * part; at < w->m &&
		    ((double)at + 0.5 < run || v + 1 == w->values[a]); at++)
			w->record[at * w->d + a] = (uint16_t)v;
	for (size_t i = w->m; i > 1; i--) {
		j = (size_t)rng_below(r, i);
		x = w->record[j * w->d + a];
		w->record[j * w->d + a] = w->record[(i - 1) * w->d + a];
		w->record[(i - 1) * w->d + a] = x;
	}
}

void
pairwise_alone(struct pairwise *w, struct rng *r)
{
	for (size_t a = 0; a < w->d; a++)
		alone(w, a, r);
}
