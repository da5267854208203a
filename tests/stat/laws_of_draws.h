/*
 * laws_of_draws: the laws of noise and of selections from their definitions,
 * not from the library.
 */
#ifndef LAWS_OF_DRAWS_H
#define LAWS_OF_DRAWS_H

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "random/select.h"

#define LAW_MOST 200		/* candidates */

/*
 * [MS20 Algorithm 1] The chance of one candidate of each of n kinds, with heads
 * of its coin, of which there are so many (NULL: one of each).  Let e[k] be the
 * sum over all sets of k of the d others of the chance that all of the set show
 * tails.  The candidate is next after just one set of k in k! (d - k)! of the
 * (d + 1)! orders.
 */
static inline void
law_flip(const long double *heads, const size_t *many, size_t n,
    long double *p)
{
	for (size_t i = 0; i < n; i++) {
		long double e[LAW_MOST + 1] = { 1 }, sets = 1;
		size_t d = 0, left;

		for (size_t j = 0; j < n; j++) {
			left = many == NULL ? 1 : many[j];
			for (left -= i == j; left > 0; left--, d++)
				for (size_t k = d + 1; k > 0; k--)
					e[k] += e[k - 1] * (1 - heads[j]);
			cr_assert(d < LAW_MOST);
		}
		p[i] = 0;
		for (size_t k = 0; k <= d; k++) {
			p[i] += heads[i] * e[k] /
			    (sets * (long double)(d + 1));
			sets *= (long double)(d - k) / (long double)(k + 1);
		}
	}
}

/* Of candidates with these weights, the best 1. */
static inline void
law_choice(enum select_kind kind, const long double *w, size_t n,
    long double *p)
{
	long double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += w[i];
	for (size_t i = 0; i < n; i++)
		p[i] = kind == SELECT_EXPONENTIAL ? w[i] / sum : 0;
	if (kind == SELECT_FLIP)
		law_flip(w, NULL, n, p);
}

/* Of candidates with these scores, on the scale t. */
static inline void
law_scores(enum select_kind kind, const int64_t *u, size_t n, long double t,
    long double *p)
{
	long double w[8];
	int64_t best = u[0];

	for (size_t i = 1; i < n; i++)
		best = u[i] > best ? u[i] : best;
	for (size_t i = 0; i < n; i++)
		w[i] = expl((long double)(u[i] - best) / t);
	law_choice(kind, w, n, p);
}

/* The same for law_chi2. */
static inline void
law_selection(enum select_kind kind, const int64_t *u, size_t n, double t,
    double *p)
{
	long double exact[8];

	law_scores(kind, u, n, t, exact);
	for (size_t i = 0; i < n; i++)
		p[i] = (double)exact[i];
}

/*
 * The law of runs of count[i] candidates whose weight is w[i], the best 1.  By
 * permute-and-flip a run of M has its first success at time s with density
 * M w (1 - w s)^(M-1), the others none before s with (1 - w s)^M: integrated by
 * the midpoint rule over y = -ln s.
 */
static inline void
law_runs(enum select_kind kind, const double *count, const double *w,
    size_t n, double *p)
{
	enum { STEPS = 30000 };
	double all = 0, none, s;

	for (size_t i = 0; i < n; i++)
		all += p[i] = count[i] * w[i];
	for (size_t i = 0; i < n; i++)
		p[i] = kind == SELECT_EXPONENTIAL ? p[i] / all : 0;
	for (int k = 0; kind == SELECT_FLIP && k < STEPS; k++) {
		s = exp(-60.0 * (k + 0.5) / STEPS);
		none = 0;
		for (size_t i = 0; i < n; i++)
			none += count[i] * log1p(-w[i] * s);
		for (size_t i = 0; i < n; i++)
			p[i] += 60.0 / STEPS * s * w[i] * count[i] *
			    exp(none - log1p(-w[i] * s));
	}
}

#endif
