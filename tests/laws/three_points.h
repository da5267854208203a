/* three_points: all neighbours in a universe of N = 3, for mwem. */
#ifndef THREE_POINTS_H
#define THREE_POINTS_H

#include <math.h>
#include <string.h>

#include "metrics.h"

#define N 3

/* Worst log ratio of two histograms, over eps times this distance. */
typedef long double loss_fn(void *setting, const int64_t *x,
    const int64_t *z, int64_t total, u128 d);

/*
 * All neighbours of n records, of which one moves; and, where n is hidden, of n
 * records and one more, whatever was released of n.  With parts of records n is
 * the number of parts, and of a record that comes any part counts: it may lose
 * no more than this part of eps.
 */
static long double
three_points_worst(const struct metric *m, int64_t n, unsigned shift,
    loss_fn *loss, void *setting)
{
	int64_t whole = (int64_t)1 << shift;
	long double most = 0;
	u128 d;

	for (int64_t code = 0; code < N * N * (n + 1) * (n + 1); code++) {
		int64_t i = code % N, j = code / N % N;
		int64_t x0 = code / 9 % (n + 1), x1 = code / 9 / (n + 1);
		int64_t x[N] = { x0, x1, n - x0 - x1 }, z[N];

		if (x0 + x1 > n)
			continue;
		memcpy(z, x, sizeof(z));
		for (int64_t part = 1; m->away > 0 && part <= whole; part++) {
			z[j] = x[j] + part;
			most = fmaxl(most, loss(setting, x, z, i * n + 1,
			    m->away) * (long double)whole / (long double)part);
		}
		z[j] = x[j] + 1;
		z[i]--;
		if (i != j && x[i] > 0 && metric_between(m, (size_t)i,
		    (size_t)j, &d))
			most = fmaxl(most, loss(setting, x, z, n, d));
	}
	return most;
}

#endif
