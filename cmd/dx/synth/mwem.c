/*
 * mwem: the rounds of multiplicative weights.
 *
 * [KPAK20 Algorithm 2] with both scales put right: with c = max over queries
 * and pairs of |q_i - q_j| / (eps d(i,j)), so that c q' = q, a round
 *	selects q with weight exp(|q(x) - q(y)| / (4cT)),
 *	measures m = q(x) + Lap(2cT),
 *	multiplies y_i by exp(q_i (m - q(y)) / (2n)) and scales y to n records.
 * The paper writes m - q'(y) where m is at the scale of c q'.  Where |q|
 * exceeds 1, q / max |q| is the query of the update, which divides the
 * exponent by the square of that maximum.
 *
 * Privacy [KPAK20 Theorem 7].  Moving a record from i to j moves every
 * |q(x) - q(y)| and every q(x) by at most c eps d(i,j).  A selection costs
 * 2 c eps d / (4cT) = eps d / 2T (select.c, either mechanism), a measurement
 * c eps d / (2cT) = eps d / 2T; T rounds compose to eps d(i,j).  y is a
 * function of selections and measurements, and of nothing else that is
 * private: its floating point costs nothing.
 *
 * Exactness.  Answers of x are integers.  y's answer a enters a score as the
 * integer A = round(a 2^shift): the score |q(x) 2^shift - A| moves by exactly
 * as many steps as q(x) 2^shift does.  Cutting a score at 2^62 moves two
 * scores no farther apart.
 *
 * Hazards: answers are below MWEM_ANSWER, with 2^shift too; weights may
 * underflow to 0, but a sum of all is kept at n.
 */
#include "mwem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mwem_impl.h"

int64_t
mwem_unit(const struct mwem *a, const struct block *b)
{
	return fixed_pow10(a->digits - b->digits);
}

const struct block *
mwem_block(const struct mwem *a, size_t k, size_t *b, size_t *in)
{
	const struct workload *w = a->w;

	for (*b = 0; k >= w->block[*b].count; ++*b)
		k -= w->block[*b].count;
	*in = k;
	return &w->block[*b];
}

/* Exact answers of a block, in grid steps. */
static void
answer(const struct mwem *a, const struct block *b, const uint64_t *x,
    int64_t *to)
{
	int64_t unit = mwem_unit(a, b);
	size_t n = a->w->n;

	switch (b->kind) {
	case WORKLOAD_DENSE:
		for (size_t i = 0; i < n; i++)
			to[0] += b->q[i] * unit * (int64_t)x[i];
		break;
	case WORKLOAD_PREFIX:
	case WORKLOAD_RANGE:
		for (size_t i = 0; i < n; i++)
			to[i + 1] = to[i] + unit * (int64_t)x[i];
		break;
	case WORKLOAD_MARGINAL:
		for (size_t i = 0; i < n; i++)
			to[b->q[i]] += unit * (int64_t)x[i];
		break;
	}
}

static bool
answers(struct mwem *a, const uint64_t *x)
{
	const struct workload *w = a->w;
	size_t all = 0;

	a->at = malloc((w->blocks + 1) * sizeof(*a->at));
	if (a->at == NULL)
		return false;
	for (size_t b = 0; b < w->blocks; b++) {
		a->at[b] = all;
		all += mwem_places(w, &w->block[b]);
	}
	a->truth = calloc(all + 1, sizeof(*a->truth));
	a->guess = calloc(all + 1, sizeof(*a->guess));
	if (a->truth == NULL || a->guess == NULL)
		return false;
	for (size_t b = 0; b < w->blocks; b++)
		answer(a, &w->block[b], x, a->truth + a->at[b]);
	return true;
}

bool
mwem_open(struct mwem *a, const uint64_t *x)
{
	size_t n = a->w->n;

	if (!answers(a, x))
		return false;
	a->atom = malloc((n + 1) * sizeof(*a->atom));
	a->mass = malloc((n + 1) * sizeof(*a->mass));
	a->sum = malloc((n + 1) * sizeof(*a->sum));
	a->size = malloc((n + 1) * sizeof(*a->size));
	a->inside = calloc(n + 1, sizeof(*a->inside));
	a->cell = malloc((n + 9) * sizeof(*a->cell));
	a->score = malloc((a->w->k + 1) * sizeof(*a->score));
	a->past = calloc(a->rounds + 1, sizeof(*a->past));
	if (a->atom == NULL || a->mass == NULL || a->sum == NULL ||
	    a->size == NULL || a->inside == NULL || a->cell == NULL ||
	    a->score == NULL || a->past == NULL || !mwem_guess_open(a))
		return false;
	mwem_restart(a);
	return true;
}

void
mwem_restart(struct mwem *a)
{
	for (size_t t = 0; t < a->rounds; t++) {
		free(a->past[t].list);
		free(a->past[t].coef);
		a->past[t] = (struct mwem_past){ .k = 0 };
	}
	a->done = 0;
	memset(a->atom, 0, a->w->n * sizeof(*a->atom));
	a->atoms = 1;
	a->mass[0] = a->whole = (double)a->total;
	a->size[0] = (double)a->w->n;
	a->sum[0] = 0;
}

/* The worst query, without coins. */
static size_t
worst(const struct mwem *a)
{
	size_t best = 0;

	for (size_t k = 1; k < a->w->k; k++)
		if (a->score[k] > a->score[best])
			best = k;
	return best;
}

bool
mwem_round(struct mwem *a, struct rng *r)
{
	size_t k;
	i128 m;

	mwem_scores(a);
	if (a->exact)
		k = worst(a);
	else if (!select_draw(r, &a->pick, a->kind, a->score, a->w->k, 1, &k))
		return false;
	m = mwem_truth(a, k);
	if (!a->exact)
		m += noise_laplace(r, &a->noise);
	return mwem_learn(a, k, m);
}

void
mwem_result(const struct mwem *a, double *y)
{
	for (size_t i = 0; i < a->w->n; i++) {
		size_t c = a->atom[i];

		y[i] = a->average && a->done > 0 ?
		    a->sum[c] / (double)a->done : a->mass[c] / a->size[c];
	}
}

void
mwem_close(struct mwem *a)
{
	for (size_t t = 0; a->past != NULL && t < a->rounds; t++) {
		free(a->past[t].list);
		free(a->past[t].coef);
	}
	mwem_guess_close(a);
	free(a->past);
	free(a->score);
	free(a->cell);
	free(a->inside);
	free(a->size);
	free(a->sum);
	free(a->mass);
	free(a->atom);
	free(a->guess);
	free(a->truth);
	free(a->at);
}
