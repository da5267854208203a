/*
 * pairwise: noisy counts of single attributes and of chosen pairs.
 *
 * Privacy, for a record that comes or goes.  The budget is in PAIRWISE_PARTS
 * shares.
 *
 * Counts.  The cells of an attribute, or of a pair, part the records: one
 * record changes one count by one, so noise of scale W / (share E) costs
 * E share / W.
 *
 * Choices.  The score of a pair is
 *	sum over its cells of |K N_ab - A_ab|  -  price,
 * with K = PAIRWISE_SCORE, N the exact count, and the whole numbers A and price
 * made from public or released numbers: A_ab is K times the count of
 * independent attributes by the released singles.  One record changes one N_ab
 * by one, so one term by K at most and the score by K at most, whatever A is.
 * r choices without replacement by permute-and-flip with weight exp(score / t),
 * t = 2 K r W / (share E), cost E share / W together (select.h).
 *
 * The candidates, the number of choices and the shares follow from the numbers
 * of values and the total, which is released or promised; so the costs add up
 * along every path to E at most.
 */
#include "pairwise.h"

#include <math.h>
#include <stdlib.h>

#include "dx/plan/plan.h"
#include "tool/err.h"

/* by trials on a census of 14 attributes in three codings, E from .1 to 10 */
#define TELLING 16.0	/* records times E for each cell of a pair */
#define PICKS 7.5	/* pairs, times the root of these, */
#define UNPICKED 4.0	/* less so many; */
#define FEWEST 3.0	/* fewer are not worth a choice */
#define ALONE 0.35	/* times the root, singles lose share to pairs */
#define PRICE 0.5	/* of the mean noise of a pair's cells */

static void
add_count(struct counted *c, size_t a, size_t b, const size_t *values)
{
	*c = (struct counted){ .a = a, .b = b, .cells = a == b ? values[a] :
	    values[a] * values[b] };
	c->count = err_alloc(NULL, c->cells, sizeof(*c->count));
}

static int
by_cells(const void *a, const void *b)
{
	const struct counted *p = a, *q = b;

	return (p->cells > q->cells) - (p->cells < q->cells);
}

/* How many pairs, and the shares. */
static void
share(struct pairwise *w)
{
	double root = 0, cells, picks;

	w->picks = 0;
	w->singles = PAIRWISE_PARTS;
	if (w->pairs > 0) {
		cells = (double)w->pair[w->pairs / 2].cells;
		root = sqrt(w->total * rational_real(w->eps) / (TELLING *
		    cells));
		picks = fmin((double)w->pairs, PICKS * root - UNPICKED);
		w->picks = picks < FEWEST ? 0 : (size_t)picks;
	}
	if (w->picks > 0)
		w->singles = (uint64_t)((double)PAIRWISE_PARTS / (1 + ALONE *
		    root));
	w->choices = w->picks == 0 || w->picks == w->pairs ? 0 :
	    PAIRWISE_PARTS / 16;
}

void
pairwise_plan(struct pairwise *w)
{
	size_t d = w->d;

	w->pair = err_alloc(NULL, d * d, sizeof(*w->pair));
	w->of = err_alloc(NULL, d + d * d, sizeof(*w->of));
	for (size_t a = 0; a < d; a++)
		for (size_t b = a + 1; b < d; b++)
			if (w->values[a] <= PAIRWISE_CELLS / w->values[b])
				w->pair[w->pairs++] = (struct counted){ a, b,
				    w->values[a] * w->values[b], NULL, 0 };
	qsort(w->pair, w->pairs, sizeof(*w->pair), by_cells);
	for (size_t a = 0; a < d; a++)
		add_count(&w->of[w->counts++], a, a, w->values);
	share(w);
}

/* The part of a kind's share that has the least noise: by roots of cells. */
static uint64_t
part(const struct pairwise *w, size_t i)
{
	size_t first = i < w->d ? 0 : w->d;
	size_t end = i < w->d ? w->d : w->counts;
	uint64_t all = i < w->d ? w->singles : PAIRWISE_PARTS - w->singles -
	    w->choices;
	uint64_t sum = 0;

	for (size_t k = first; k < end; k++)
		sum += (uint64_t)ceil(sqrt((double)w->of[k].cells));
	return all * (uint64_t)ceil(sqrt((double)w->of[i].cells)) / sum;
}

bool
pairwise_scale(const struct pairwise *w, size_t i, struct scale *t)
{
	struct rational eps;

	return rational_make(&eps, (i128)part(w, i), (i128)PAIRWISE_PARTS) &&
	    rational_mul(&eps, eps, w->eps) && scale_make(t, 1, eps);
}

bool
pairwise_choice(const struct pairwise *w, struct scale *t)
{
	struct rational eps;

	return rational_make(&eps, (i128)w->choices, (i128)PAIRWISE_PARTS) &&
	    rational_mul(&eps, eps, w->eps) &&
	    scale_make(t, 2 * (u128)PAIRWISE_SCORE * w->picks, eps);
}

static size_t
cell(const struct pairwise *w, const struct counted *c, const uint16_t *code)
{
	return c->a == c->b ? code[c->a] : code[c->a] * w->values[c->b] +
	    code[c->b];
}

