/*
 * laws_of_draws: the laws of noise and of selections from their formulas, not
 * from the library: softmax, and for permute-and-flip P[i] = w_i sum over sets
 * S of others of (-1)^|S| / (|S| + 1) prod_{j in S} w_j.
 */
#ifndef LAWS_OF_DRAWS_H
#define LAWS_OF_DRAWS_H

#include <math.h>
#include <stdlib.h>

#include "random/select.h"

static inline void
law_selection(enum select_kind kind, const int64_t *u, size_t n, double t,
    double *p)
{
	double w[8], sum = 0;
	int64_t best = u[0];

	for (size_t i = 1; i < n; i++)
		best = u[i] > best ? u[i] : best;
	for (size_t i = 0; i < n; i++)
		sum += w[i] = exp((double)(u[i] - best) / t);
	for (size_t i = 0; i < n; i++) {
		p[i] = kind == SELECT_EXPONENTIAL ? w[i] / sum : 0;
		for (unsigned s = 0; kind == SELECT_FLIP && s < 1u << n; s++) {
			double term = w[i];
			int size = 0;

			if (s >> i & 1)
				continue;
			for (size_t j = 0; j < n; j++)
				if (s >> j & 1) {
					term *= -w[j];
					size++;
				}
			p[i] += term / (size + 1);
		}
	}
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

/* P[Z = z] for the discrete Laplace law, -wide to wide, tails at the ends. */
static inline void
law_laplace(double t, int wide, double *p)
{
	double q = exp(-1 / t);

	for (int z = -wide; z <= wide; z++)
		p[z + wide] = (1 - q) / (1 + q) * pow(q, abs(z)) *
		    (abs(z) == wide ? 1 / (1 - q) : 1);
}

#endif
