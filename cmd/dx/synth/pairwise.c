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
 * Classes.  In a pair neighbouring values with few records are one class, as
 * noise would hide them one by one; within a class values follow the single
 * attribute.  Classes are made from released counts and public numbers alone,
 * so they cost nothing; and each record is in one cell of classes, so a pair of
 * classes costs as much as a pair of values.
 *
 * Choices.  The score of a pair is
 *	sum over its cells of |K N_ab - A_ab|  -  price,
 * with K = PAIRWISE_SCORE, N the exact count, and the whole numbers A and price
 * made from public or released numbers: A_ab is K times the count in a table of
 * records that fit the counts released so far, first of independent attributes.
 * One record changes one N_ab by one, so one term by K at most and the score by
 * K at most, whatever A is.  Each choice among the pairs left, by
 * permute-and-flip with weight exp(score / t), t = 2 K r W / (share E), costs
 * E share / (r W), and r choices E share / W (select.h).  Tables between the
 * choices see implied pairs: a pair that others explain is not asked again.
 *
 * Part of a record.  A record of epsilon e < E weighs w <= 2^shift e / E, where
 * one of epsilon E weighs 2^shift.  N, A, K's scores and all scales are in such
 * parts, so that it moves each count by w and each score by K w at most, where
 * scales are for 2^shift and K 2^shift: every cost is e / E of the above.
 *
 * The numbers of values and the total, which is released or promised, decide
 * the singles' share and the number of pairs; these and the released singles
 * decide classes, candidates and the choices' share; and these with the pairs
 * released so far the next table.  So the costs add up along every path to E at
 * most.
 */
#include "pairwise.h"

#include <math.h>
#include <stdlib.h>

#include "dx/plan/plan.h"
#include "counts.h"
#include "number/memory.h"
#include "random/select.h"
#include "tool/err.h"

/*
 * Numbers found by hand: each was changed until errors on a census of 14
 * attributes in three codings, E from .1 to 3, fell no more.
 * scripts/figure/wide measures the errors that they leave, and
 * scripts/figure/constants those of half and of twice each.
 */
#define TELLING 16.0	/* records times E for each cell of a pair */
#define PICKS 8.5	/* pairs, times the root of these, */
#define UNPICKED 4.5	/* less so many; */
#define FEWEST 3.0	/* fewer are not worth a choice */
#define ALONE 0.45	/* times the root, singles lose share to pairs */
#define CHOICES 0.17	/* over the root: the choices' share */
#define PRICE 0.5	/* of the mean noise of a pair's cells */
#define TABLES 4	/* for the choice of pairs */

static void
add_count(struct pairwise *w, size_t a, size_t b)
{
	struct counted *c = &w->of[w->counts++];

	*c = (struct counted){ .a = a, .b = b, .cells = w->values[a] };
	if (a != b)
		c->cells = w->classes[a] * w->classes[b];
	c->count = err_alloc(NULL, c->cells, sizeof(*c->count));
}

/* How many pairs, and the shares, by records times E for a middling cell. */
static void
plan_shares(struct pairwise *w)
{
	double sum = 0, root, picks;

	for (size_t a = 0; a < w->d; a++)
		sum += log((double)w->values[a]);
	root = sqrt(w->total * rational_real(w->eps) / TELLING) /
	    exp(sum / (double)w->d);
	picks = PICKS * root - UNPICKED;
	w->picks = 0;
	w->singles = PAIRWISE_PARTS;
	w->choices = 0;
	if (picks >= FEWEST && !w->alone)
		w->picks = (size_t)fmin((double)(w->d * (w->d - 1) / 2), picks);
	if (w->picks == 0)
		return;
	w->singles = (uint64_t)fmax((double)w->d,
	    (double)PAIRWISE_PARTS / (1 + ALONE * root));
	w->choices = (uint64_t)fmax(1,
	    (double)PAIRWISE_PARTS * CHOICES / root);
}