/* Exact counts, to be freed. */
static int64_t *
exact(const struct pairwise *w, const struct counted *c)
{
	int64_t *x = err_alloc(NULL, c->cells, sizeof(*x));

	for (size_t i = 0; i < w->n; i++)
		x[cell(w, c, w->code + i * w->d)]++;
	return x;
}

/* The count for independent attributes in cell e of a pair. */
static double
independent(const struct pairwise *w, const struct counted *c, size_t e)
{
	size_t v = w->values[c->b];

	return w->total > 0 ? w->of[c->a].count[e / v] *
	    w->of[c->b].count[e % v] / w->total : 0;
}

void
pairwise_scores(const struct pairwise *w, int64_t *score)
{
	double rest = (double)(PAIRWISE_PARTS - w->singles - w->choices);
	double noise = PAIRWISE_SCORE * PRICE * (double)w->picks *
	    (double)PAIRWISE_PARTS / (rest * rational_real(w->eps));

	for (size_t k = 0; k < w->pairs; k++) {
		const struct counted *c = &w->pair[k];
		int64_t *x = exact(w, c);
		i128 sum = 0, off;

		for (size_t e = 0; e < c->cells; e++) {
			off = (i128)x[e] * PAIRWISE_SCORE - (i128)llrint(
			    PAIRWISE_SCORE * fmin(0x1p50,
			    independent(w, c, e)));
			sum += off < 0 ? -off : off;
		}
		free(x);
		sum -= (i128)fmin(noise * (double)c->cells, 0x1p60);
		score[k] = (int64_t)(sum > FIXED_MAX ? FIXED_MAX : sum);
	}
}

/* Counts number i with noise. */
static bool
count(struct pairwise *w, size_t i, struct rng *r)
{
	struct counted *c = &w->of[i];
	int64_t *x = exact(w, c);
	struct scale t = { 0, 1 };
	bool ok = r == NULL || pairwise_scale(w, i, &t);

	for (size_t e = 0; ok && e < c->cells; e++)
		c->count[e] = (double)(x[e] + (r == NULL ? 0 :
		    noise_laplace(r, &t)));
	c->variance = r == NULL ? 0 : 2 * pow((double)t.s / (double)t.r, 2);
	free(x);
	return ok;
}

/* The total by every look; nonnegative singles add up to the total. */
static void
level(struct pairwise *w)
{
	double sum, all, more;

	for (size_t a = 0; a < w->d; a++) {
		struct counted *c = &w->of[a];

		sum = 0;
		for (size_t e = 0; e < c->cells; e++)
			sum += c->count[e];
		all = (double)c->cells * c->variance;
		if (w->slack > 0 && all + w->slack > 0) {
			w->total += (sum - w->total) * w->slack /
			    (w->slack + all);
			w->slack *= all / (w->slack + all);
		}
	}
	w->total = fmax(0, w->total);
	for (size_t a = 0; a < w->d; a++) {
		struct counted *c = &w->of[a];

		/* the nearest in squares, by halving */
		double lo = -w->total - 0x1p42, hi = w->total + 0x1p42;

		for (int step = 0; step < 100; step++) {
			more = (lo + hi) / 2;
			sum = 0;
			for (size_t e = 0; e < c->cells; e++)
				sum += fmax(0, c->count[e] + more);
			if (sum > w->total)
				hi = more;
			else
				lo = more;
		}
		for (size_t e = 0; e < c->cells; e++)
			c->count[e] = fmax(0, c->count[e] + lo);
	}
}

/* The counted pairs: every pair, or the chosen pairs. */
static bool
choose(struct pairwise *w, struct rng *r, size_t *chosen)
{
	int64_t *score = err_alloc(NULL, w->pairs, sizeof(*score));
	struct scale t;
	bool ok = pairwise_choice(w, &t);

	pairwise_scores(w, score);
	if (ok)
		select_draw(r, &t, SELECT_FLIP, score, w->pairs, w->picks,
		    chosen);
	free(score);
	return ok;
}

bool
pairwise_count(struct pairwise *w, struct rng *r)
{
	size_t *chosen = err_alloc(NULL, w->pairs, sizeof(*chosen));
	bool ok = true;

	if (r == NULL)
		w->picks = w->pairs;
	for (size_t a = 0; ok && a < w->d; a++)
		ok = count(w, a, r);
	if (ok)
		level(w);
	for (size_t k = 0; ok && k < w->pairs; k++)
		chosen[k] = k;
	if (ok && w->picks > 0 && w->picks < w->pairs)
		ok = choose(w, r, chosen);
	for (size_t k = 0; ok && k < w->picks; k++)
		add_count(&w->of[w->counts++], w->pair[chosen[k]].a,
		    w->pair[chosen[k]].b, w->values);
	for (size_t i = w->d; ok && i < w->counts; i++)
		ok = count(w, i, r);
	free(chosen);
	return ok;
}

void
pairwise_close(struct pairwise *w)
{
	for (size_t i = 0; i < w->counts; i++)
		free(w->of[i].count);
	free(w->of);
	free(w->pair);
}