void
pairwise_plan(struct pairwise *w)
{
	size_t d = w->d;

	w->pair = err_alloc(NULL, d * d, sizeof(*w->pair));
	w->of = err_alloc(NULL, d + d * d, sizeof(*w->of));
	w->class = err_alloc(NULL, d, sizeof(*w->class));
	w->classes = err_alloc(NULL, d, sizeof(*w->classes));
	for (size_t a = 0; a < d; a++) {
		w->classes[a] = w->values[a];
		w->class[a] = err_alloc(NULL, w->values[a], sizeof(**w->class));
		for (size_t v = 0; v < w->values[a]; v++)
			w->class[a][v] = (uint16_t)v;
		add_count(w, a, a);
	}
	plan_shares(w);
}

/* This many pairs are counted after a look at the table. */
static size_t
batch(const struct pairwise *w)
{
	return w->choices == 0 ? 1 + w->picks : 1 + w->picks / TABLES;
}

/*
 * The part of the share of singles, or of a batch, with the least noise.  Each
 * has a share to begin with, so none is left without; the quotients of the rest
 * are rounded down, so the parts add up to no more.  There are as many shares:
 * at least d for the singles, and more than a third of 2^18 for the 2016 pairs
 * at most, as there are pairs where root > 0.88 only.
 */
static uint64_t
part(const struct pairwise *w, size_t i)
{
	size_t first = 0, end = w->d;
	uint64_t all = w->singles, sum = 0;

	if (i >= w->d) {
		first = i - (i - w->d) % batch(w);
		end = FIXED_LEAST(first + batch(w), w->counts);
		all = (PAIRWISE_PARTS - w->singles - w->choices) *
		    (end - first) / w->picks;
	}
	for (size_t k = first; k < end; k++)
		sum += (uint64_t)ceil(sqrt((double)w->of[k].cells));
	all -= end - first;
	return 1 + all * (uint64_t)ceil(sqrt((double)w->of[i].cells)) / sum;
}

/*
 * The scale for this sensitivity and a share of E, never below.  The share
 * depends on the released total, so no share may be too small: by is below
 * 2^20, and E at least 2^-32, so for a count (by = 1) the scale is below 2^52;
 * and a choice has less than a part of 0.17 / root only where E is above 1/8,
 * so its scale is below 2^58.  Numbers up to 2^61 fit.  With parts of 2^-12 E
 * is 1/1000 at least, and the bounds are 2^42 and 2^59.
 */
static void
scale_of_share(const struct pairwise *w, i128 by, uint64_t share,
    struct scale *t)
{
	struct rational c = { by * (i128)PAIRWISE_PARTS << w->shift,
	    (i128)share };

	if (!upward_div(&c, c, w->eps) || !plan_noise(c, 0, t))
		err_die(STATUS_USAGE, "--epsilon has too many digits");
}

void
pairwise_scale(const struct pairwise *w, size_t i, struct scale *t)
{
	scale_of_share(w, 1, part(w, i), t);
}

void
pairwise_choice(const struct pairwise *w, struct scale *t)
{
	scale_of_share(w, 2 * (i128)PAIRWISE_SCORE * w->picks, w->choices, t);
}

size_t
pairwise_cell(const struct pairwise *w, const struct counted *c,
    const uint16_t *x)
{
	if (c->a == c->b)
		return x[c->a];
	return w->class[c->a][x[c->a]] * w->classes[c->b] +
	    w->class[c->b][x[c->b]];
}

/* Counts of n records, each 1 without weights; to be freed. */
static int64_t *
pairwise_tally(const struct pairwise *w, const struct counted *c,
    const uint16_t *code, const uint16_t *weight, size_t n)
{
	int64_t *x = err_alloc(NULL, c->cells, sizeof(*x)), one = 1;

	for (size_t i = 0; i < n; i++) {
		if (weight != NULL)
			one = weight[i];
		x[pairwise_cell(w, c, code + i * w->d)] += one;
	}
	return x;
}

/* How far a pair's exact counts are from the counts of the table so far. */
static i128
pair_distance(const struct pairwise *w, const struct counted *c)
{
	int64_t *x = pairwise_tally(w, c, w->code, w->weight, w->n);
	int64_t *y = pairwise_tally(w, c, w->record, NULL, w->m);
	double unit = 0;
	i128 sum = 0, off;

	if (w->m > 0)
		unit = ldexp(PAIRWISE_SCORE * w->total / (double)w->m,
		    (int)w->shift);
	for (size_t e = 0; e < c->cells; e++) {
		off = (i128)x[e] * PAIRWISE_SCORE - (i128)llrint(fmin(0x1p58,
		    unit * (double)y[e]));
		sum += FIXED_MOST(off, -off);
	}
	free(x);
	free(y);
	return sum;
}

void
pairwise_scores(const struct pairwise *w, int64_t *score)
{
	double rest = (double)(PAIRWISE_PARTS - w->singles - w->choices);
	double noise = ldexp(PAIRWISE_SCORE * PRICE * (double)w->picks *
	    (double)PAIRWISE_PARTS / (rest * rational_real(w->eps)),
	    (int)w->shift);

	for (size_t k = w->counts - w->d; k < w->pairs; k++) {
		i128 sum = pair_distance(w, &w->pair[k]) - (i128)fmin(noise *
		    (double)w->pair[k].cells, 0x1p60);

		score[k] = (int64_t)FIXED_LEAST(sum, FIXED_MAX);
	}
}

/* Counts number i with noise. */
static void
add_noise(struct pairwise *w, size_t i, struct rng *r)
{
	struct counted *c = &w->of[i];
	int64_t *x = pairwise_tally(w, c, w->code, w->weight, w->n);
	struct scale t = { 0, 1 };

	if (r != NULL)
		pairwise_scale(w, i, &t);
	for (size_t e = 0; e < c->cells; e++)
		c->count[e] = counts_noisy(x[e], &t, w->shift, r);
	c->variance = counts_variance(&t, w->shift);
	free(x);
}

/* The pairs that are not too large to count. */
static void
list_pairs(struct pairwise *w)
{
	for (size_t a = 0; a < w->d; a++)
		for (size_t b = a + 1; b < w->d; b++)
			if (w->classes[a] <= PAIRWISE_CELLS / w->classes[b])
				w->pair[w->pairs++] = (struct counted){ a, b,
				    w->classes[a] * w->classes[b], NULL, 0 };
}

void
pairwise_singles(struct pairwise *w, struct rng *r)
{
	for (size_t a = 0; a < w->d; a++)
		add_noise(w, a, r);
	pairwise_level(w);
	if (r != NULL)
		pairwise_merge(w);
	if (!w->alone)
		list_pairs(w);
	if (r == NULL || w->picks > w->pairs)
		w->picks = w->pairs;
	if (w->picks == 0 || w->picks == w->pairs)
		w->choices = 0;
}

/* Brings the next pair forward in the list, by scores. */
static void
choose_pair(struct pairwise *w, size_t k, int64_t *score, struct rng *r)
{
	struct counted pair = w->pair[k];
	struct scale t;
	size_t at;

	pairwise_choice(w, &t);
	select_draw(r, &t, SELECT_FLIP, score + k, w->pairs - k, 1, &at);
	w->pair[k] = w->pair[k + at];
	w->pair[k + at] = pair;
	score[k + at] = score[k];
}

void
pairwise_pairs(struct pairwise *w, struct rng *noise, struct rng *r)
{
	int64_t *score = err_alloc(NULL, w->pairs, sizeof(*score));
	size_t first = w->d, all = w->d + w->picks;

	pairwise_alone(w, r);
	for (; first < all; first = w->counts) {
		if (w->choices > 0)
			pairwise_scores(w, score);
		for (size_t k = first - w->d; w->counts < all && w->counts <
		    first + batch(w); k++) {
			if (w->choices > 0)
				choose_pair(w, k, score, noise);
			add_count(w, w->pair[k].a, w->pair[k].b);
		}
		for (size_t i = first; i < w->counts; i++)
			add_noise(w, i, noise);
		pairwise_fit(w, r);
	}
	free(score);
}

void
pairwise_close(struct pairwise *w)
{
	for (size_t i = 0; i < w->counts; i++)
		free(w->of[i].count);
	for (size_t a = 0; a < w->d; a++)
		free(w->class[a]);
	free(w->class);
	free(w->classes);
	free(w->of);
	free(w->pair);
}
